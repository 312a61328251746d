//! The game 2048: board, slides, spawns, notation, records and evaluations.
//!
//! A [`State`] is the player's turn; sliding it in a [`Direction`] gives a [`Slid`] board on which a new tile is about to
//! appear. Both wrap a [`Board`] of 80 bits that holds every tile up to 131072.
//!
//! ```
//! use afterstate_game::{Afterstate, Dice, Notation, Position};
//! use afterstate_twenty48::{Direction, State};
//!
//! let state = State::parse("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 32768")?;
//! let played = state.play(Direction::Left)?;
//! assert_eq!(played.reward, 4);
//! assert_eq!(played.afterstate.0.to_string(), "4 0 0 0/0 0 0 0/0 0 0 0/32768 0 0 0");
//! let next = played.afterstate.draw(&mut Dice::seeded(1));
//! assert_eq!(next.0.count_empty(), 13);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate knows neither searches nor learning, and reads and writes nothing but its own notation.

mod board;
mod cell;
mod direction;
pub mod eval;
mod line;
mod notation;
mod playout;
pub mod record;
mod slide;
mod spawn;
mod state;
mod symmetry;
mod tile;

pub use board::Board;
pub use cell::Cell;
pub use direction::Direction;
pub use notation::TextError;
pub use playout::{Playout, playout};
pub use record::{Ply, Record, Records};
pub use slide::Slide;
pub use spawn::{Spawn, SpawnError};
pub use state::{FOUR_PROBABILITY, Slid, State};
pub use tile::Tile;
