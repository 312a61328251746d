//! Positions and moves as text: `4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0`.
//!
//! Rows from the top, separated by `/`; tiles by their values, separated by white space of any kind and amount; `0` or
//! `.` for an empty cell. What is written uses single spaces and `0`.

use afterstate_game::{Notation, Position};

use crate::{Board, Cell, Direction, State, Tile};

/// What is wrong with a text. Rows and columns count from 1 at the top left, as people do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing but white space.
    #[error("the position is empty; expected four rows of four tiles, such as 4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0")]
    Empty,
    /// Too few or too many rows.
    #[error("found {0} row(s); expected 4, separated by /")]
    Rows(usize),
    /// Too few or too many cells in a row.
    #[error("row {row} has {found} cell(s); expected 4, so that the board has 16")]
    Cells {
        /// The row, from 1.
        row: usize,
        /// The number of cells in it.
        found: usize,
    },
    /// A cell that is neither empty nor a tile.
    #[error("row {row}, column {column}: {found:?} is no tile; expected 0 (empty) or a power of two from 2 to 131072")]
    Tile {
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// What stands there, shortened if it is long.
        found: String,
    },
    /// Not the name of a move.
    #[error("{0:?} is no move; expected up, right, down or left")]
    Move(String),
    /// A move that changes nothing.
    #[error("the move {mv} is not legal here; legal: {}", names(legal))]
    Illegal {
        /// The move.
        mv: Direction,
        /// What would have been legal.
        legal: Vec<Direction>,
    },
}

fn names(directions: &[Direction]) -> String {
    if directions.is_empty() {
        return "none, the game is over".to_owned();
    }
    directions.iter().map(|direction| direction.name()).collect::<Vec<_>>().join(", ")
}

/// The start of a text, short enough to be quoted in a message of one line.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The content of a cell, or `None` if the text is neither a tile nor an empty cell.
fn parse_cell(text: &str) -> Option<Option<Tile>> {
    match text {
        "0" | "." => Some(None),
        // `u32::from_str` would take a sign.
        _ if text.starts_with('+') => None,
        _ => text.parse().ok().and_then(Tile::from_value).map(Some),
    }
}

impl std::str::FromStr for Board {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Err(TextError::Empty);
        }
        let rows: Vec<Vec<&str>> = text.split('/').map(|row| row.split_whitespace().collect()).collect();
        if rows.len() != 4 {
            return Err(TextError::Rows(rows.len()));
        }
        if let Some(row) = rows.iter().position(|cells| cells.len() != 4) {
            return Err(TextError::Cells { row: row + 1, found: rows[row].len() });
        }
        let mut board = Self::EMPTY;
        for (cell, text) in Cell::all().zip(rows.into_iter().flatten()) {
            let tile = parse_cell(text).ok_or_else(|| TextError::Tile {
                row: cell.row() + 1,
                column: cell.column() + 1,
                found: quoted(text),
            })?;
            board = board.with(cell, tile);
        }
        Ok(board)
    }
}

impl Notation for State {
    const GAME: &'static str = "2048";
    type Error = TextError;

    fn parse(text: &str) -> Result<Self, TextError> {
        text.parse().map(Self)
    }

    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// Reads the name of a move or its first letter, in upper or lower case.
    fn parse_move(&self, text: &str) -> Result<Direction, TextError> {
        let mv = Direction::from_name(text.trim()).ok_or_else(|| TextError::Move(quoted(text)))?;
        if self.is_legal(mv) { Ok(mv) } else { Err(TextError::Illegal { mv, legal: self.moves() }) }
    }
}
