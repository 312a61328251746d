//! A worker's place: the players of the series it last played.

use afterstate_game::Stop;

use super::Planned;
use crate::series::{Recorded, Series, counted};
use crate::{LabError, Machinery};

/// Plays games of several series, one at a time, and keeps the players between games of the same series.
pub(crate) struct Bench<'a, S: Series> {
    planned: &'a [Planned<S>],
    machinery: &'a Machinery,
    seated: Option<(usize, S::Players)>,
}

impl<'a, S: Series> Bench<'a, S> {
    pub(crate) fn new(planned: &'a [Planned<S>], machinery: &'a Machinery) -> Self {
        Self { planned, machinery, seated: None }
    }

    /// Plays one game; `None` if it was stopped before its end.
    pub(crate) fn play(
        &mut self,
        series: usize,
        game: u64,
        halt: &Stop,
    ) -> Option<Result<Recorded<S::Result>, LabError>> {
        let run = &self.planned[series].series;
        let players = match self.seated.take().filter(|(seated, _)| *seated == series) {
            Some((_, players)) => Ok(players),
            // The old players are gone by now: two large tables may not fit beside each other.
            None => run.build(),
        };
        match players {
            Ok(mut players) => {
                let played = counted(run.play_game(&mut players, game, halt), self.machinery, game, || run.who());
                self.seated = Some((series, players));
                played
            }
            Err(error) => Some(Err(error)),
        }
    }
}
