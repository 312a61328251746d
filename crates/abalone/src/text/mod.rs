//! Positions, moves and games as text.
//!
//! - [`rows`]: the position string, `wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0`.
//! - [`posref`]: the posRef string of a position, `0a12345b123456c345_0g567h456789i56789`.
//! - [`abapro`]: moves in Aba-Pro notation, `a1b2` and `c5c7d6`.
//! - [`nacre`]: moves in Nacre notation, `a1d4` and `c3d6`.
//! - [`apgn`]: files of games.
//! - [`board`]: the board drawn for people.

pub mod abapro;
pub mod apgn;
pub mod board;
mod error;
pub mod nacre;
pub mod posref;
pub mod rows;

use std::fmt;
use std::str::FromStr;

use afterstate_game::Notation;

pub use error::TextError;

use crate::{Cell, Move, Position};

/// A way to write moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MoveNotation {
    /// See [`abapro`].
    #[default]
    AbaPro,
    /// See [`nacre`].
    Nacre,
}

impl MoveNotation {
    /// All notations.
    pub const ALL: [Self; 2] = [Self::AbaPro, Self::Nacre];

    /// Writes a move.
    #[must_use]
    pub fn write(self, mv: Move) -> String {
        match self {
            Self::AbaPro => abapro::write(mv),
            Self::Nacre => nacre::write(mv),
        }
    }

    /// Reads a move that is legal in this position.
    pub fn read(self, position: &Position, text: &str) -> Result<Move, TextError> {
        match self {
            Self::AbaPro => abapro::read(position, text),
            Self::Nacre => nacre::read(position, text),
        }
    }
}

impl fmt::Display for MoveNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AbaPro => "Aba-Pro",
            Self::Nacre => "Nacre",
        })
    }
}

impl FromStr for MoveNotation {
    type Err = TextError;

    /// Reads a name; case and the hyphen do not matter.
    fn from_str(name: &str) -> Result<Self, TextError> {
        match name.trim().to_ascii_lowercase().as_str() {
            "aba-pro" | "abapro" => Ok(Self::AbaPro),
            "nacre" => Ok(Self::Nacre),
            _ => Err(TextError::UnknownNotation(name.to_owned())),
        }
    }
}

impl Notation for Position {
    const GAME: &'static str = "abalone";
    type Error = TextError;

    /// Reads a position string.
    fn parse(text: &str) -> Result<Self, TextError> {
        Ok(rows::read(text)?.position()?)
    }

    fn to_text(&self) -> String {
        rows::write(self)
    }

    /// Reads a move in Aba-Pro notation, or failing that in Nacre. Where a text could be both it is a single
    /// marble's move in Nacre, which is written the same in Aba-Pro.
    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        abapro::read(self, text).or_else(|error| nacre::read(self, text).map_err(|_| error))
    }
}

/// The cells of a text that is nothing but cells, in either case: `a1b2` has two.
fn cells_of(text: &str) -> Option<Vec<Cell>> {
    if text.is_empty() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| Cell::from_name(text.get(at..at + 2)?)).collect()
}
