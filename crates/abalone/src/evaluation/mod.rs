//! Judging positions by their shape.
//!
//! [`Measures`] counts what the evaluations weigh; [`Hauff`] and [`Chorus`] weigh it, and [`Fitted`] weighs counts of its
//! own. In all of them a marble is worth about 1000, and values speak for the side to move. Nobody here judges a finished
//! game: the search does.

mod chorus;
mod fitted;
mod hauff;
mod measures;

pub use chorus::Chorus;
pub use fitted::{Fitted, FittedWeights};
pub use hauff::{Emphasis, Hauff, Standpoint, Weights};
pub use measures::{Attacks, Centre, Measures, Threats};
