//! Moves in Aba-Pro notation.
//!
//! An inline move (or a single marble's) is the cell of the rearmost marble and the cell it moves to: `a1b2`, however
//! many marbles go along and whatever they push. A broadside move is one end of the line, the other end, and the
//! destination of the first: `c5c7d6`.
//!
//! Written moves use small letters and begin a broadside with the end from which the line runs 60 or 120 degrees to the
//! left of the direction of the move. Reading accepts capital letters and either end first.

use afterstate_game::Position as _;

use super::{TextError, cells_of};
use crate::{Cell, Manner, Move, Position};

/// Reads a move that is legal in this position.
pub fn read(position: &Position, text: &str) -> Result<Move, TextError> {
    let cells = cells_of(text).ok_or_else(|| TextError::NotAMove(text.to_owned()))?;
    let fits = |mv: Move| match *cells.as_slice() {
        [from, to] => {
            mv.manner() != Manner::Broadside && (mv.ends().0, destination(mv, mv.ends().0)) == (from, Some(to))
        }
        [first, last, to] => {
            let (a, b) = mv.ends();
            mv.manner() == Manner::Broadside
                && ((a, b) == (first, last) || (b, a) == (first, last))
                && destination(mv, first) == Some(to)
        }
        _ => false,
    };
    if !(2..=3).contains(&cells.len()) {
        return Err(TextError::NotAMove(text.to_owned()));
    }
    let mut found = None;
    position.for_each_move(|mv| {
        if found.is_none() && fits(mv) {
            found = Some(mv);
        }
    });
    found.ok_or_else(|| TextError::Illegal(text.to_owned()))
}

fn destination(mv: Move, from: Cell) -> Option<Cell> {
    from.neighbour(mv.direction())
}
