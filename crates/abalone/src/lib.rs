//! The game Abalone: board, moves, layouts, notation and evaluations.
//!
//! Two sides with fourteen marbles each push on a hexagonal board of 61 cells; who has lost six marbles has lost the
//! game. Black is [`Side::First`] and begins.
//!
//! The board is a 61-bit set in one word (see [`Cells`]), a [`Position`] is 32 bytes and is copied rather than taken
//! back, a [`Move`] is 16 bits. This crate knows no search and no learning, and no text but the game's own notation.
//!
//! ```
//! use afterstate_abalone::{Layout, perft};
//! use afterstate_game::{Notation, Position};
//!
//! let start = Layout::Standard.position();
//! assert_eq!(perft(&start, 3), 98_912);
//!
//! let three_sideways = start.parse_move("c3c5d4")?;
//! let next = start.play(three_sideways)?.afterstate.0;
//! assert_eq!(next.to_text(), "wwwww/wwwwww/2www2/8/9/3bbb2/7/bbbbbb/bbbbb w 0 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A position knows neither the moves before it nor a limit on their number: draws are the rules of a
//! [`History`](afterstate_game::History), and without any a game may go on for ever.
//!
//! ```
//! use afterstate_abalone::Layout;
//! use afterstate_game::{AtPlyLimit, Dice, DrawRules, History, Position};
//!
//! let at_limit = AtPlyLimit::LeaderWins;
//! let rules = DrawRules { repetitions: Some(3), max_plies: Some(400), at_limit };
//! let mut game = History::with_rules(Layout::BelgianDaisy.position(), rules);
//! let mut dice = Dice::seeded(42);
//! while game.outcome().is_none() {
//!     let mv = game.position().random_move(&mut dice).expect("the game goes on");
//!     let next = game.position().play(mv)?.afterstate.0;
//!     game.push(mv, next);
//! }
//! assert!(game.ply() <= 400);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Any other start is a [`Setup`] or a [`text`]; positions are judged by [`evaluation`].
//!
//! [`Side::First`]: afterstate_game::Side::First

mod cell;
mod cells;
mod direction;
mod effect;
pub mod evaluation;
mod generate;
mod layout;
mod machine;
mod moves;
mod perft;
mod position;
mod setup;
mod shape;
mod symmetry;
mod tactics;
pub mod text;
mod zobrist;

pub use cell::Cell;
pub use cells::Cells;
pub use direction::Direction;
pub use layout::{Layout, UnknownLayout};
pub use moves::{Manner, Move};
pub use perft::{perft, perft_plain};
pub use position::Position;
pub use setup::{Setup, SetupError};

/// The marbles each side begins with in nearly every layout.
pub const MARBLES: u8 = 14;

/// The marbles each side begins with in the few small layouts, such as [`Layout::Atomouche`].
pub const FEWER_MARBLES: u8 = 12;

/// A side that has lost this many marbles has lost the game.
pub const LOST_TO_LOSE: u8 = 6;
