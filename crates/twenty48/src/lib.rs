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
//! For learning by playing: one episode of an environment. A move is an index into [`Direction::ALL`], the number in its
//! `#[repr(u8)]`; what is observed is [`Board::exponents`], and the afterstate is at hand for whoever judges those.
//!
//! ```
//! use afterstate_game::{Afterstate, Dice, Played, Position};
//! use afterstate_twenty48::{Direction, State};
//!
//! let mut dice = Dice::seeded(42); // The seed fixes every new tile.
//! let (mut state, mut score) = (State::start(&mut dice), 0);
//! while state.outcome().is_none() {
//!     let allowed = Direction::ALL.map(|direction| state.is_legal(direction));
//!     let action = allowed.into_iter().position(|allowed| allowed).expect("the game goes on");
//!     let Played { afterstate, reward } = state.play_unchecked(Direction::ALL[action]);
//!     score += reward;
//!     state = afterstate.draw(&mut dice);
//!     let _observation: [u8; 16] = state.0.exponents();
//! }
//! assert!(score > 0);
//! ```
//!
//! Boards are judged by [`eval`], games are kept as [`record`]s, random games to the end are a [`playout`](playout()).
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
