//! Moves in Aba-Pro notation.
//!
//! An inline move (or a single marble's) is the cell of the rearmost marble and the cell it moves to: `a1b2`, however
//! many marbles go along and whatever they push. A broadside move is one end of the line, the other end, and the
//! destination of the first: `c5c7d6`.
//!
//! Written moves use small letters, and of the two ends of a broadside line that one comes first from which the line
//! runs to the left of the direction of the move. Reading accepts capital letters and either end first.

use afterstate_game::Position as _;

use super::{TextError, cells_of};
use crate::{Cell, Manner, Move, Position};

/// Writes a move.
#[must_use]
pub fn write(mv: Move) -> String {
    mv.to_string()
}

/// Reads a move that is legal in this position.
pub fn read(position: &Position, text: &str) -> Result<Move, TextError> {
    let cells = cells_of(text).filter(|cells| (2..=3).contains(&cells.len()));
    let cells = cells.ok_or_else(|| TextError::NotAMove(text.to_owned()))?;
    let mut found = None;
    position.for_each_move(|mv| {
        if reads_as(mv, &cells) {
            found = Some(mv);
        }
    });
    found.ok_or_else(|| TextError::Illegal(text.to_owned()))
}

fn reads_as(mv: Move, cells: &[Cell]) -> bool {
    let (a, b) = mv.ends();
    match *cells {
        [from, to] => mv.manner() != Manner::Broadside && from == a && to == mv.destination(a),
        [first, last, to] => {
            mv.manner() == Manner::Broadside
                && ((first, last) == (a, b) || (first, last) == (b, a))
                && to == mv.destination(first)
        }
        _ => false,
    }
}
