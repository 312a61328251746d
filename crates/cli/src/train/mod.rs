//! `afterstate train`: learning, one file or folder per kind of learner.

mod outcome;
mod twenty48;

use std::io::Write;

use clap::Subcommand;

use crate::failure::Failure;

/// What is trained.
#[derive(Debug, Subcommand)]
pub(crate) enum Train {
    /// An n-tuple network for 2048, by temporal differences
    #[command(name = "2048", after_help = twenty48::EXAMPLES)]
    Twenty48(twenty48::TrainArgs),
}

/// Trains, shows how it goes and writes what was learned.
pub(crate) fn run(out: &mut impl Write, train: &Train) -> Result<(), Failure> {
    match train {
        Train::Twenty48(args) => twenty48::run(out, args),
    }
}
