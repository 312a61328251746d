//! Learning to play: n-tuple networks, neural networks (by deep Q-learning or a genetic algorithm) and endgame
//! tables for 2048; evolution of numbers for any game.
//!
//! A network is described as data ([`ntuple::Design`], [`neural::Design`]), learned, stored in a checked file, and used by
//! any search as an [`afterstate_game::Evaluation`].
//!
//! The shipped n-tuple network as the judge of an expectimax, one move ahead. Its values are points still to come, so the
//! search adds those it earns on the way, and a lost game is worth no more. Threads and players share it by the [`Arc`].
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use afterstate_game::{Dice, Player};
//! use afterstate_learn::ntuple::Model;
//! use afterstate_search::expectimax::{Depth, DepthUnit, Expectimax, Settings};
//! use afterstate_twenty48::State;
//!
//! let model = Model::load(Path::new("models/2048-strong.model"))?;
//! let settings = Settings { depth: Depth::Fixed(1), unit: DepthUnit::MovesAhead, ..Settings::default() };
//! let mut player = Expectimax::new(settings, Arc::new(model.network))?;
//! println!("{}", player.decide_position(&State::start(&mut Dice::seeded(1)))?.best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A neural network from a file is asked by a search through [`neural::Asked`].
//!
//! [`Arc`]: std::sync::Arc
//!
//! This crate chooses no paths and knows no command line: callers pass files, settings and a place to report progress.

mod container;
#[cfg(feature = "cuda")]
mod cuda;
pub mod dqn;
pub mod endgame;
pub mod evolution;
pub mod genetic;
mod header;
pub mod neural;
pub mod ntuple;
mod parallel;
mod random;

pub use container::FileError;
