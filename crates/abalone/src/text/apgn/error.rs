//! What can be wrong with a file of games.

use std::io;

use crate::text::TextError;
use crate::{Move, UnknownLayout};

/// A game that could not be read: which one, and why.
#[derive(Debug, thiserror::Error)]
#[error("game {game}: {fault}")]
pub struct ApgnError {
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// What is wrong with it.
    #[source]
    pub fault: Fault,
}

/// What is wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The source could not be read, or is not UTF-8.
    #[error("cannot be read: {0}")]
    Source(#[from] io::Error),
    /// Not a tag.
    #[error("line {line}: {text:?} is not a tag; write [Name \"value\"]")]
    Tag {
        /// The line in the file, from 1.
        line: usize,
        /// The line's text.
        text: String,
    },
    /// The game stops without a result.
    #[error("no result after ply {plies}: the game is cut off; a game ends with 1-0, 0-1, 1/2-1/2 or *")]
    CutOff {
        /// The half-moves there are.
        plies: usize,
    },
    /// A comment that nobody closed.
    #[error("line {line}: the comment that begins here is never closed with '}}'")]
    Comment {
        /// The line in the file, from 1.
        line: usize,
    },
    /// A tag that must be there is not.
    #[error("the tag {0} is missing")]
    Missing(&'static str),
    /// The header names no start.
    #[error("the tags Variant and Position are missing: nobody can know how the game began")]
    NoStart,
    /// Not a result.
    #[error("the result is {0:?}; it must be 1-0, 0-1, 1/2-1/2 or *")]
    Result(String),
    /// Header and moves end differently.
    #[error("the result is {header} in the header and {end} after the moves")]
    TwoResults {
        /// The result of the header.
        header: String,
        /// The result after the moves.
        end: String,
    },
    /// The board knows better.
    #[error("the result is {result}, but on the board {winner} has won")]
    WrongResult {
        /// The result of the header.
        result: &'static str,
        /// The colour that has won.
        winner: &'static str,
    },
    /// The variant is not a layout this project knows, and there is no position.
    #[error(transparent)]
    Variant(#[from] UnknownLayout),
    /// The position or the notation tag is wrong.
    #[error("tag {tag}: {reason}")]
    Value {
        /// The tag.
        tag: &'static str,
        /// What is wrong with its value.
        reason: TextError,
    },
    /// A move that cannot be played.
    #[error("ply {ply}, move {text:?}: {reason}")]
    Move {
        /// The half-move, from 1.
        ply: usize,
        /// What the file says.
        text: String,
        /// What is wrong with it.
        reason: TextError,
    },
    /// A move number out of order.
    #[error("ply {ply}: the move number is {found:?}, but {expected} is next; moves are missing or doubled")]
    Number {
        /// The half-move that would follow, from 1.
        ply: usize,
        /// What the file says.
        found: String,
        /// The number that was expected.
        expected: usize,
    },
}

/// A game that cannot be written, because it could not be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: the move {mv} is not legal; a game that cannot be replayed is not written")]
pub struct IllegalGame {
    /// The half-move, from 1.
    pub ply: usize,
    /// The move.
    pub mv: Move,
}
