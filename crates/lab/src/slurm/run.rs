//! A run on a cluster: submit what is missing, wait, merge what arrives.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use afterstate_game::Stop;

use super::work::{self, Games};
use super::{ArraySettings, Folder, Place, Queue, QueuedTask, Round, SlurmError, Work, queue};
use crate::experiment::{Experiment, Mixing, Plan, check_program};
use crate::shard::{Heading, Merger};
use crate::store::{Session, Store};
use crate::{LabError, Provenance, ranges};

/// Looks at a queue without an answer before a run gives up: the program that keeps the queue is sometimes started anew.
const SILENT_LOOKS: u32 = 30;
/// Looks at the shards of tasks that have ended before their games count as missing: a file that was written elsewhere may be
/// seen a little later here.
const LATE_LOOKS: u32 = 3;
/// How many failed tasks are named.
const NAMED_FAILURES: usize = 3;

/// An experiment that is to be run on a cluster.
pub struct ClusterRun<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// What follows from it.
    pub plan: &'a Plan,
    /// The folder of its file.
    pub beside: &'a Path,
    /// The folder that the nodes see.
    pub folder: &'a Folder,
    /// What Slurm is asked for.
    pub settings: &'a ArraySettings,
    /// Who runs it.
    pub provenance: &'a Provenance,
    /// Whether other versions of the program may have played, or may play.
    pub mixing: Mixing,
    /// This program, as the nodes see it.
    pub program: &'a Path,
    /// How often the queue is looked at.
    pub poll: Duration,
}

/// How far a run on a cluster is.
pub struct ClusterProgress<'a> {
    /// The number of the round that has just been submitted, and of its tasks.
    pub submitted: Option<(u32, usize)>,
    /// Tasks that wait.
    pub waiting: usize,
    /// Why they wait, in Slurm's words.
    pub reasons: Vec<String>,
    /// Tasks that run.
    pub running: usize,
    /// Games that this call has stored.
    pub stored: u64,
    /// Games that are still missing, as far as it is known.
    pub missing: u64,
    /// Whether a stopping rule may ask for more.
    pub is_open: bool,
    /// The store as it is now.
    pub store: &'a Store,
}

/// A task that has ended without all its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTask {
    /// The number of its round.
    pub round: u32,
    /// Its number.
    pub task: usize,
    /// The last line that it wrote.
    pub last_words: Option<String>,
}

/// How a run on a cluster ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterEnd {
    /// All games are stored.
    Complete,
    /// It was told to end; the tasks go on.
    Left,
    /// Tasks have ended without all their games. The same call submits these games again.
    Failed {
        /// The number of these games.
        games: u64,
        /// Some of these tasks.
        tasks: Vec<FailedTask>,
    },
}

/// What a call knows besides what lies in the folder.
#[derive(Default)]
struct Memory {
    merger: Merger,
    /// Games of tasks that it submitted or saw in the queue.
    ordered: Games,
    stored: u64,
    silent_looks: u32,
    late_looks: u32,
}

/// The tasks of the folder that are not over.
struct InQueue {
    tasks: Vec<QueuedTask>,
    games: Games,
}

