//! What can go wrong in the laboratory.

use afterstate_players::SpecError;

use crate::experiment::ExperimentError;
use crate::play::Unfinished;
use crate::shard::ShardError;
use crate::slurm::SlurmError;
use crate::store::StoreError;

/// Why a run gives no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// An agent cannot be built.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// A game could not be played to its end.
    #[error(transparent)]
    Game(#[from] Unfinished),
    /// The results file cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The games of a task cannot be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The cluster cannot be used.
    #[error(transparent)]
    Slurm(#[from] SlurmError),
    /// The experiment is not one.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The stored games were played by another version of the program.
    #[error(
        "the stored games were played by {stored}, this is {running}: results would mix two programs; \
         choose another results file, or allow programs to be mixed"
    )]
    MixedPrograms {
        /// Who played the stored games.
        stored: String,
        /// Who would play the others.
        running: String,
    },
    /// The games that are to be merged were played by another version of the program.
    #[error(
        "the games here were played by {here}, those to be merged by {there}: results would mix two programs; \
         merge into another results file, or allow programs to be mixed"
    )]
    MergedPrograms {
        /// Who played the games that are there.
        here: String,
        /// Who played the others.
        there: String,
    },
    /// A part of games is asked for whose number a rule decides as they come.
    #[error(
        "{who} plays until a rule ends it, and only a fixed number of games can be divided into parts; \
         play all of it on one machine"
    )]
    Divided {
        /// Who plays.
        who: String,
    },
    /// A device that the players work on failed. They go on without it, and what they decide from then on is not what was
    /// asked for.
    #[error("game {game} of {who}: the device failed: {reason}; a game that goes on without it does not count")]
    DeviceFailed {
        /// Who played.
        who: String,
        /// The number of the game in which it was noticed.
        game: u64,
        /// What the device says.
        reason: String,
    },
    /// A finished game could not be stored; the store's own error says why.
    #[error("a finished game could not be stored")]
    NotStored,
}
