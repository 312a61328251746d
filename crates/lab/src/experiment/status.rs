//! Running a plan, looking at it while it runs, and estimating it before.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use afterstate_game::Stop;
use serde::Serialize;

use super::{Experiment, Plan, Planned, PlannedGames, Progress, StopRule, run_planned, stored_tally};
use crate::series::{Series, Tally};
use crate::stats::Estimate;
use crate::store::{Session, SessionId, Store, StoredResult};
use crate::{DecisionResult, DuelResult, LabError, Machinery, Provenance, SoloResult};

/// How far one row of an experiment is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowStatus {
    /// Its name.
    pub name: String,
    /// Games that count.
    pub games: u64,
    /// The most games it can have; all of them if their number is fixed.
    pub max_games: u64,
    /// Whether it has all the games it needs.
    pub complete: bool,
    /// The main figure so far: mean score or Elo.
    pub headline: Option<Estimate>,
}

/// How far an experiment is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Its rows.
    pub rows: Vec<RowStatus>,
    /// Stored series that do not belong to the experiment as it is now; they are kept and not counted.
    pub other_series: usize,
    /// The runs that wrote to the store.
    pub sessions: Vec<Session>,
}

/// How far a run is; cheap to make, so that it can be shown or ignored after every game.
pub struct RunProgress<'a> {
    /// The number of the row whose game has just finished.
    pub row: usize,
    /// Games that this run has played.
    pub played: u64,
    /// Games still to be played; `None` if a stopping rule will decide that.
    pub left: Option<u64>,
    rows: &'a dyn Fn() -> Vec<RowStatus>,
}

impl RunProgress<'_> {
    /// How far every row is.
    #[must_use]
    pub fn rows(&self) -> Vec<RowStatus> {
        (self.rows)()
    }
}

/// Whether games of different versions of the program may be counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixing {
    /// Refuse to go on with results of another version.
    Refused,
    /// Go on; the report names all versions.
    Allowed,
}

/// What a row will cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeEstimate {
    /// Its name.
    pub name: String,
    /// Games still to be played, at most.
    pub games_left: u64,
    /// Seconds of one thread per game; at least this if [`Self::is_lower_bound`].
    pub seconds_per_game: f64,
    /// Whether the trial game did not end in the time it was given.
    pub is_lower_bound: bool,
}

fn row_status<R, T: Tally<R>>(name: &str, stop: StopRule, tally: &T, complete: bool) -> RowStatus {
    RowStatus {
        name: name.to_owned(),
        games: tally.games(),
        max_games: stop.max_games(),
        complete,
        headline: tally.headline(),
    }
}

impl Experiment {
    /// Where its results are kept if nothing else is said.
    #[must_use]
    pub fn default_store(&self) -> PathBuf {
        PathBuf::from("results").join(format!("{}.db", self.results.as_ref().unwrap_or(&self.name)))
    }
}

