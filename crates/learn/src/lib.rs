//! Learning to play: n-tuple networks, neural networks (by deep Q-learning or a genetic algorithm) and endgame
//! tables for 2048; evolution of numbers for any game.
//!
//! A network is described as data ([`ntuple::Design`], [`neural::Design`]), learned, stored in a checked file, and used by
//! any search as an [`afterstate_game::Evaluation`].
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
