//! Moves in Nacre notation: the cell of the first marble and the destination of the last own one.
//!
//! Along a line the first marble is the rearmost: three marbles from `a1` to `c3` that move north-east are `a1d4`. In a
//! broadside move either end could be first; `c3c5d4` in Aba-Pro is `c3d6`, from the end at which the line runs 60
//! degrees off the direction of the move. From the other end two marbles would read like a single one, and three like
//! two. Written so, no two legal moves read alike.
//!
//! Reading also accepts the other end where that leaves one legal move only.

use afterstate_game::Position as _;

use super::{TextError, cells_of};
use crate::{Cell, Manner, Move, Position};

/// Writes a move.
#[must_use]
pub fn write(mv: Move) -> String {
    let [(from, to), _] = readings(mv);
    format!("{from}{to}")
}

/// Reads a move that is legal in this position.
pub fn read(position: &Position, text: &str) -> Result<Move, TextError> {
    let Some(&[from, to]) = cells_of(text).as_deref() else {
        return Err(TextError::NotAMove(text.to_owned()));
    };
    let legal = position.moves();
    let find = |end: usize| legal.iter().copied().filter(move |&mv| readings(mv)[end] == (from, to));
    if let Some(mv) = find(0).next() {
        return Ok(mv);
    }
    let other_end: Vec<Move> = find(1).collect();
    match *other_end.as_slice() {
        [] => Err(TextError::Illegal(text.to_owned())),
        [mv] => Ok(mv),
        [one, another, ..] => Err(TextError::Ambiguous { text: text.to_owned(), one, another }),
    }
}

/// The first cell and the last destination as written, and read from the other end. The same twice unless the move is a
/// broadside one.
fn readings(mv: Move) -> [(Cell, Cell); 2] {
    let (a, b) = mv.ends();
    if mv.manner() != Manner::Broadside {
        return [(a, mv.destination(b)); 2];
    }
    let (from_a, from_b) = ((a, mv.destination(b)), (b, mv.destination(a)));
    if mv.is_steep() { [from_a, from_b] } else { [from_b, from_a] }
}