impl Plan {
    /// Plays what is missing and stores it; see [`run_planned`]. Says whether all games are there in the end, and how many
    /// were stored.
    pub fn run(
        &self,
        experiment: &Experiment,
        store: &mut Store,
        provenance: &Provenance,
        mixing: Mixing,
        machinery: &Machinery,
        watch: impl FnMut(&RunProgress<'_>) -> ControlFlow<()>,
    ) -> Result<(bool, u64), LabError> {
        if mixing == Mixing::Refused {
            check_program(store, provenance)?;
        }
        let session = store.begin_session(provenance, &experiment.resolved())?;
        match &self.games {
            PlannedGames::Solo(planned) => self.run_series(planned, store, session, machinery, watch),
            PlannedGames::Duel(planned) => self.run_series(planned, store, session, machinery, watch),
            PlannedGames::Decision(planned) => self.run_series(planned, store, session, machinery, watch),
        }
    }

    fn run_series<S: Series>(
        &self,
        planned: &[Planned<S>],
        store: &mut Store,
        session: SessionId,
        machinery: &Machinery,
        watch: impl FnMut(&RunProgress<'_>) -> ControlFlow<()>,
    ) -> Result<(bool, u64), LabError>
    where
        S::Result: StoredResult + Clone,
    {
        let end = run_planned(planned, store, session, machinery, self.watched(planned, watch))?;
        Ok((end.complete, end.stored))
    }

    fn watched<S: Series>(
        &self,
        planned: &[Planned<S>],
        mut watch: impl FnMut(&RunProgress<'_>) -> ControlFlow<()>,
    ) -> impl FnMut(&Progress<'_, S::Result, S::Tally>) -> ControlFlow<()>
    where
        S::Result: StoredResult,
    {
        move |progress| {
            let rows = || {
                (self.rows.iter().zip(planned).zip(progress.tallies()))
                    .map(|((row, planned), (tally, complete))| row_status(&row.name, planned.stop, tally, complete))
                    .collect()
            };
            watch(&RunProgress { row: progress.series, played: progress.played, left: progress.left(), rows: &rows })
        }
    }

    /// How far the experiment is, also while it runs.
    pub fn status(&self, store: &Store) -> Result<Status, LabError> {
        let (rows, stored) = match &self.games {
            PlannedGames::Solo(planned) => (self.row_statuses(planned, store)?, store.all_series::<SoloResult>()?),
            PlannedGames::Duel(planned) => (self.row_statuses(planned, store)?, store.all_series::<DuelResult>()?),
            PlannedGames::Decision(planned) => {
                (self.row_statuses(planned, store)?, store.all_series::<DecisionResult>()?)
            }
        };
        let own = self.definitions();
        let other_series = stored.iter().filter(|series| !own.contains(&series.definition)).count();
        Ok(Status { rows, other_series, sessions: store.sessions()? })
    }

    fn row_statuses<S: Series>(&self, planned: &[Planned<S>], store: &Store) -> Result<Vec<RowStatus>, LabError>
    where
        S::Result: StoredResult,
    {
        let mut rows = Vec::new();
        for (row, Planned { series, stop }) in self.rows.iter().zip(planned) {
            let (tally, complete) = match store.find_series(&series.definition())? {
                Some(id) => stored_tally::<S::Result, S::Tally>(store, id, *stop)?,
                None => (S::Tally::default(), false),
            };
            rows.push(row_status(&row.name, *stop, &tally, complete));
        }
        Ok(rows)
    }

    fn definitions(&self) -> Vec<String> {
        match &self.games {
            PlannedGames::Solo(planned) => planned.iter().map(|planned| planned.series.definition()).collect(),
            PlannedGames::Duel(planned) => planned.iter().map(|planned| planned.series.definition()).collect(),
            PlannedGames::Decision(planned) => planned.iter().map(|planned| planned.series.definition()).collect(),
        }
    }

    /// What the rest of the experiment will cost: the first game of every row is played for at most `patience`.
    pub fn estimate(&self, store: Option<&Store>, patience: Duration) -> Result<Vec<TimeEstimate>, LabError> {
        let status = store.map(|store| self.status(store)).transpose()?;
        let played = |index: usize| {
            let row = status.as_ref().map(|status| &status.rows[index]);
            row.map_or(0, |row| if row.complete { row.max_games } else { row.games })
        };
        match &self.games {
            PlannedGames::Solo(planned) => self.estimates(planned, played, patience),
            PlannedGames::Duel(planned) => self.estimates(planned, played, patience),
            PlannedGames::Decision(planned) => self.estimates(planned, played, patience),
        }
    }

    fn estimates<S: Series>(
        &self,
        planned: &[Planned<S>],
        played: impl Fn(usize) -> u64,
        patience: Duration,
    ) -> Result<Vec<TimeEstimate>, LabError> {
        let mut estimates = Vec::new();
        for (index, (row, Planned { series, stop })) in self.rows.iter().zip(planned).enumerate() {
            let mut players = series.build()?;
            let stop_flag = Stop::new();
            let started = Instant::now();
            let finished = std::thread::scope(|scope| {
                let (done, waiting) = std::sync::mpsc::channel::<()>();
                let alarm = stop_flag.clone();
                scope.spawn(move || {
                    // Either the game ends and hangs up, or the time is over.
                    let _ = waiting.recv_timeout(patience);
                    alarm.raise();
                });
                let finished = series.play_game(&mut players, 0, &stop_flag).is_ok();
                drop(done);
                finished
            });
            estimates.push(TimeEstimate {
                name: row.name.clone(),
                games_left: stop.max_games().saturating_sub(played(index)),
                seconds_per_game: started.elapsed().as_secs_f64(),
                is_lower_bound: !finished,
            });
        }
        Ok(estimates)
    }
}

fn check_program(store: &Store, provenance: &Provenance) -> Result<(), LabError> {
    let sessions = store.sessions()?;
    match sessions.iter().find(|session| !session.provenance.same_program(provenance)) {
        Some(other) => Err(LabError::MixedPrograms {
            stored: format!("{} ({})", other.provenance.program, other.provenance.commit),
            running: format!("{} ({})", provenance.program, provenance.commit),
        }),
        None => Ok(()),
    }
}
