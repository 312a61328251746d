//! Small games whose values are known, to test searches with.

pub(crate) mod gamble;
pub(crate) mod tictactoe;

use afterstate_game::{Evaluation, Position};

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
