//! Statistics of games: pure functions and small values, each with the source of its formula.
//!
//! Everything here is a function of counts and integers, never of the order in which games finished: the same set of
//! games gives the same figures to the last bit. Playing, storing and showing are left to the other modules.

mod distribution;
mod elo;
mod interval;
mod outcomes;
mod paired;
mod proportion;
mod ratings;
mod special;
mod sprt;

pub use distribution::Distribution;
pub use elo::{EloScale, elo_from_score, score_from_elo};
pub use interval::{Estimate, Interval};
pub use outcomes::{Outcomes, Pentanomial, Trinomial};
pub use paired::{PairedSummary, PairedTally};
pub use proportion::{Rate, wilson};
pub use ratings::{HeadToHead, Rating, RatingsError, bradley_terry};
pub use special::{binomial_two_sided, normal_cdf, normal_quantile, student_quantile};
pub use sprt::{Sprt, SprtError, SprtState, Verdict};

/// The two-sided 95% point of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;
