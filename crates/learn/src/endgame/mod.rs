//! Endgame tables of 2048: how likely a chain of large tiles can be gone on with while it stays where it is.
//!
//! A [`Pattern`] locks a chain of different tiles on some cells; the free cells hold smaller ones. A table gives, for every
//! filling of the free cells and every place of the chain's smallest tile, the probability that best play builds another tile
//! like it and merges the two, while the chain lies on the locked cells or a symmetric image of them. One slide may move it
//! away from there if the next one brings it back. Within these rules a value is exact up to rounding, and a lower bound of what
//! is possible: a chain that stays away counts as a failure, as does a sum above the table's highest.

mod build;
mod check;
mod file;
mod pattern;
mod ranking;
mod solver;
mod table;
#[cfg(test)]
mod tests;

pub use build::{BuildOutcome, BuildProgress, BuildSettings, DEFAULT_SLACK, MAX_SLACK, build};
pub use check::Check;
pub use file::{Description, TableError};
pub use pattern::{Pattern, PatternError};
pub use table::{Advice, Table, Tables};
