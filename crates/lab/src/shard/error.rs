//! What can be wrong with a shard, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// A shard that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not a shard.
    #[error("{}: not a shard of Afterstate; move it out of the folder", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It was written by another version of this program.
    #[error("{}: a shard of another format than this program knows; use the afterstate that wrote it", path.display())]
    Version {
        /// The file.
        path: PathBuf,
    },
    /// Bytes in the middle are not what was written.
    #[error(
        "{}: damaged at byte {offset} ({reason}); move the file away and run the same command again: what it held is played again",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged frame begins.
        offset: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The system refuses.
    #[error("{}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl ShardError {
    pub(super) fn io(path: &Path, error: &io::Error) -> Self {
        Self::Failed { path: path.to_owned(), reason: error.to_string() }
    }
}
