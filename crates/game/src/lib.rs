//! The vocabulary of Afterstate: what a game, a search and a player must say to each other.
//!
//! A [`Position`] is a moment at which somebody has to choose a move. Playing the move leads to an
//! [`Afterstate`]: the moment at which the world answers. In 2048 the answer is a new tile; in a game without chance
//! there is exactly one answer ([`Settled`]). A [`Player`] looks at a [`History`] within [`Limits`] and returns a
//! [`Decision`].
//!
//! This crate knows no concrete game, no clock, no file and no thread.

pub mod conformance;
mod decision;
mod dice;
mod evaluation;
mod history;
mod limits;
mod notation;
mod outcome;
mod player;
mod position;
mod symmetry;
mod tactics;

pub use decision::{Bound, Decision, Effort, MoveValue};
pub use dice::{Dice, derive_seed};
pub use evaluation::Evaluation;
pub use history::{AtPlyLimit, DrawRules, History};
pub use limits::{Limits, Stop};
pub use notation::Notation;
pub use outcome::{Outcome, PerSide, Side};
pub use player::{NoLegalMove, Player, Task};
pub use position::{Afterstate, IllegalMove, Played, Position, Settled};
pub use symmetry::{Symmetric, Symmetry};
pub use tactics::Tactics;
