//! The laboratory: matches, experiments, statistics and results.
//!
//! It plays games of agents given as text, counts what came out, says how sure that is, and keeps every game. It formats
//! nothing for a terminal and knows no HTTP: everything it finds is a value that others show.

pub mod stats;
