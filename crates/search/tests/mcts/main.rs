//! The laws of Monte Carlo tree search, on small games whose values are known and on the real ones.

mod convergence;
mod gamble;
mod limits;
mod settings;
#[path = "../toys/mod.rs"]
mod toys;

use afterstate_game::{Evaluation, Position};
use toys::tictactoe::{Board, Cell};

/// An evaluation that knows nothing: the end of the game decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blank;

impl<P: Position> Evaluation<P> for Blank {
    fn position(&self, _position: &P) -> f32 {
        0.0
    }

    fn afterstate(&self, _afterstate: &P::Afterstate) -> f32 {
        0.0
    }
}

/// The board after these cells were marked in turn.
pub(crate) fn after(cells: &[u8]) -> Board {
    cells.iter().fold(Board::EMPTY, |board, &cell| board.play_unchecked(Cell(cell)).afterstate.0)
}

/// The result of perfect play for the side to move: 1, 0 or -1.
pub(crate) fn solved(board: &Board) -> i32 {
    if let Some(outcome) = board.outcome() {
        return outcome.sign_for(board.side_to_move());
    }
    board.moves().into_iter().map(|mv| -solved(&board.play_unchecked(mv).afterstate.0)).max().unwrap_or(0)
}
