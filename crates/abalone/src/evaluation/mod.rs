//! Judging positions by their shape.
//!
//! [`Measures`] counts what the evaluations weigh; [`Hauff`] and [`Chorus`] weigh it. Nobody here judges a finished
//! game: the search does.

mod chorus;
mod fitted;
mod hauff;
mod measures;

pub use chorus::Chorus;
pub use fitted::{Fitted, FittedWeights};
pub use hauff::{Emphasis, Hauff, Standpoint, Weights};
pub use measures::{Attacks, Centre, Measures, Threats};
