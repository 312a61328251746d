//! What can be wrong with a text.

use crate::SetupError;

/// What is wrong with a text: which part, what was found, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Not four parts separated by spaces.
    #[error("a position is rows, side to move, black marbles lost, white marbles lost; {found} parts found, 4 needed")]
    Parts {
        /// How many parts there are.
        found: usize,
    },
    /// Not nine rows.
    #[error("a position has 9 rows, I to A, separated by '/'; {found} found")]
    Rows {
        /// How many rows there are.
        found: usize,
    },
    /// A row of the wrong length.
    #[error("row {row} has {needed} cells; {text:?} describes {found}")]
    RowLength {
        /// The letter of the row.
        row: char,
        /// Its text.
        text: String,
        /// How long it is on the board.
        needed: usize,
        /// How many cells the text describes.
        found: usize,
    },
    /// Something in a row that is not part of a board.
    #[error("row {row}: {found:?} is neither a marble ('b', 'w') nor a number of empty cells (1 to 9)")]
    Square {
        /// The letter of the row.
        row: char,
        /// What was found.
        found: char,
    },
    /// Neither black nor white to move.
    #[error("the side to move is 'b' or 'w', not {0:?}")]
    Turn(String),
    /// Not a number of marbles.
    #[error("the marbles that {side} has lost are a number from 0 to 6, not {found:?}")]
    Lost {
        /// The colour.
        side: &'static str,
        /// What was found.
        found: String,
    },
    /// Not a posRef string.
    #[error("{text:?} is no posRef ({reason}); an example is 0a12345b123456c345_0g567h456789i56789")]
    PosRef {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The parts were read but do not make a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Not a move in any position.
    #[error("{0:?} is not a move; write the cells, as in a1b2 (inline) or c5c7d6 (broadside)")]
    NotAMove(String),
    /// A move, but not here.
    #[error("the move {0:?} is not legal here")]
    Illegal(String),
    /// Neither of the two ways to write moves.
    #[error("there is no move notation {0:?}; the notations are Aba-Pro and Nacre")]
    UnknownNotation(String),
}
