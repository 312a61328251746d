//! Games for one player against chance: one agent plays many games.

mod tally;

use std::ops::ControlFlow;

use afterstate_game::{Dice, History, Limits, Player, Position, Side, Stop};
use afterstate_players::{Playable, build};

pub use tally::{SoloSummary, SoloTally, TILES, TileRate};
pub(crate) use tally::{per_second, ratio};

use crate::executor::run_fallible;
use crate::play::{GameSeeds, Seats, Spent, Transcript, Unfinished, counted, play};
use crate::{LabError, Machinery};

/// A game for one player that the laboratory can play.
pub trait SoloGame: Position {
    /// A position from which a game starts.
    fn start(dice: &mut Dice) -> Self;

    /// The largest tile on the board.
    fn largest_tile(&self) -> u32;

    /// The game in the record format of its own room.
    fn record(transcript: &Transcript<Self>) -> String;
}

/// One finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoloResult {
    /// The number of the game.
    pub game: u64,
    /// The points.
    pub score: u64,
    /// The largest tile reached.
    pub largest_tile: u32,
    /// What the player spent.
    pub spent: Spent,
    /// The whole game in the game's record format.
    pub record: String,
}

/// Plays game number `game`. Its chance depends on the seed and the number alone, never on the player.
pub fn play_solo<P: SoloGame>(
    player: &mut dyn Player<P>,
    seed: u64,
    game: u64,
    limits: Limits,
    stop: &Stop,
) -> Result<SoloResult, Unfinished> {
    let seeds = GameSeeds::new(seed, 0, game);
    let history = History::new(P::start(&mut seeds.chance(0)));
    let finished = play(history, Seats::One(player), seeds, limits, stop)?;
    Ok(SoloResult {
        game,
        score: finished.points,
        largest_tile: finished.transcript.end().largest_tile(),
        spent: finished.spent[Side::First],
        record: P::record(&finished.transcript),
    })
}

/// Many games of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoloRun {
    /// The agent's spec.
    pub agent: String,
    /// The number of games.
    pub games: u64,
    /// The seed that fixes the chance of every game.
    pub seed: u64,
    /// Limits on top of the agent's own.
    pub limits: Limits,
}

impl SoloRun {
    /// Plays all games and hands each to `watch` with the tally so far, in the order of their numbers. Ends early when
    /// `watch` breaks or [`Machinery::stop`] is raised; the tally then holds the games that were finished.
    pub fn play<P: SoloGame + Playable>(
        &self,
        machinery: &Machinery,
        mut watch: impl FnMut(&SoloResult, &SoloTally) -> ControlFlow<()>,
    ) -> Result<SoloTally, LabError> {
        // An agent that cannot be built is known before the first thread starts.
        build::<P>(&self.agent)?;
        let mut tally = SoloTally::default();
        run_fallible(
            machinery,
            0..self.games,
            || build::<P>(&self.agent).map_err(LabError::from),
            |player, game, halt| counted(play_solo(player.as_mut(), self.seed, game, self.limits, halt)),
            |result| {
                tally.add(&result);
                watch(&result, &tally)
            },
        )?;
        Ok(tally)
    }
}
