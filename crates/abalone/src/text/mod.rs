//! Positions and moves as text.
//!
//! - [`rows`]: the position string, `wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0`.
//! - [`posref`]: the posRef string of a position, `0a12345b123456c345_0g567h456789i56789`.
//! - [`abapro`]: moves in Aba-Pro notation, `a1b2` and `c5c7d6`.

pub mod abapro;
mod error;
pub mod posref;
pub mod rows;

use afterstate_game::Notation;

pub use error::TextError;

use crate::{Cell, Move, Position};

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

    /// Reads a move in Aba-Pro notation.
    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        abapro::read(self, text)
    }
}

/// The cells of a text that is nothing but cells, in either case: `a1b2` has two.
fn cells_of(text: &str) -> Option<Vec<Cell>> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || !bytes.len().is_multiple_of(2) {
        return None;
    }
    bytes
        .chunks_exact(2)
        .map(|pair| {
            let row = pair[0].to_ascii_lowercase().checked_sub(b'a')?;
            let column = pair[1].checked_sub(b'1')?;
            Cell::new(row, column)
        })
        .collect()
}