impl ClusterRun<'_> {
    /// Submits what is neither stored, nor in a shard, nor in the queue; then waits and merges until all games are there.
    ///
    /// `watch` is called after every look at the queue; when it breaks or `stop` is raised the call returns while the tasks go on,
    /// and the same call finds them again.
    pub fn run(
        &self,
        store: &mut Store,
        stop: &Stop,
        mut watch: impl FnMut(&ClusterProgress<'_>) -> ControlFlow<()>,
    ) -> Result<ClusterEnd, LabError> {
        self.check_stored(store)?;
        let mut memory = Memory::default();
        let mut is_first = true;
        loop {
            // First the queue, then the shards: what a task wrote before it left the queue is not taken for missing.
            let in_queue = self.look(&mut memory)?;
            memory.stored += self.merge(&mut memory.merger, store)?;
            let Some(in_queue) = in_queue else {
                if wait(self.poll, stop).is_break() {
                    return Ok(ClusterEnd::Left);
                }
                continue;
            };
            remember(&mut memory.ordered, &in_queue.games);
            let missing = self.plan.missing(store)?;
            if missing.is_empty() {
                self.cancel_needless(&in_queue)?;
                return Ok(ClusterEnd::Complete);
            }
            let is_open = missing.iter().any(|series| !series.fixed);
            let wanted = work::wanted(&missing, self.settings.round);
            let games = work::count(&wanted);
            let mut submitted = None;
            if is_first || in_queue.games.is_empty() {
                let new = work::subtract(wanted.clone(), &in_queue.games);
                let failed = common(&new, &memory.ordered);
                if !failed.is_empty() && memory.late_looks == LATE_LOOKS {
                    return Ok(ClusterEnd::Failed { games: work::count(&failed), tasks: self.failed_tasks(&failed)? });
                } else if !failed.is_empty() {
                    memory.late_looks += 1;
                } else if !new.is_empty() {
                    submitted = Some(self.submit(&new, store)?);
                    remember(&mut memory.ordered, &new);
                    memory.late_looks = 0;
                }
            }
            is_first = false;
            let (running, waiting) = places(&in_queue.tasks);
            let reasons = queue::reasons(in_queue.tasks.iter());
            let stored = memory.stored;
            let progress =
                ClusterProgress { submitted, waiting, reasons, running, stored, missing: games, is_open, store };
            if watch(&progress).is_break() || wait(self.poll, stop).is_break() {
                return Ok(ClusterEnd::Left);
            }
        }
    }

    /// Whether the games that are stored may be counted together with those to come.
    fn check_stored(&self, store: &Store) -> Result<(), LabError> {
        if self.mixing == Mixing::Allowed {
            return Ok(());
        }
        check_program(&self.plan.sessions(store)?, self.provenance)
    }

    /// The tasks of this folder that are not over; `None` if the queue does not answer this time.
    fn look(&self, memory: &mut Memory) -> Result<Option<InQueue>, LabError> {
        let queue = match Queue::look() {
            Ok(queue) => queue,
            Err(error @ SlurmError::NoSlurm { .. }) => return Err(error.into()),
            // At the start it is better to say so at once; later the tasks run on, whoever answers.
            Err(error) if memory.ordered.is_empty() || memory.silent_looks == SILENT_LOOKS => return Err(error.into()),
            Err(_) => {
                memory.silent_looks += 1;
                return Ok(None);
            }
        };
        memory.silent_looks = 0;
        let mut found = InQueue { tasks: Vec::new(), games: Games::new() };
        for round in self.folder.rounds()? {
            let tasks: Vec<QueuedTask> = queue.of(&round).cloned().collect();
            if !tasks.is_empty() {
                remember(&mut found.games, &round.work()?.games_of(tasks.iter().map(|task| task.task)));
                found.tasks.extend(tasks);
            }
        }
        Ok(Some(found))
    }

    /// Stores what is new in the shards of all rounds.
    fn merge(&self, merger: &mut Merger, store: &mut Store) -> Result<u64, LabError> {
        let mut stored = 0;
        for round in self.folder.rounds()? {
            for path in round.shard_files()? {
                stored += merger.merge(&path, store, |heading| self.accept(&path, heading))?;
            }
        }
        Ok(stored)
    }

    fn accept(&self, path: &Path, heading: &Heading) -> Result<(), LabError> {
        let played_by = &heading.session.provenance;
        if self.mixing == Mixing::Allowed || played_by.same_program(self.provenance) {
            return Ok(());
        }
        let (found, running) = (played_by.version(), self.provenance.version());
        Err(SlurmError::OtherProgram { path: path.to_owned(), found, running }.into())
    }

    /// Submits games as a round: its number, and the number of its tasks.
    fn submit(&self, games: &Games, store: &Store) -> Result<(u32, usize), LabError> {
        let chunk = self.settings.chunk_for(work::count(games))?;
        let session = Session {
            started: store.now()?,
            provenance: self.provenance.clone(),
            experiment: self.plan.resolved(self.experiment),
        };
        let beside = std::path::absolute(self.beside).map_err(|error| SlurmError::folder(self.beside, &error))?;
        let work = Work::new(session, self.mixing == Mixing::Allowed, &beside, games, chunk);
        let round = self.folder.begin_round(&work)?;
        match self.submit_round(&round, work.tasks.len()) {
            Ok(()) => Ok((round.number, work.tasks.len())),
            Err(error) => {
                round.remove();
                Err(error.into())
            }
        }
    }

    fn submit_round(&self, round: &Round, tasks: usize) -> Result<(), SlurmError> {
        let script = self.settings.script(round, tasks, self.program)?;
        let script = round.write("array.sh", script.as_bytes())?;
        let job = queue::submit(&script)?;
        // For people only; the tasks are found by their name.
        let _ = round.write("job", format!("{job}\n").as_bytes());
        Ok(())
    }

    /// Takes back tasks that nobody needs: a stopping rule was satisfied before they began.
    fn cancel_needless(&self, in_queue: &InQueue) -> Result<(), LabError> {
        let own = self.plan.definitions();
        for round in self.folder.rounds()? {
            let has_tasks = in_queue.tasks.iter().any(|task| task.job_name == round.job_name());
            if has_tasks && round.work()?.series.iter().all(|series| own.contains(series)) {
                queue::cancel(&round)?;
            }
        }
        Ok(())
    }

    fn failed_tasks(&self, failed: &Games) -> Result<Vec<FailedTask>, LabError> {
        let mut tasks = Vec::new();
        for round in self.folder.rounds()?.into_iter().rev() {
            let work = round.work()?;
            for task in 0..work.tasks.len() {
                let has_failed = !common(&work.games_of(std::iter::once(task)), failed).is_empty();
                if has_failed && tasks.len() < NAMED_FAILURES {
                    tasks.push(FailedTask { round: round.number, task, last_words: round.last_words(task) });
                }
            }
        }
        Ok(tasks)
    }
}

/// The games that are in both.
fn common(some: &Games, others: &Games) -> Games {
    let both = |(series, games): (&String, &Vec<_>)| {
        let games = ranges::common(games, others.get(series)?);
        (!games.is_empty()).then(|| (series.clone(), games))
    };
    some.iter().filter_map(both).collect()
}

fn remember(games: &mut Games, more: &Games) {
    for (series, more) in more {
        let known = games.entry(series.clone()).or_default();
        known.extend_from_slice(more);
        *known = ranges::united(std::mem::take(known));
    }
}

/// How many tasks run, and how many wait.
pub(super) fn places(tasks: &[QueuedTask]) -> (usize, usize) {
    let running = tasks.iter().filter(|task| task.place == Place::Running).count();
    (running, tasks.len() - running)
}

/// Waits, but not longer than until somebody wants to stop.
fn wait(time: Duration, stop: &Stop) -> ControlFlow<()> {
    let end = Instant::now() + time;
    while Instant::now() < end && !stop.is_raised() {
        std::thread::sleep(Duration::from_millis(50).min(end.saturating_duration_since(Instant::now())));
    }
    if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
