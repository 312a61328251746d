//! The laboratory: matches, experiments, statistics and results.
//!
//! It plays games of agents given as text, counts what came out, says how sure that is, and keeps every game. It formats
//! nothing for a terminal and knows no HTTP: everything it finds is a value that others show.

mod decisions;
mod definition;
mod duel;
mod error;
mod executor;
pub mod experiment;
pub mod export;
mod games;
mod openings;
mod play;
mod provenance;
mod ranges;
pub mod report;
mod series;
pub mod shard;
pub mod slurm;
mod solo;
pub mod stats;
pub mod store;
pub mod tuning;

use afterstate_game::Stop;

pub use decisions::{DecisionResult, DecisionRun, DecisionSummary, DecisionTally};
pub use duel::{
    AgentCost, Contender, DuelGame, DuelResult, DuelRun, Headings, MatchSummary, MatchTally, Opening, OpeningsError,
    Round, parse_openings,
};
pub use error::LabError;
pub use executor::{Delivery, run_jobs};
use experiment::Part;
pub use openings::{Neutrality, neutral_openings};
pub use play::{FinishedGame, GameSeeds, Seats, Spent, Transcript, Unfinished, play};
pub use provenance::Provenance;
pub use series::{Recorded, Series, Tally};
pub use solo::{
    Comparison, ComparisonSummary, ComparisonTally, SoloGame, SoloResult, SoloRun, SoloSummary, SoloTally, TILES,
    TileRate,
};

/// What a run is carried out with; it changes nothing about the games.
#[derive(Clone, Debug)]
pub struct Machinery {
    /// Games played at the same time.
    pub threads: usize,
    /// Ends the run early when raised.
    pub stop: Stop,
    /// Which of the missing games of an experiment are played; somebody else plays the others.
    pub part: Part,
    /// Says why a device that the players work on has failed, if one has. The games under way then count no more, and the
    /// run ends.
    pub device_failure: fn() -> Option<String>,
}

impl Default for Machinery {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stop: Stop::new(),
            part: Part::WHOLE,
            device_failure: afterstate_players::device_failure,
        }
    }
}
