//! Experiments: series of games that are planned, stored, resumed and reported.

mod run;
mod stop;

pub use run::{Planned, Progress, RunEnd, run_planned, stored_tally};
pub use stop::{StopRule, StopRuleError};
