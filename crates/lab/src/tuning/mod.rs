//! Evolved weights: an agent's numbers are searched by CMA-ES, judged by games.
//!
//! [`TuningSettings`] are a TOML file; a [`Tuning`] is the run that follows from it, one generation at a time. All
//! candidates of a generation meet the same chance (2048) or the same openings and opponent (Abalone). Luck ranks
//! candidates all the same, so the best guess becomes the *champion* only where a longer comparison on games of its own
//! says that it is better than the last one.
//!
//! The search itself lives in `learn`, which knows no agents; this module gives its numbers a meaning.

mod arena;
mod checkpoint;
mod run;
mod settings;
mod weights;

pub use arena::Confirmation;
pub use run::{Champion, Generation, Tuning};
pub use settings::{ConfirmSettings, Gain, Scale, TuningSettings, WeightSettings};
