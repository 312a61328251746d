//! Evaluations that need no table and have no weights.

use afterstate_game::Evaluation;

use crate::{Board, Direction, Slid, State};

/// The number of empty cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Empty;

/// Nothing but the points earned on the way: a search with it maximises the score within its horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score;

/// The points earned on the way and the points of the best next slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Greedy;

impl Evaluation<State> for Empty {
    #[inline]
    fn position(&self, position: &State) -> f32 {
        position.0.count_empty() as f32
    }

    #[inline]
    fn afterstate(&self, afterstate: &Slid) -> f32 {
        afterstate.0.count_empty() as f32
    }
}

impl Evaluation<State> for Score {
    const COUNTS_REWARDS: bool = true;

    #[inline]
    fn position(&self, _position: &State) -> f32 {
        0.0
    }

    #[inline]
    fn afterstate(&self, _afterstate: &Slid) -> f32 {
        0.0
    }
}

impl Evaluation<State> for Greedy {
    const COUNTS_REWARDS: bool = true;

    #[inline]
    fn position(&self, position: &State) -> f32 {
        best_reward(position.0)
    }

    /// Judges the board as if no tile appeared.
    #[inline]
    fn afterstate(&self, afterstate: &Slid) -> f32 {
        best_reward(afterstate.0)
    }
}

/// The most points one slide can earn. Opposite slides merge the same tiles.
#[inline]
fn best_reward(board: Board) -> f32 {
    board.slide(Direction::Left).reward.max(board.slide(Direction::Up).reward) as f32
}
