//! Games for one player against chance.

mod compare;
mod tally;

use std::marker::PhantomData;

use afterstate_game::{Dice, History, Limits, Player, Position, Side, Stop};
use afterstate_players::{Playable, build};

pub use compare::{Comparison, ComparisonSummary, ComparisonTally};
pub use tally::{SoloSummary, SoloTally, TILES, TileRate};
pub(crate) use tally::{per_second, ratio};

use crate::LabError;
use crate::definition;
use crate::play::{GameSeeds, Seats, Spent, Transcript, Unfinished, play};
use crate::series::{Recorded, Series};

/// A game for one player that the laboratory can play.
pub trait SoloGame: Position {
    /// A position from which a game starts.
    fn start(dice: &mut Dice) -> Self;

    /// The largest tile on the board.
    fn largest_tile(&self) -> u32;

    /// The game in the record format of its own room.
    fn record(transcript: &Transcript<Self>, agent: &str, seeds: GameSeeds) -> String;
}

/// The figures of one finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoloResult {
    /// The number of the game.
    pub game: u64,
    /// The points.
    pub score: u64,
    /// The largest tile reached.
    pub largest_tile: u32,
    /// What the player spent.
    pub spent: Spent,
}

/// Many games of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoloRun<P> {
    /// The agent's spec.
    pub agent: String,
    /// The seed that fixes the chance of every game.
    pub seed: u64,
    /// Limits on top of the agent's own.
    pub limits: Limits,
    game: PhantomData<P>,
}

impl<P> SoloRun<P> {
    /// Games of `agent` with the chance of `seed`.
    pub fn new(agent: impl Into<String>, seed: u64, limits: Limits) -> Self {
        Self { agent: agent.into(), seed, limits, game: PhantomData }
    }
}

impl<P: SoloGame> SoloRun<P> {
    /// Plays one game with this player. Its chance depends on the seed and the number alone, never on the player.
    pub fn play_with(
        &self,
        player: &mut dyn Player<P>,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<SoloResult>, Unfinished> {
        let seeds = GameSeeds::new(self.seed, 0, game);
        let history = History::new(P::start(&mut seeds.chance(0)));
        let finished = play(history, Seats::One(player), seeds, self.limits, stop)?;
        let result = SoloResult {
            game,
            score: finished.points,
            largest_tile: finished.transcript.end().largest_tile(),
            spent: finished.spent[Side::First],
        };
        Ok(Recorded { result, record: P::record(&finished.transcript, &self.agent, seeds) })
    }
}

impl<P: SoloGame + Playable> Series for SoloRun<P> {
    type Players = Box<dyn Player<P>>;
    type Result = SoloResult;
    type Tally = SoloTally;

    fn definition(&self) -> String {
        definition::solo::<P>(&self.agent, self.seed, &self.limits)
    }

    fn who(&self) -> String {
        self.agent.clone()
    }

    fn build(&self) -> Result<Self::Players, LabError> {
        Ok(build::<P>(&self.agent)?)
    }

    fn play_game(
        &self,
        player: &mut Self::Players,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<SoloResult>, Unfinished> {
        self.play_with(player.as_mut(), game, stop)
    }
}
