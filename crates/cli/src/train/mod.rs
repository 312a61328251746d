//! `afterstate train`: learning, one file or folder per kind of learner.

mod config;
mod device;
mod dqn;
mod figures;
mod ga;
mod outcome;
mod twenty48;
mod value;
mod weights;

use std::io::Write;

use clap::Subcommand;

use crate::failure::Failure;

/// What is trained.
#[derive(Debug, Subcommand)]
pub(crate) enum Train {
    /// An n-tuple network for 2048, by temporal differences
    #[command(name = "2048", after_help = twenty48::EXAMPLES)]
    Twenty48(Box<twenty48::TrainArgs>),
    /// A network for 2048, by a genetic algorithm
    #[command(after_help = ga::EXAMPLES)]
    Ga(config::ConfigArgs),
    /// A network for 2048, by deep Q-learning
    #[command(after_help = dqn::EXAMPLES)]
    Dqn(config::LearnerArgs),
    /// The weights of an evaluation of either game, by evolution
    #[command(after_help = weights::EXAMPLES)]
    Weights(config::ConfigArgs),
    /// A neural network for 2048 that learns the values of a search, plays with them, and learns again
    #[command(after_help = value::EXAMPLES)]
    Value(config::LearnerArgs),
    /// The curves of trainings as figures, several runs in one
    #[command(after_help = figures::EXAMPLES)]
    Figures(figures::FiguresArgs),
}

/// Trains, shows how it goes and writes what was learned.
pub(crate) fn run(out: &mut impl Write, train: &Train) -> Result<(), Failure> {
    match train {
        Train::Twenty48(args) => twenty48::run(out, args),
        Train::Ga(args) => ga::run(out, args),
        Train::Dqn(args) => dqn::run(out, args),
        Train::Weights(args) => weights::run(out, args),
        Train::Value(args) => value::run(out, args),
        Train::Figures(args) => figures::run(out, args),
    }
}
