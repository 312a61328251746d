//! The game 2048: board, slides, spawns, notation, records and evaluations.
//!
//! A [`State`] is the player's turn; sliding it in a [`Direction`] gives a [`Slid`] board on which a new tile is about to
//! appear. Both wrap a [`Board`] of 80 bits that holds every tile up to 131072.
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
