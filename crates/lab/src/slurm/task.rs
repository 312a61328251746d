//! What a task does on its node.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::slice::from_ref;
use std::sync::mpsc::sync_channel;

use super::{Order, Round, SlurmError, Work};
use crate::executor::{Delivery, run_jobs};
use crate::experiment::{Bench, Experiment, Plan, Planned, PlannedGames};
use crate::series::{Series, end_with};
use crate::shard::{Content, Heading, ShardGame, ShardReader, ShardWriter};
use crate::store::{Session, StoredResult};
use crate::{LabError, Machinery, Provenance, ranges};

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskEnd {
    /// Games that were there from an earlier start.
    pub found: u64,
    /// Games that it played.
    pub played: u64,
    /// Games that it did not come to, because it was stopped.
    pub left: u64,
}

/// Games in a row, with the place of their series in the plan.
type SeriesGames = (usize, Range<u64>);

/// Games waiting for the disk; beyond that the players wait too.
const QUEUE: usize = 4096;

/// Plays the games of a task and appends them to a shard of its own. What an earlier start of the same task has finished is not
/// played again.
pub fn run_task(round: &Path, task: usize, machinery: &Machinery) -> Result<TaskEnd, LabError> {
    let round = Round::at(round);
    let work = round.work()?;
    let ordered_by = &work.session.provenance;
    let provenance = Provenance::here(ordered_by.command.clone(), machinery.threads);
    if !work.mixed_programs && !provenance.same_program(ordered_by) {
        let (found, running) = (ordered_by.version(), provenance.version());
        return Err(SlurmError::OtherProgram { path: round.path, found, running }.into());
    }
    let experiment = Experiment::parse(&work.session.experiment, &[])?;
    let plan = Plan::new(&experiment, &work.beside)?;
    let session = Session { provenance, ..work.session.clone() };
    let place = Assignment { round, work, task, session };
    match &plan.games {
        PlannedGames::Solo(planned) => place.play(planned, machinery),
        PlannedGames::Duel(planned) => place.play(planned, machinery),
        PlannedGames::Decision(planned) => place.play(planned, machinery),
    }
}

/// A task and everything that it was told.
struct Assignment {
    round: Round,
    work: Work,
    task: usize,
    session: Session,
}

impl Assignment {
    fn play<S: Series>(&self, planned: &[Planned<S>], machinery: &Machinery) -> Result<TaskEnd, LabError>
    where
        S::Result: StoredResult,
    {
        let series: Vec<String> = planned.iter().map(|planned| planned.series.definition()).collect();
        let (ordered, earlier) = (self.ordered(&series)?, self.played_earlier(&series)?);
        let mut left = Vec::new();
        for (series, games) in &ordered {
            let earlier = earlier.get(series).map_or(&[][..], Vec::as_slice);
            left.extend(ranges::subtract(from_ref(games), earlier).into_iter().map(|games| (*series, games)));
        }
        let count = |games: &[SeriesGames]| games.iter().map(|(_, games)| games.end - games.start).sum::<u64>();
        let missing = count(&left);
        let found = count(&ordered) - missing;
        if missing == 0 {
            return Ok(TaskEnd { found, played: 0, left: 0 });
        }
        for (series, _) in &left {
            // Agents that cannot be built are known before the shard begins.
            planned[*series].series.build()?;
        }
        let heading = Heading { session: self.session.clone(), table: S::Result::TABLE.to_owned(), series };
        let shard = self.round.new_shard(self.task, &heading)?;
        let jobs = left.into_iter().flat_map(|(series, games)| games.map(move |game| (series, game)));
        let played = play_into(planned, jobs, shard, machinery)?;
        Ok(TaskEnd { found, played, left: missing - played })
    }

    /// The games of this task by the place of their series in the plan.
    fn ordered(&self, series: &[String]) -> Result<Vec<SeriesGames>, SlurmError> {
        let (path, tasks) = (&self.round.path, self.work.tasks.len());
        let orders = self.work.tasks.get(self.task);
        let orders = orders.ok_or_else(|| SlurmError::NoSuchTask { path: path.clone(), task: self.task, tasks })?;
        let place = |order: &Order| {
            let definition = &self.work.series[order.series];
            let place = series.iter().position(|series| series == definition);
            let place = place.ok_or_else(|| SlurmError::Changed { path: path.clone() })?;
            Ok((place, order.from..order.to))
        };
        orders.iter().map(place).collect()
    }

    /// The games that earlier starts of this task have finished.
    fn played_earlier(&self, series: &[String]) -> Result<HashMap<usize, Vec<Range<u64>>>, LabError> {
        let mut found: HashMap<usize, Vec<Range<u64>>> = HashMap::new();
        for path in self.round.shards_of(self.task)? {
            let mut shard = ShardReader::open(&path, 0)?;
            let mut same_series = false;
            while let Some(content) = shard.read_next()? {
                match content {
                    Content::Heading(heading) => same_series = heading.series == series,
                    Content::Game(game) if same_series => {
                        found.entry(game.series as usize).or_default().push(game.game..game.game + 1);
                    }
                    Content::Game(_) => {}
                }
            }
        }
        found.values_mut().for_each(|games| *games = ranges::united(std::mem::take(games)));
        Ok(found)
    }
}

