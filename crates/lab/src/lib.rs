//! The laboratory: matches, experiments, statistics and results.
