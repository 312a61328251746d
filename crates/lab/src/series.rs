//! A series: numbered games between the same agents, each fixed by its number.

use std::ops::ControlFlow;

use afterstate_game::Stop;

use crate::executor::{Delivery, run_jobs};
use crate::play::Unfinished;
use crate::stats::{Estimate, Pentanomial};
use crate::{LabError, Machinery};

/// Numbered games between the same agents. Within reproducible limits a game depends on the series and its number alone.
pub trait Series: Sync {
    /// The players that a thread keeps between games.
    type Players;
    /// The figures of one game.
    type Result: Send;
    /// Counts results.
    type Tally: Tally<Self::Result>;

    /// Everything that determines the games, written the same way every time: the identity of the series.
    fn definition(&self) -> String;

    /// Who plays, for people.
    fn who(&self) -> String;

    /// Makes the players.
    fn build(&self) -> Result<Self::Players, LabError>;

    /// Plays one game.
    fn play_game(
        &self,
        players: &mut Self::Players,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<Self::Result>, Unfinished>;

    /// Plays the first `games` games and hands each to `watch` with the tally so far, in the order of their numbers.
    ///
    /// Ends early when `watch` breaks or [`Machinery::stop`] is raised; the tally then holds the games that were
    /// finished.
    fn play(
        &self,
        games: u64,
        machinery: &Machinery,
        watch: impl FnMut(&Recorded<Self::Result>, &Self::Tally) -> ControlFlow<()>,
    ) -> Result<Self::Tally, LabError> {
        let mut tally = Self::Tally::default();
        self.play_into(&mut tally, games, machinery, watch)?;
        Ok(tally)
    }

    /// The same with a tally of the caller's, which holds the games that were finished even where an error ends the run.
    fn play_into(
        &self,
        tally: &mut Self::Tally,
        games: u64,
        machinery: &Machinery,
        mut watch: impl FnMut(&Recorded<Self::Result>, &Self::Tally) -> ControlFlow<()>,
    ) -> Result<(), LabError> {
        // Agents that cannot be built are known before the first thread starts.
        self.build()?;
        let mut failure = None;
        run_jobs(
            machinery,
            Delivery::InOrder,
            0..games,
            || self.build(),
            |players, game, halt| match players {
                Ok(players) => {
                    let played = self.play_game(players, game, halt);
                    counted(played, machinery, game, || self.who())
                }
                Err(error) => Some(Err(error.clone())),
            },
            |result| match result {
                Ok(game) => {
                    tally.add(&game.result);
                    watch(&game, tally)
                }
                Err(error) => end_with(error, &mut failure),
            },
        );
        failure.map_or(Ok(()), Err)
    }
}

/// Counts results of one kind. What it says does not depend on their order, and its size not on their number.
pub trait Tally<R>: Default {
    /// Counts one finished game.
    fn add(&mut self, result: &R);

    /// The number of finished games.
    fn games(&self) -> u64;

    /// The main figure (mean score, mean difference or Elo), by formulas quick enough to be asked after every game.
    fn headline(&self) -> Option<Estimate>;

    /// The main figure as a report says it. With 8 to 5,000 games that takes up to a hundredth of a second.
    fn reported(&self) -> Option<Estimate> {
        self.headline()
    }

    /// Seconds that the players thought, all games and players together.
    fn seconds(&self) -> f64;

    /// Half the width of the 95% interval of the main figure.
    fn half_width(&self) -> Option<f64> {
        self.headline()?.interval.map(|interval| interval.half_width())
    }

    /// Colour-swapped pairs, where the game has them.
    fn pairs(&self) -> Option<Pentanomial> {
        None
    }
}

/// The figures of a game together with the game itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded<R> {
    /// The figures.
    pub result: R,
    /// The whole game in its own record format.
    pub record: String,
}

/// A stopped game is no result; a fault is one that ends the run, and so is a device that has failed. To be asked while the
/// players of the game are there.
pub(crate) fn counted<R>(
    played: Result<R, Unfinished>,
    machinery: &Machinery,
    game: u64,
    who: impl FnOnce() -> String,
) -> Option<Result<R, LabError>> {
    if let Err(error) = check_device((machinery.device_failure)(), game, who) {
        return Some(Err(error));
    }
    match played {
        Ok(result) => Some(Ok(result)),
        Err(Unfinished::Stopped) => None,
        Err(fault) => Some(Err(LabError::from(fault))),
    }
}

/// What was decided in a game, by somebody who may have lost a device meanwhile, counts only if there is no failure.
pub(crate) fn check_device(failure: Option<String>, game: u64, who: impl FnOnce() -> String) -> Result<(), LabError> {
    failure.map_or(Ok(()), |reason| Err(LabError::DeviceFailed { who: who(), game, reason }))
}

/// Keeps the first error of a run, which ends with it. Games that had ended when a device failed are still to be handed over:
/// there the run ends by itself.
pub(crate) fn end_with(error: LabError, failure: &mut Option<LabError>) -> ControlFlow<()> {
    let is_over = matches!(error, LabError::DeviceFailed { .. });
    failure.get_or_insert(error);
    if is_over { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}
