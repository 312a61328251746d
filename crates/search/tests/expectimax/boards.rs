//! Positions of 2048 to test on, and an evaluation of them that tells every two boards apart.

use afterstate_game::{Afterstate as _, Dice, Evaluation, Position as _};
use afterstate_twenty48::{Board, Cell, Slid, State};

/// Every `step`th position of a random game.
pub(crate) fn of_a_random_game(seed: u64, step: usize) -> Vec<State> {
    let mut dice = Dice::seeded(seed);
    let mut position = State::start(&mut dice);
    let mut game = vec![position];
    while let Some(mv) = position.random_move(&mut dice) {
        position = position.play_unchecked(mv).afterstate.draw(&mut dice);
        game.push(position);
    }
    game.pop();
    game.into_iter().step_by(step).collect()
}

/// Large tiles towards one corner, and the rewards on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner;

impl Corner {
    fn judge(board: Board) -> f32 {
        Cell::all().map(|cell| f32::from(board.exponent(cell)) * 1.37f32.powi(cell.index() as i32)).sum()
    }
}

impl Evaluation<State> for Corner {
    const COUNTS_REWARDS: bool = true;

    fn position(&self, position: &State) -> f32 {
        Self::judge(position.0) + 1.0
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        Self::judge(afterstate.0)
    }
}

/// The empty cells and the sum of the tiles: the same for boards that differ by a symmetry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum;

impl Evaluation<State> for Sum {
    fn position(&self, position: &State) -> f32 {
        position.0.count_empty() as f32 + position.0.sum() as f32
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        afterstate.0.count_empty() as f32 * 10.0
    }
}
