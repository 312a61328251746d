//! Positions and moves as text.

use std::error::Error;

use crate::Position;

/// A game that people and programs can write down.
pub trait Notation: Position {
    /// The name of the game on the command line and in files.
    const GAME: &'static str;

    /// What is wrong with a text: which part, what was found, what would be right.
    type Error: Error + Send + Sync + 'static;

    /// Reads a position.
    fn parse(text: &str) -> Result<Self, Self::Error>;

    /// Writes the position so that [`Self::parse`] reads it back.
    fn to_text(&self) -> String;

    /// Reads a move that is legal in this position.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::Error>;

    /// Writes a move so that [`Self::parse_move`] reads it back.
    fn move_to_text(&self, mv: Self::Move) -> String {
        mv.to_string()
    }
}
