//! Endgame tables of 2048: how likely the next large tile can be built while the large tiles stay where they are.
//!
//! A [`Pattern`] locks large tiles on some cells; the free cells hold smaller ones. A table gives, for every filling of the
//! free cells, the probability that best play builds the pattern's tile while the large tiles lie on the locked cells or a
//! symmetric image of them. Within the pattern this is exact up to rounding, and a lower bound of what is possible: letting
//! the large tiles lie otherwise counts as a failure, as does a sum above the table's highest.

mod build;
mod check;
mod file;
mod pattern;
mod ranking;
mod solver;
mod table;
#[cfg(test)]
mod tests;

pub use build::{BuildOutcome, BuildProgress, BuildSettings, DEFAULT_SLACK, build};
pub use check::Check;
pub use file::{Description, TableError};
pub use pattern::{Pattern, PatternError};
pub use table::{Advice, Table, Tables};
