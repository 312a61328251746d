//! Positions, moves and the answers of chance.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::{Dice, Outcome, Side};

/// A moment at which one side has to choose a move.
///
/// Positions are small values: a search copies them instead of taking moves back. Two positions are equal exactly when
/// the same moves, answers and outcomes can follow; how they were reached is the business of [`crate::History`].
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// A choice of the side to move.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;
    /// The moment after the move and before the world's answer.
    type Afterstate: Afterstate<Position = Self>;

    /// How many sides play: 1 or 2.
    const SIDES: u8;

    /// How many candidate moves have to be tried in every position to find the legal ones, where that number is fixed
    /// (the four directions of 2048); 0 where it is not. Searches count the moves they try by it.
    const CANDIDATES: u32 = 0;

    /// The side that has to move. Of two sides each moves in turn: who must pass has a move that does.
    fn side_to_move(&self) -> Side;

    /// How the game ended, or `None` while it goes on, which is as long as there is a legal move. Draws by repetition or
    /// length are not seen here: they depend on the [`crate::History`].
    fn outcome(&self) -> Option<Outcome>;

    /// Visits every legal move once. A finished game has none.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));

    /// The position after a *legal* move. With an illegal one the result is unspecified (but memory-safe).
    fn play_unchecked(&self, mv: Self::Move) -> Played<Self>;

    /// A 64-bit hash: equal for equal positions, and different for different ones up to chance collisions. Tables take it
    /// for the position itself and find its place by the highest bits, so all bits should be well mixed.
    fn key(&self) -> u64;

    /// Whether no later position can equal an earlier one once this legal move is played (an ejection in Abalone, every
    /// move in 2048). Repetitions are only looked for since the last such move.
    fn is_irreversible(&self, mv: Self::Move) -> bool;

    /// The side that is ahead by the game's own count, used when a game is cut at a ply limit.
    fn leader(&self) -> Option<Side>;

    /// Visits every legal move once, in the order of [`Self::for_each_move`], with what it leads to. A game that finds its
    /// legal moves by playing them overrides this, so that no move is played twice.
    #[inline]
    fn for_each_play(&self, mut visit: impl FnMut(Self::Move, Played<Self>)) {
        self.for_each_move(|mv| visit(mv, self.play_unchecked(mv)));
    }

    /// Whether `mv` may be played here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut found = false;
        self.for_each_move(|legal| found |= legal == mv);
        found
    }

    /// All legal moves, for callers that do not count nanoseconds.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// The number of legal moves.
    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// A legal move drawn uniformly, or `None` if the game is over.
    fn random_move(&self, dice: &mut Dice) -> Option<Self::Move> {
        let count = self.count_moves() as u32;
        if count == 0 {
            return None;
        }
        let mut skip = dice.below(count);
        let mut chosen = None;
        self.for_each_move(|mv| {
            if skip == 0 && chosen.is_none() {
                chosen = Some(mv);
            } else {
                skip = skip.saturating_sub(1);
            }
        });
        chosen
    }

    /// Plays a move after checking it.
    fn play(&self, mv: Self::Move) -> Result<Played<Self>, IllegalMove<Self::Move>> {
        if self.is_legal(mv) { Ok(self.play_unchecked(mv)) } else { Err(IllegalMove(mv)) }
    }
}

/// What a move led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<P: Position> {
    /// The moment before the world's answer.
    pub afterstate: P::Afterstate,
    /// The points the move earned; always 0 in a game without points.
    pub reward: u32,
}

/// The move is not legal in the position it was played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move {0} is not legal here")]
pub struct IllegalMove<M: Debug + Display>(pub M);

/// The moment after a move, when the world answers.
pub trait Afterstate: Clone + Eq + Debug + Send + Sync + 'static {
    /// The positions the answers lead to.
    type Position: Position<Afterstate = Self>;

    /// Whether there is more than one possible answer in this game. Searches leave chance nodes out where there is not.
    const HAS_CHANCE: bool;

    /// Visits every answer with its probability. The probabilities are positive and sum to 1.
    fn for_each_answer(&self, visit: impl FnMut(Self::Position, f32));

    /// Draws an answer with its probability.
    fn draw(&self, dice: &mut Dice) -> Self::Position;

    /// A 64-bit hash, with the meaning of [`Position::key`].
    fn key(&self) -> u64;
}

/// The afterstate of a game without chance: the next position is already settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settled<P>(pub P);

impl<P: Position<Afterstate = Self>> Afterstate for Settled<P> {
    type Position = P;
    const HAS_CHANCE: bool = false;

    #[inline]
    fn for_each_answer(&self, mut visit: impl FnMut(P, f32)) {
        visit(self.0.clone(), 1.0);
    }

    #[inline]
    fn draw(&self, _dice: &mut Dice) -> P {
        self.0.clone()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.0.key()
    }
}
