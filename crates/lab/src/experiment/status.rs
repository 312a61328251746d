//! Running a plan, looking at it while it runs, and estimating it before.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use afterstate_game::Stop;
use serde::Serialize;

use super::{Experiment, Plan, Planned, PlannedGames, Progress, SeriesKind, StopRule, run_planned, stored_tally};
use crate::series::{Series, Tally, check_device};
use crate::stats::Estimate;
use crate::store::{Session, SessionId, Store, StoredResult, StoredSeries};
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
    /// Whether the number of games was fixed beforehand; otherwise a stopping rule decides.
    pub fixed: bool,
    /// The main figure so far: mean score or Elo. In a [`Status`] as the report says it, while games are played by quicker
    /// formulas.
    pub headline: Option<Estimate>,
    /// Seconds that the players think in one game, on the mean so far.
    pub seconds_per_game: Option<f64>,
}

impl RowStatus {
    /// Seconds of one thread that the missing games will take: at most, where a rule may end them earlier. `None` while no
    /// game has been played.
    #[must_use]
    pub fn seconds_left(&self) -> Option<f64> {
        if self.complete {
            return Some(0.0);
        }
        self.seconds_per_game.map(|seconds| seconds * self.max_games.saturating_sub(self.games) as f64)
    }
}

/// How far an experiment is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Its rows.
    pub rows: Vec<RowStatus>,
    /// Stored series that do not belong to the experiment as it is now; they are kept and not counted.
    pub other_series: usize,
    /// The runs that played its games, oldest first.
    pub sessions: Vec<Session>,
}

/// How far a run is; cheap to make, so that it can be shown or ignored after every game.
pub struct RunProgress<'a> {
    /// The number of the row whose game has just finished.
    pub row: usize,
    /// The record of that game.
    pub record: &'a str,
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
    /// Whether their number is fixed; otherwise a stopping rule may end them earlier.
    pub fixed: bool,
    /// Seconds of one thread per game; at least this if [`Self::is_lower_bound`].
    pub seconds_per_game: f64,
    /// Whether the trial game did not end in the time it was given.
    pub is_lower_bound: bool,
}

/// Whether the main figures of rows are asked for; where nobody looks at them they are not worth their time.
#[derive(Clone, Copy)]
enum MainFigure {
    Reported,
    LeftOut,
}