/// Plays games and appends them to a shard as they finish; how many there were.
fn play_into<S: Series>(
    planned: &[Planned<S>],
    jobs: impl Iterator<Item = (usize, u64)> + Send,
    mut shard: ShardWriter,
    machinery: &Machinery,
) -> Result<u64, LabError>
where
    S::Result: StoredResult,
{
    std::thread::scope(|scope| {
        let (queue, games) = sync_channel::<ShardGame>(QUEUE);
        let writing = scope.spawn(move || shard.write_all(&games));
        let mut failure = None;
        run_jobs(
            machinery,
            Delivery::AsFinished,
            jobs,
            || Bench::new(planned, machinery),
            |bench, (series, game), halt| Some((series, bench.play(series, game, halt)?)),
            |(series, game)| {
                let stored = game
                    .and_then(|game| queue.send(ShardGame::new(series as u32, game)).map_err(|_| LabError::NotStored));
                match stored {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => end_with(error, &mut failure),
                }
            },
        );
        drop(queue);
        // What went wrong at the disk is the cause, and what the players saw of it only the effect.
        let written = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        failure.map_or(Ok(written), Err)
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use afterstate_game::Stop;

    use super::*;
    use crate::slurm::Folder;
    use crate::slurm::work::Games;

    const EXPERIMENT: &str = "name = \"task\"\ngame = \"2048\"\ngames = 9\n[[agents]]\nspec = \"random\"\n";

    struct Shared(PathBuf);

    impl Shared {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("afterstate-task-{}-{name}.slurm", std::process::id())))
        }

        /// A round whose only task plays the first nine games, ordered by this program.
        fn round(&self, change: impl FnOnce(&mut Work)) -> Round {
            let plan = Plan::new(&Experiment::parse(EXPERIMENT, &[]).expect("an experiment"), Path::new(""));
            let games = Games::from([(plan.expect("a plan").definitions().remove(0), vec![0..4, 4..9])]);
            let provenance = Provenance::here("test", 1);
            let session = Session { started: String::new(), provenance, experiment: EXPERIMENT.to_owned() };
            let mut work = Work::new(session, false, &self.0, &games, 100);
            change(&mut work);
            let folder = Folder::open(&self.0).expect("a folder for the test");
            folder.begin_round(&work).expect("a new round")
        }
    }

    impl Drop for Shared {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn run(round: &Round, task: usize) -> Result<TaskEnd, LabError> {
        run_task(&round.path, task, &Machinery { threads: 2, ..Machinery::default() })
    }

    #[test]
    fn a_task_that_starts_again_plays_only_what_its_first_start_did_not_finish() {
        let shared = Shared::new("again");
        let round = shared.round(|_| ());
        assert_eq!(run(&round, 0), Ok(TaskEnd { found: 0, played: 9, left: 0 }));
        assert_eq!(run(&round, 0), Ok(TaskEnd { found: 9, played: 0, left: 0 }));
        let shards = round.shards_of(0).unwrap();
        let bytes = std::fs::read(&shards[0]).unwrap();
        std::fs::write(&shards[0], &bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(run(&round, 0), Ok(TaskEnd { found: 8, played: 1, left: 0 }), "the torn game is played again");
        assert_eq!(round.shards_of(0).unwrap().len(), 2, "and the first shard is left as it was");
        assert_eq!(std::fs::read(&shards[0]).unwrap().len(), bytes.len() - 1);
    }

    #[test]
    fn a_task_that_is_stopped_says_what_is_left() {
        let shared = Shared::new("stopped");
        let round = shared.round(|_| ());
        let stop = Stop::new();
        stop.raise();
        let end = run_task(&round.path, 0, &Machinery { threads: 1, stop, ..Machinery::default() }).unwrap();
        assert_eq!(end.played + end.left, 9);
        assert_eq!(run(&round, 0), Ok(TaskEnd { found: end.played, played: end.left, left: 0 }));
    }

    #[test]
    fn a_task_whose_device_fails_ends_with_it_and_its_next_start_plays_the_games() {
        let shared = Shared::new("device");
        let round = shared.round(|_| ());
        let broken = Machinery { threads: 2, device_failure: || Some("no device".to_owned()), ..Machinery::default() };
        let error = run_task(&round.path, 0, &broken).unwrap_err();
        assert!(
            matches!(&error, LabError::DeviceFailed { who, reason, .. } if who == "random" && reason == "no device")
        );
        assert_eq!(run(&round, 0), Ok(TaskEnd { found: 0, played: 9, left: 0 }));
    }

    #[test]
    fn orders_that_cannot_be_carried_out_are_refused() {
        let shared = Shared::new("refused");
        let round = shared.round(|work| work.series[0] = "another series".to_owned());
        assert!(matches!(run(&round, 0), Err(LabError::Slurm(SlurmError::Changed { .. }))));
        assert!(matches!(run(&round, 1), Err(LabError::Slurm(SlurmError::NoSuchTask { task: 1, tasks: 1, .. }))));
        let round = shared.round(|work| work.session.provenance.commit = "0123456789ab".to_owned());
        let error = run(&round, 0).unwrap_err();
        assert!(error.to_string().contains("(0123456789ab)"), "{error}");
        let round = shared.round(|work| {
            work.session.provenance.commit = "0123456789ab".to_owned();
            work.mixed_programs = true;
        });
        assert_eq!(run(&round, 0), Ok(TaskEnd { found: 0, played: 9, left: 0 }));
        std::fs::write(round.path.join("work.json"), "{}").unwrap();
        assert!(matches!(run(&round, 0), Err(LabError::Slurm(SlurmError::Work { .. }))));
        assert_eq!(shared.round(|_| ()).number, 4, "rounds are numbered on");
    }
}
