//! Files of games: APGN, the Abalone relative of the chess players' PGN.
//!
//! A game is a header of tags, the moves with their numbers, and the result:
//!
//! ```text
//! [Event "A match"]
//! [Date "2024.05.01"]
//! [Black "alphabeta"]
//! [White "mcts"]
//! [Variant "standard"]
//! [Result "*"]
//! [Notation "Aba-Pro"]
//!
//! 1. a1b2 i9h8 2. b2c3 *
//! ```
//!
//! `Notation` must be there, because the two notations look alike and mean different moves. `Variant` names the layout;
//! `Position` gives any other start as rows, `-` and the marbles lost if any are, and the side to move:
//! `.../bbbbb-1b0w w`. Where both are given the position counts. The result ends the game and must be that of the
//! header; a file that ends without one is cut off. Comments in braces, and from `;` to the end of a line, are skipped.
//!
//! [`Reader`] takes one game at a time from any source. A bad game is an error that names the game, and the ply and the
//! move where there is one; the games after it can still be read.
//!
//! ```
//! use afterstate_abalone::Layout;
//! use afterstate_abalone::text::apgn::{Game, Reader};
//! use afterstate_game::Notation;
//!
//! let start = Layout::Standard.position();
//! let mut game = Game::new(start);
//! game.moves.push(start.parse_move("a1b2")?);
//! game.set_tag("Event", "A match");
//! game.set_tag("Date", "2024.05.01");
//!
//! let file = game.to_text()?;
//! let read = Reader::new(file.as_bytes()).next().expect("a game")?;
//! assert_eq!((&read.moves, read.tag("Event")), (&game.moves, Some("A match")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod raw;
mod read;
mod write;

pub use error::{ApgnError, Fault, IllegalGame};
pub use read::Reader;

use afterstate_game::{Outcome, Side};

use super::MoveNotation;
use crate::{Layout, Move, Position};

/// A game of a file: how it began, what was played, how it ended, and what its header says besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Where the game began.
    pub start: Position,
    /// The moves, from the start on.
    pub moves: Vec<Move>,
    /// The result; `None` if it is not known.
    pub outcome: Option<Outcome>,
    /// How the moves are written.
    pub notation: MoveNotation,
    /// The other tags as names and values, in the order of the file: `Event`, `Date`, `Black`, `White` and the like, but
    /// not those that follow from the fields above (`Variant`, `SetUp`, `Position`, `Result`, `Notation`, `Plies`).
    pub tags: Vec<(String, String)>,
}

impl Game {
    /// A game without moves or tags.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { start, moves: Vec::new(), outcome: None, notation: MoveNotation::AbaPro, tags: Vec::new() }
    }

    /// The value of a tag; the name is matched without regard to case.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag, adding it at the end if it is new.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }
}

/// The tags that follow from the other fields of a [`Game`].
const DERIVED: [&str; 6] = ["Variant", "SetUp", "Position", "Result", "Notation", "Plies"];

/// The names that the format gives to layouts; the others are written as a position.
const VARIANTS: [(Layout, &str); 8] = [
    (Layout::Standard, "standard"),
    (Layout::BelgianDaisy, "belgian"),
    (Layout::GermanDaisy, "german_daisy"),
    (Layout::SwissDaisy, "swiss_daisy"),
    (Layout::DutchDaisy, "dutch_daisy"),
    (Layout::Domination, "domination"),
    (Layout::Alien, "alien"),
    (Layout::Atomouche, "atomouche"),
];

/// The results and how they are written.
const RESULTS: [(Option<Outcome>, &str); 4] = [
    (Some(Outcome::Won(Side::First)), "1-0"),
    (Some(Outcome::Won(Side::Second)), "0-1"),
    (Some(Outcome::Drawn), "1/2-1/2"),
    (None, "*"),
];

/// The result as it is written. A game of two sides is never merely over.
fn result_text(outcome: Option<Outcome>) -> &'static str {
    RESULTS.iter().find(|(result, _)| *result == outcome).map_or("*", |(_, text)| text)
}