fn row_status<R, T: Tally<R>>(
    name: &str,
    stop: StopRule,
    tally: &T,
    complete: bool,
    headline: Option<Estimate>,
) -> RowStatus {
    let games = tally.games();
    RowStatus {
        name: name.to_owned(),
        games,
        max_games: stop.max_games(),
        complete,
        fixed: stop.is_fixed(),
        headline,
        seconds_per_game: (games > 0).then(|| tally.seconds() / games as f64),
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
    /// Plays what is missing and stores it; see [`run_planned`]. Says whether all games of [`Machinery::part`] are there in the
    /// end, and how many were stored.
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
            check_program(&self.sessions(store)?, provenance)?;
        }
        if self.is_played(store, machinery.part)? {
            // A run without games leaves no trace: tables go on to name the commands that played them.
            return Ok((true, 0));
        }
        let session = store.begin_session(provenance, &self.resolved(experiment))?;
        let (complete, stored) = match &self.games {
            PlannedGames::Solo(planned) => self.run_series(planned, store, session, machinery, watch),
            PlannedGames::Duel(planned) => self.run_series(planned, store, session, machinery, watch),
            PlannedGames::Decision(planned) => self.run_series(planned, store, session, machinery, watch),
        }?;
        Ok((complete || self.is_played(store, machinery.part)?, stored))
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
                    .map(|((row, planned), (tally, max_games, complete))| RowStatus {
                        max_games,
                        ..row_status(&row.name, planned.stop, tally, complete, tally.headline())
                    })
                    .collect()
            };
            watch(&RunProgress {
                row: progress.series,
                record: &progress.game.record,
                played: progress.played,
                left: progress.left(),
                rows: &rows,
            })
        }
    }

    /// How far the experiment is, also while it runs.
    pub fn status(&self, store: &Store) -> Result<Status, LabError> {
        let stored = match self.games.kind() {
            SeriesKind::Solo => store.all_series::<SoloResult>()?,
            SeriesKind::Duel => store.all_series::<DuelResult>()?,
            SeriesKind::Decision => store.all_series::<DecisionResult>()?,
        };
        let own = self.definitions();
        let is_other = |series: &&StoredSeries| series.games > 0 && !own.contains(&series.definition);
        let other_series = stored.iter().filter(is_other).count();
        Ok(Status {
            rows: self.rows_so_far(store, MainFigure::Reported)?,
            other_series,
            sessions: self.sessions(store)?,
        })
    }

    /// What every row has in the store.
    fn rows_so_far(&self, store: &Store, figure: MainFigure) -> Result<Vec<RowStatus>, LabError> {
        match &self.games {
            PlannedGames::Solo(planned) => self.row_statuses(planned, store, figure),
            PlannedGames::Duel(planned) => self.row_statuses(planned, store, figure),
            PlannedGames::Decision(planned) => self.row_statuses(planned, store, figure),
        }
    }

    /// The runs that played games of this plan, oldest first.
    pub fn sessions(&self, store: &Store) -> Result<Vec<Session>, LabError> {
        let mut series = Vec::new();
        for definition in self.definitions() {
            series.extend(store.find_series(&definition)?);
        }
        Ok(match self.games.kind() {
            SeriesKind::Solo => store.sessions_of::<SoloResult>(&series)?,
            SeriesKind::Duel => store.sessions_of::<DuelResult>(&series)?,
            SeriesKind::Decision => store.sessions_of::<DecisionResult>(&series)?,
        })
    }

    fn row_statuses<S: Series>(
        &self,
        planned: &[Planned<S>],
        store: &Store,
        figure: MainFigure,
    ) -> Result<Vec<RowStatus>, LabError>
    where
        S::Result: StoredResult,
    {
        let mut rows = Vec::new();
        for (row, Planned { series, stop }) in self.rows.iter().zip(planned) {
            let (tally, complete) = match store.find_series(&series.definition())? {
                Some(id) => stored_tally::<S::Result, S::Tally>(store, id, *stop)?,
                None => (S::Tally::default(), false),
            };
            let headline = match figure {
                MainFigure::Reported => tally.reported(),
                MainFigure::LeftOut => None,
            };
            rows.push(row_status(&row.name, *stop, &tally, complete, headline));
        }
        Ok(rows)
    }

    /// The definitions of its series, row by row.
    pub(crate) fn definitions(&self) -> Vec<String> {
        match &self.games {
            PlannedGames::Solo(planned) => planned.iter().map(|planned| planned.series.definition()).collect(),
            PlannedGames::Duel(planned) => planned.iter().map(|planned| planned.series.definition()).collect(),
            PlannedGames::Decision(planned) => planned.iter().map(|planned| planned.series.definition()).collect(),
        }
    }

    /// What the rest of the experiment will cost, by the games that are stored; where there are none, the first game is
    /// played for at most `patience`.
    pub fn estimate(&self, store: Option<&Store>, patience: Duration) -> Result<Vec<TimeEstimate>, LabError> {
        let known = store.map(|store| self.rows_so_far(store, MainFigure::LeftOut)).transpose()?;
        match &self.games {
            PlannedGames::Solo(planned) => self.estimates(planned, known.as_deref(), patience),
            PlannedGames::Duel(planned) => self.estimates(planned, known.as_deref(), patience),
            PlannedGames::Decision(planned) => self.estimates(planned, known.as_deref(), patience),
        }
    }

    fn estimates<S: Series>(
        &self,
        planned: &[Planned<S>],
        known: Option<&[RowStatus]>,
        patience: Duration,
    ) -> Result<Vec<TimeEstimate>, LabError> {
        let mut estimates = Vec::new();
        for (index, (row, Planned { series, stop })) in self.rows.iter().zip(planned).enumerate() {
            let status = known.map(|rows| &rows[index]);
            let played = status.map_or(0, |row| if row.complete { row.max_games } else { row.games });
            let (seconds_per_game, finished) = match status.and_then(|row| row.seconds_per_game) {
                Some(seconds) => (seconds, true),
                None => trial(series, patience)?,
            };
            estimates.push(TimeEstimate {
                name: row.name.clone(),
                games_left: stop.max_games().saturating_sub(played),
                fixed: stop.is_fixed(),
                seconds_per_game,
                is_lower_bound: !finished,
            });
        }
        Ok(estimates)
    }
}

/// Plays the first game of a series for at most `patience`: the seconds it took, and whether it ended.
fn trial<S: Series>(series: &S, patience: Duration) -> Result<(f64, bool), LabError> {
    let mut players = series.build()?;
    let stop = Stop::new();
    let started = Instant::now();
    let finished = std::thread::scope(|scope| {
        let (done, waiting) = std::sync::mpsc::channel::<()>();
        let alarm = stop.clone();
        scope.spawn(move || {
            // Either the game ends and hangs up, or the time is over.
            let _ = waiting.recv_timeout(patience);
            alarm.raise();
        });
        let finished = series.play_game(&mut players, 0, &stop).is_ok();
        drop(done);
        finished
    });
    check_device(afterstate_players::device_failure(), 0, || series.who())?;
    Ok((started.elapsed().as_secs_f64(), finished))
}

/// Refuses to count games of another version together with those of this one.
pub(crate) fn check_program(sessions: &[Session], provenance: &Provenance) -> Result<(), LabError> {
    match sessions.iter().find(|session| !session.provenance.same_program(provenance)) {
        Some(other) => {
            Err(LabError::MixedPrograms { stored: other.provenance.version(), running: provenance.version() })
        }
        None => Ok(()),
    }
}
