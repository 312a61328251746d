//! Where candidates are judged: alone against chance, or against an opponent.

use std::ops::ControlFlow;

use afterstate_game::{Limits, Player, Stop};
use afterstate_players::{Playable, build};
use serde::{Deserialize, Serialize};

use super::settings::Gain;
use crate::duel::{DuelGame, DuelRun};
use crate::play::Unfinished;
use crate::series::{Series, Tally};
use crate::solo::{Comparison, SoloGame, SoloRun};
use crate::stats::Estimate;
use crate::{LabError, Machinery};

/// What a comparison of a challenger with the champion says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// How many games each of them played.
    pub games: u64,
    /// The challenger's advantage, with its 95% interval: points per game, or Elo.
    pub advantage: Estimate,
    /// Whether the interval lies above zero.
    pub is_better: bool,
}

/// A way to judge candidates.
pub(super) trait Arena: Sync {
    /// Everybody who takes part in a candidate's games.
    type Players;

    /// Makes them for a candidate.
    fn seat(&self, candidate: &str) -> Result<Self::Players, LabError>;

    /// Plays a game and says what it was worth. The same seed and number mean the same chance for every candidate.
    fn judge(&self, players: &mut Self::Players, seed: u64, game: u64, stop: &Stop) -> Result<f64, Unfinished>;

    /// Compares two candidates on the same chance; `None` if it was stopped before it could say anything.
    fn compare(
        &self,
        challenger: &str,
        champion: &str,
        seed: u64,
        games: u64,
        machinery: &Machinery,
    ) -> Result<Option<Confirmation>, LabError>;
}

/// Games of one player: what counts is the score.
pub(super) struct Alone<P> {
    game: std::marker::PhantomData<fn() -> P>,
    limits: Limits,
}

impl<P> Alone<P> {
    pub(super) fn new(limits: Limits) -> Self {
        Self { game: std::marker::PhantomData, limits }
    }
}

impl<P: SoloGame + Playable> Arena for Alone<P> {
    type Players = Box<dyn Player<P>>;

    fn seat(&self, candidate: &str) -> Result<Self::Players, LabError> {
        Ok(build::<P>(candidate)?)
    }

    fn judge(&self, player: &mut Self::Players, seed: u64, game: u64, stop: &Stop) -> Result<f64, Unfinished> {
        let run = SoloRun::<P>::new(String::new(), seed, self.limits);
        Ok(run.play_with(player.as_mut(), game, stop)?.result.score as f64)
    }

    fn compare(
        &self,
        challenger: &str,
        champion: &str,
        seed: u64,
        games: u64,
        machinery: &Machinery,
    ) -> Result<Option<Confirmation>, LabError> {
        let run = |agent| SoloRun::<P>::new(agent, seed, self.limits);
        confirm(&Comparison { runs: [run(challenger), run(champion)] }, games, machinery)
    }
}

/// Games of two players against a fixed opponent.
pub(super) struct Against<P> {
    /// Everything but the candidate, who takes the first place.
    pub(super) run: DuelRun<P>,
    pub(super) gain: Gain,
}

impl<P: DuelGame + Playable> Arena for Against<P> {
    type Players = [Box<dyn Player<P>>; 2];

    fn seat(&self, candidate: &str) -> Result<Self::Players, LabError> {
        Ok([build::<P>(candidate)?, build::<P>(&self.run.agents[1])?])
    }

    fn judge(&self, [a, b]: &mut Self::Players, seed: u64, game: u64, stop: &Stop) -> Result<f64, Unfinished> {
        // The seed also turns the openings, so that every generation meets others.
        let openings = self.run.openings.len() as u64;
        let turn = if openings == 0 { 0 } else { 2 * (seed % openings) };
        let result = self.run.play_with([a.as_mut(), b.as_mut()], turn + game, stop)?.result;
        Ok(match self.gain {
            Gain::Points => f64::from(result.half_points) / 2.0,
            Gain::Marbles => f64::from(result.lost[1]) - f64::from(result.lost[0]),
        })
    }

    fn compare(
        &self,
        challenger: &str,
        champion: &str,
        seed: u64,
        games: u64,
        machinery: &Machinery,
    ) -> Result<Option<Confirmation>, LabError> {
        let agents = [challenger.to_owned(), champion.to_owned()];
        confirm(&DuelRun { agents, seed, ..self.run.clone() }, games.next_multiple_of(8), machinery)
    }
}

/// Plays a series until its headline differs from zero for sure. It is looked at after a quarter, half and all of the
/// games: more looks would find more differences that are none.
fn confirm<S: Series>(series: &S, games: u64, machinery: &Machinery) -> Result<Option<Confirmation>, LabError> {
    let mut decided = false;
    let tally = series.play(games, machinery, |_, tally| {
        let played = tally.games();
        let look = [games / 4, games / 2].contains(&played);
        decided |= look && tally.headline().is_some_and(|estimate| sign(&estimate) != 0);
        if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let Some(advantage) = tally.headline().filter(|_| decided || tally.games() >= games) else { return Ok(None) };
    Ok(Some(Confirmation { games: tally.games(), advantage, is_better: sign(&advantage) > 0 }))
}

/// On which side of zero the whole interval lies; 0 where it does not say.
fn sign(estimate: &Estimate) -> i8 {
    match estimate.interval {
        Some(interval) if interval.low > 0.0 => 1,
        Some(interval) if interval.high < 0.0 => -1,
        _ => 0,
    }
}
