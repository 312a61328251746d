//! `afterstate run --slurm`: the same experiment on a cluster; and what a task of it does.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use afterstate_game::Stop;
use afterstate_lab::experiment::Mixing;
use afterstate_lab::slurm::{
    ArraySettings, ClusterEnd, ClusterProgress, ClusterRun, FailedTask, Folder, RoundStatus, cluster_status, run_task,
};
use afterstate_lab::store::Store;
use afterstate_lab::{LabError, Machinery, Provenance};
use clap::Args;

use super::Chosen;
use crate::failure::Failure;
use crate::number::whole_number;
use crate::output::tell;
use crate::{command_line, interrupt, number};

/// What a cluster is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "On a cluster (docs/slurm.md)")]
pub(crate) struct SlurmArgs {
    /// Play on a cluster: submit what is missing as an array job, wait, and store what arrives
    #[arg(long, conflicts_with = "threads")]
    pub(crate) slurm: bool,
    /// The partition [default: the cluster's]
    #[arg(long, value_name = "NAME", requires = "slurm")]
    partition: Option<String>,
    /// The longest time of a task, as Slurm writes it: 30, 2:00:00, 1-12 [default: the partition's]
    #[arg(long, value_name = "TIME", requires = "slurm")]
    time: Option<String>,
    /// Processors of a task, which plays that many games at the same time
    #[arg(long, value_name = "N", requires = "slurm", default_value_t = 1, value_parser = whole_number::<u32>(1..=1024))]
    cpus: u32,
    /// Games of a task [default: a 64th of what is missing]
    #[arg(long, value_name = "N", requires = "slurm", value_parser = whole_number::<u64>(1..=u64::MAX))]
    chunk: Option<u64>,
    /// Games of a series that are submitted before a stopping rule is asked again
    #[arg(long, value_name = "N", requires = "slurm", default_value_t = 1000, value_parser = whole_number::<u64>(1..=u64::MAX))]
    round: u64,
    /// Tasks that may run at the same time [default: no limit]
    #[arg(long, value_name = "N", requires = "slurm", value_parser = whole_number::<u32>(1..=u32::MAX.into()))]
    at_once: Option<u32>,
    /// An Apptainer image that holds the program
    #[arg(long, value_name = "FILE", requires = "slurm")]
    image: Option<PathBuf>,
    /// Another option for sbatch, such as --sbatch=--account=thesis; may be repeated
    #[arg(long, value_name = "OPTION", requires = "slurm", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// A folder that this machine and all nodes see [default: beside the results]
    #[arg(long, value_name = "FOLDER", requires = "slurm")]
    folder: Option<PathBuf>,
    /// How often the queue is looked at
    #[arg(long, value_name = "TIME", requires = "slurm", default_value = "10s", value_parser = crate::args::time)]
    poll: Duration,
    /// Submit and leave; the same command without this fetches the results
    #[arg(long, requires = "slurm")]
    detach: bool,
}

/// A task of an array job, as its script calls it.
#[derive(Debug, Args)]
pub(crate) struct TaskArgs {
    /// The folder of the round
    round: PathBuf,
    /// The number of the task
    #[arg(long)]
    task: usize,
    /// Games played at the same time
    #[arg(long, short = 't', default_value_t = 1, value_parser = whole_number::<u16>(1..=1024))]
    threads: u16,
}

/// How a run on a cluster left its experiment.
pub(crate) struct Outcome {
    pub(crate) complete: bool,
    pub(crate) stored: u64,
}

impl SlurmArgs {
    fn settings(&self) -> Result<ArraySettings, Failure> {
        let image = self.image.as_deref().map(|image| {
            let found = image.is_file().then(|| std::path::absolute(image)).transpose();
            let missing = || Failure::input(format!("--image {}: no such file", image.display()));
            found.map_err(Failure::from)?.ok_or_else(missing)
        });
        Ok(ArraySettings {
            partition: self.partition.clone(),
            time: self.time.clone(),
            cpus: self.cpus,
            chunk: self.chunk,
            round: self.round,
            at_once: self.at_once,
            image: image.transpose()?,
            options: self.sbatch.clone(),
        })
    }

    /// Whether the command submits and does not wait.
    pub(crate) fn is_detached(&self) -> bool {
        self.detach
    }

    /// The shared folder; one for each results file.
    fn folder(&self, chosen: &Chosen) -> PathBuf {
        let usual = Folder::usual(&chosen.store);
        match &self.folder {
            Some(folder) => folder.join(usual.file_name().unwrap_or_default()),
            None => usual,
        }
    }
}

