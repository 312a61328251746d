//! Moves in Nacre notation: the cell of the first marble and the destination of the last own one.
//!
//! Along a line the first marble is the rearmost: three marbles from `a1` to `c3` that move north-east are `a1d4`. In a
//! broadside move the first is the end at which the line runs 60 degrees off the direction of the move: `c3c5d4` in
//! Aba-Pro is `c3d6`. From the other end two marbles would always read like one that is free to move, and three like
//! two; so that end is never meant, and no two legal moves read alike.

use afterstate_game::Position as _;

use super::{TextError, cells_of};
use crate::{Cell, Move, Position};

/// Writes a move.
#[must_use]
pub fn write(mv: Move) -> String {
    let (from, to) = cells(mv);
    format!("{from}{to}")
}

/// Reads a move that is legal in this position.
pub fn read(position: &Position, text: &str) -> Result<Move, TextError> {
    let Some(&[from, to]) = cells_of(text).as_deref() else {
        return Err(TextError::NotAMove(text.to_owned()));
    };
    let mut found = None;
    position.for_each_move(|mv| {
        if cells(mv) == (from, to) {
            found = Some(mv);
        }
    });
    found.ok_or_else(|| TextError::Illegal(text.to_owned()))
}

/// The first marble, and where the last one goes.
fn cells(mv: Move) -> (Cell, Cell) {
    let (a, b) = mv.ends();
    let (first, last) = if mv.line_is_flat() { (b, a) } else { (a, b) };
    (first, mv.destination(last))
}
