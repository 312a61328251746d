//! Slurm's own programs: `sbatch` submits, `squeue` says what is still to come, `scancel` takes back.
//!
//! What has left the queue is over, and its shard says how it ended; so the accounting database, which many clusters do not
//! have, is not needed.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Round, SlurmError};

/// Where a task of the queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It waits for a node, or to be started again.
    Waiting,
    /// It has a node.
    Running,
}

/// A task that is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedTask {
    /// The name of its job.
    pub job_name: String,
    /// Its number in the array.
    pub task: usize,
    /// Where it is.
    pub place: Place,
    /// Why it waits, in Slurm's words.
    pub reason: Option<String>,
}

/// The user's tasks that are not over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    tasks: Vec<QueuedTask>,
}

impl Queue {
    /// Asks Slurm.
    pub fn look() -> Result<Self, SlurmError> {
        let arguments = ["--me", "--noheader", "--array", "--format=%j|%K|%T|%r"];
        call("squeue", arguments.map(OsStr::new)).map(|text| Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        Self { tasks: text.lines().filter_map(parse_task).collect() }
    }

    /// The tasks of a round.
    pub fn of(&self, round: &Round) -> impl Iterator<Item = &QueuedTask> {
        let name = round.job_name();
        self.tasks.iter().filter(move |task| task.job_name == name)
    }
}

fn parse_task(line: &str) -> Option<QueuedTask> {
    let mut fields = line.trim().splitn(4, '|');
    let (job_name, task, state) = (fields.next()?, fields.next()?, fields.next()?);
    // A task that is ending may still write, and a suspended one goes on: they hold their games as long as they are here.
    let place = match state {
        "RUNNING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "STAGE_OUT" => Place::Running,
        _ => Place::Waiting,
    };
    let reason = fields.next().filter(|reason| place == Place::Waiting && !matches!(*reason, "" | "None"));
    Some(QueuedTask {
        job_name: job_name.to_owned(),
        task: task.parse().ok()?,
        place,
        reason: reason.map(str::to_owned),
    })
}

/// Why tasks wait, each reason once.
pub(super) fn reasons<'a>(tasks: impl Iterator<Item = &'a QueuedTask>) -> Vec<String> {
    tasks.filter_map(|task| task.reason.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Submits a script; the number of the job.
pub(super) fn submit(script: &Path) -> Result<String, SlurmError> {
    let answer = call("sbatch", [OsStr::new("--parsable"), script.as_os_str()])?;
    // On a federation of clusters the name of the cluster follows.
    Ok(answer.trim().split(';').next().unwrap_or_default().to_owned())
}

/// Takes all tasks of a round out of the queue.
pub(super) fn cancel(round: &Round) -> Result<(), SlurmError> {
    let name = format!("--name={}", round.job_name());
    call("scancel", ["--me", &name].map(OsStr::new)).map(drop)
}

fn call<'a>(program: &'static str, arguments: impl IntoIterator<Item = &'a OsStr>) -> Result<String, SlurmError> {
    let mut command = Command::new(program);
    // Answers are read by this program, not by a person.
    let output = command.args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SlurmError::NoSlurm { program },
        _ => SlurmError::Refused { program, reason: error.to_string() },
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let reason = if said.is_empty() { output.status.to_string() } else { said.join("; ") };
    Err(SlurmError::Refused { program, reason })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_queue_is_read_as_slurm_writes_it() {
        let queue = Queue::parse(
            "depths-01-2|7|PENDING|Resources\n\
             depths-01-2|3|RUNNING|None\n\
             depths-01-2|4|COMPLETING|None\n\
             depths-01-2|5|PENDING|Nodes required for job are DOWN, DRAINED | or reserved\n\
             depths-01-21|1|RUNNING|None\n\
             shell|N/A|RUNNING|None\n\
             \n",
        );
        let round = Round { number: 2, path: PathBuf::from("/shared/round-002"), token: "depths-01".to_owned() };
        let tasks: Vec<(usize, Place)> = queue.of(&round).map(|task| (task.task, task.place)).collect();
        assert_eq!(tasks, [(7, Place::Waiting), (3, Place::Running), (4, Place::Running), (5, Place::Waiting)]);
        let expected = ["Nodes required for job are DOWN, DRAINED | or reserved", "Resources"];
        assert_eq!(reasons(queue.of(&round)), expected);
    }

    #[test]
    fn a_program_that_is_missing_or_refuses_says_so() {
        let none: [&OsStr; 0] = [];
        let missing = call("afterstate-no-such-program", none).unwrap_err();
        assert!(missing.to_string().contains("login node"), "{missing}");
        let refused = call("sh", ["-c", "echo no such partition >&2; exit 1"].map(OsStr::new)).unwrap_err();
        assert_eq!(refused.to_string(), "`sh` refused: no such partition");
    }
}