/// Runs an experiment on the cluster until it is complete, failed or left.
pub(crate) fn play(chosen: &Chosen, args: &SlurmArgs, mixing: Mixing, stop: &Stop) -> Result<Outcome, Failure> {
    let settings = args.settings()?;
    let mut store = Store::open(&chosen.store).map_err(LabError::from)?;
    let folder = Folder::open(&args.folder(chosen)).map_err(LabError::from)?;
    let program = std::env::current_exe().map_err(|error| Failure::world("looking for this program", error))?;
    let run = ClusterRun {
        experiment: &chosen.experiment,
        plan: &chosen.plan,
        beside: chosen.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        folder: &folder,
        settings: &settings,
        provenance: &Provenance::here(command_line(), settings.cpus as usize),
        mixing,
        program: &program,
        poll: args.poll,
    };
    let mut line = Line::new(chosen.title());
    let mut stored = 0;
    let end = run.run(&mut store, stop, |progress| {
        stored = progress.stored;
        line.show(progress);
        if args.detach { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    line.end();
    match end? {
        ClusterEnd::Complete => Ok(Outcome { complete: true, stored }),
        ClusterEnd::Left => {
            tell!("the tasks go on without this command; the same command fetches what they play");
            Ok(Outcome { complete: false, stored })
        }
        ClusterEnd::Failed { games, tasks } => Err(failed(games, &tasks, &folder)),
    }
}

fn failed(games: u64, tasks: &[FailedTask], folder: &Folder) -> Failure {
    let words = tasks.iter().map(|FailedTask { round, task, last_words }| {
        let words = last_words.as_deref().unwrap_or("it left no log; do the nodes see the folder?");
        format!("\n  round {round}, task {task}: {words}")
    });
    Failure::World(format!(
        "{} games are missing because tasks ended before their games; the same command submits them again{}\n  logs in {}",
        number::grouped(games),
        words.collect::<String>(),
        folder.path().join("round-*/log").display()
    ))
}

/// How far the array is: one line that changes on a terminal, lines in a log where something has changed.
struct Line {
    title: String,
    last: String,
}

impl Line {
    fn new(title: &str) -> Self {
        Self { title: title.to_owned(), last: String::new() }
    }

    fn show(&mut self, progress: &ClusterProgress<'_>) {
        let submitted = progress.submitted.map_or_else(String::new, |(round, tasks)| {
            let games = number::grouped(progress.missing);
            format!("round {round} submitted: {tasks} tasks, {games} games; ")
        });
        let tasks = format!("{} running, {} waiting", progress.running, progress.waiting);
        let reasons =
            if progress.reasons.is_empty() { String::new() } else { format!(" ({})", progress.reasons.join(", ")) };
        let more = if progress.is_open { ", more if the rule asks for them" } else { "" };
        let games = format!(
            "{} games stored, {} missing{more}",
            number::grouped(progress.stored),
            number::grouped(progress.missing)
        );
        let line = format!("{}: {submitted}{tasks}{reasons}; {games}", self.title);
        if line == self.last {
            return;
        }
        if io::stderr().is_terminal() && progress.submitted.is_none() {
            let _ = write!(io::stderr(), "\r\x1b[2K{line}");
        } else {
            tell!("{line}");
        }
        self.last = line;
    }

    /// Leaves the last line where it is.
    fn end(&self) {
        if io::stderr().is_terminal() && !self.last.is_empty() {
            tell!("");
        }
    }
}

/// Plays the games of one task.
pub(crate) fn task(args: &TaskArgs) -> Result<(), Failure> {
    let machinery =
        Machinery { threads: args.threads.into(), stop: interrupt::stop_on_ctrl_c()?, ..Machinery::default() };
    let end = run_task(&args.round, args.task, &machinery)?;
    let before =
        if end.found == 0 { String::new() } else { format!(", {} were there from an earlier start", end.found) };
    tell!("{} games played{before}", end.played);
    if end.left == 0 {
        return Ok(());
    }
    tell!("stopped before {} games; the command that submitted this task submits them again", end.left);
    Err(Failure::Interrupted)
}

/// The rounds of an experiment, if it was ever submitted.
pub(crate) fn status(chosen: &Chosen, folder: Option<&Path>) -> Result<(Vec<RoundStatus>, Option<String>), Failure> {
    let usual = Folder::usual(&chosen.store);
    let path = folder.map_or_else(|| usual.clone(), |folder| folder.join(usual.file_name().unwrap_or_default()));
    let (rounds, silence) = cluster_status(&Folder::at(&path).map_err(LabError::from)?)?;
    Ok((rounds, silence.map(|error| error.to_string())))
}

/// Shows the rounds.
pub(crate) fn show_status(out: &mut impl Write, rounds: &[RoundStatus], silence: Option<&str>) -> Result<(), Failure> {
    for round in rounds {
        let job = round.job.as_deref().map_or_else(|| "not submitted".to_owned(), |job| format!("job {job}"));
        let reasons = if round.reasons.is_empty() { String::new() } else { format!(" ({})", round.reasons.join(", ")) };
        let failed = round.failed.map_or_else(|| "?".to_owned(), |failed| failed.to_string());
        writeln!(
            out,
            "  round {}, {job}: {} of {} games in {} tasks: {} complete, {} running, {} waiting{reasons}, {failed} failed",
            round.round,
            number::grouped(round.played),
            number::grouped(round.games),
            round.tasks,
            round.complete,
            round.running,
            round.waiting,
        )?;
    }
    if let Some(silence) = silence {
        writeln!(out, "  the queue is unknown: {silence}")?;
    }
    Ok(())
}
