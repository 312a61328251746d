//! One game, from its start to its end. Who plays is decided by the position; what it means is left to the callers.

use std::time::{Duration, Instant};

use afterstate_game::{
    Afterstate, Dice, Effort, History, Limits, NoLegalMove, Outcome, PerSide, Player, Position, Side, Stop, Task,
    derive_seed,
};

/// The seeds of one game. Chance has its own stream, and within it every answer its own dice: the n-th answer of chance
/// is the same roll whatever was played before, which is what makes two agents comparable game by game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSeeds {
    game: u64,
}

impl GameSeeds {
    /// The seeds of game number `game` of a pairing.
    #[must_use]
    pub fn new(experiment: u64, pairing: u64, game: u64) -> Self {
        Self { game: derive_seed(experiment, &[pairing, game]) }
    }

    /// The one number that all randomness of the game follows from.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.game
    }

    /// The dice for the start (`0`) and for the answer of chance to the n-th half-move (`n`).
    #[must_use]
    pub fn chance(&self, n: u32) -> Dice {
        Dice::seeded(derive_seed(self.game, &[0, u64::from(n)]))
    }

    /// The seed of the player of one side.
    #[must_use]
    pub fn player(&self, side: Side) -> u64 {
        derive_seed(self.game, &[1, side as u64])
    }
}

/// Every position of a game and the moves between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript<P: Position> {
    /// The position before the first move.
    pub start: P,
    /// The moves in order, each with the position after chance answered.
    pub plies: Vec<(P::Move, P)>,
}

impl<P: Position> Transcript<P> {
    /// The last position.
    #[must_use]
    pub fn end(&self) -> &P {
        self.plies.last().map_or(&self.start, |(_, position)| position)
    }
}

/// What one player spent in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Moves made.
    pub moves: u64,
    /// What the searches counted.
    pub effort: Effort,
    /// Wall-clock time.
    pub time: Duration,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame<P: Position> {
    /// What happened.
    pub transcript: Transcript<P>,
    /// How it ended.
    pub outcome: Outcome,
    /// The points earned.
    pub points: u64,
    /// What the players spent.
    pub spent: PerSide<Spent>,
}

/// The players at the board.
pub enum Seats<'a, P: Position> {
    /// One player makes all moves.
    One(&'a mut dyn Player<P>),
    /// One player for each side, in the order of [`Side::BOTH`].
    Two([&'a mut dyn Player<P>; 2]),
}

impl<P: Position> Seats<'_, P> {
    fn at(&mut self, side: Side) -> &mut dyn Player<P> {
        match self {
            Self::One(player) => *player,
            Self::Two(players) => players[side as usize],
        }
    }

    fn start_game(&mut self, seeds: GameSeeds) {
        match self {
            Self::One(player) => player.start_game(seeds.player(Side::First)),
            Self::Two(players) => {
                players.iter_mut().zip(Side::BOTH).for_each(|(player, side)| player.start_game(seeds.player(side)));
            }
        }
    }
}

/// Why a game has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// It was stopped from outside.
    #[error("the game was stopped before its end")]
    Stopped,
    /// A match without a position to start from.
    #[error("a match needs at least one opening")]
    NoOpening,
    /// A player made no legal move, which is a fault of its program: the game counts for nobody.
    #[error("the player of the {side:?} side made no legal move in {position}")]
    NoLegalMove {
        /// Whose turn it was.
        side: Side,
        /// The position in which it happened.
        position: String,
    },
}

/// Plays a game to its end.
pub fn play<P: Position>(
    mut history: History<P>,
    mut seats: Seats<'_, P>,
    seeds: GameSeeds,
    limits: Limits,
    stop: &Stop,
) -> Result<FinishedGame<P>, Unfinished> {
    let mut transcript = Transcript { start: history.position().clone(), plies: Vec::new() };
    let mut points = 0;
    let mut spent = PerSide::<Spent>::default();
    seats.start_game(seeds);
    let outcome = loop {
        if let Some(outcome) = history.outcome() {
            break outcome;
        }
        let side = history.position().side_to_move();
        let started = Instant::now();
        let task = Task { history: &history, limits, stop, observer: &mut |_| {} };
        let decision = seats.at(side).decide(task);
        if stop.is_raised() {
            return Err(Unfinished::Stopped);
        }
        let at_fault = || Unfinished::NoLegalMove { side, position: format!("{:?}", history.position()) };
        let decision = decision.map_err(|NoLegalMove| at_fault())?;
        spent[side] += Spent { moves: 1, effort: decision.effort, time: started.elapsed() };
        let played = history.position().play(decision.best).map_err(|_| at_fault())?;
        let next = played.afterstate.draw(&mut seeds.chance(history.ply() + 1));
        points += u64::from(played.reward);
        history.push(decision.best, next.clone());
        transcript.plies.push((decision.best, next));
    };
    Ok(FinishedGame { transcript, outcome, points, spent })
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.effort += other.effort;
        self.time += other.time;
    }
}
