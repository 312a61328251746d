//! What can go wrong between this program and a cluster, and what to do about it.

use std::path::{Path, PathBuf};

/// Why an experiment cannot run on a cluster.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlurmError {
    /// Slurm's programs are not installed here.
    #[error("`{program}` was not found: run this on a login node of a cluster with Slurm, or leave out --slurm")]
    NoSlurm {
        /// The program that was called.
        program: &'static str,
    },
    /// A program of Slurm says no.
    #[error("`{program}` refused: {reason}")]
    Refused {
        /// The program that was called.
        program: &'static str,
        /// What it said.
        reason: String,
    },
    /// The shared folder cannot be used.
    #[error("{}: {reason}; --folder chooses a folder that this machine and all nodes can write to", path.display())]
    Folder {
        /// The folder or a file in it.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A path that cannot stand in a script.
    #[error("{}: a path with {character:?} in it cannot stand in a Slurm script; --folder chooses another", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// The character.
        character: char,
    },
    /// An option that cannot stand in a script.
    #[error("{option:?}: not an option of sbatch; expected one line that begins with `--`")]
    Option {
        /// The option.
        option: String,
    },
    /// More tasks than an array may have.
    #[error(
        "{tasks} tasks are more than an array job may have ({limit}); give each at least {chunk} games: --chunk {chunk}"
    )]
    TooManyTasks {
        /// How many there would be.
        tasks: u64,
        /// How many there may be.
        limit: u64,
        /// The smallest chunk that is possible.
        chunk: u64,
    },
    /// The order of a round is not one.
    #[error("{}: not a work order of this version of Afterstate: {reason}", path.display())]
    Work {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A task that the order does not have.
    #[error("{}: there is no task {task}; the round has {tasks}, from 0", path.display())]
    NoSuchTask {
        /// The round.
        path: PathBuf,
        /// The task.
        task: usize,
        /// How many there are.
        tasks: usize,
    },
    /// A series of the order does not follow from its experiment any more.
    #[error("{}: the games of this round cannot be found again: a file of openings beside the experiment has changed", path.display())]
    Changed {
        /// The round.
        path: PathBuf,
    },
    /// Games of another version of this program.
    #[error(
        "{}: written by {found}, this is {running}: results would mix two programs; \
         install the same version everywhere, or allow mixed programs", path.display()
    )]
    OtherProgram {
        /// The shard or the order.
        path: PathBuf,
        /// Who wrote it.
        found: String,
        /// Who reads it.
        running: String,
    },
}

impl SlurmError {
    pub(super) fn folder(path: &Path, reason: &impl ToString) -> Self {
        Self::Folder { path: path.to_owned(), reason: reason.to_string() }
    }
}
