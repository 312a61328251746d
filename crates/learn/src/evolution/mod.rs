//! Evolution of numbers: CMA-ES, which needs nothing but the order of its candidates.
//!
//! What the numbers mean and how candidates are judged is the caller's business: weights of an evaluation are judged by
//! games of agents, which this room does not know.

mod cmaes;
mod eigen;

pub use cmaes::CmaEs;
