//! What can be wrong with a results file, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// A results file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("{}: no such results file; `run` makes it", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Another run writes to it.
    #[error("{}: another run{} is writing to this file; wait for it or choose another file", path.display(), holder(*process))]
    InUse {
        /// The file.
        path: PathBuf,
        /// Its process, if it could be found out.
        process: Option<u32>,
    },
    /// Not a database, or one of another program.
    #[error("{}: not a results file of Afterstate; choose another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Made by a newer version of this program.
    #[error("{}: format {found} is newer than this program knows ({known}); use a newer afterstate", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i32,
        /// The newest format that this program reads.
        known: i32,
    },
    /// It may only be read, and a run was ended before it could write everything into the file.
    #[error(
        "{0}: it may only be read here, and games of a run lie beside it in {0}-wal; copy both files to a folder that you may \
         write to",
        path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("{}: the disk is full; free some space and run the same command again: stored games are kept", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that the system or the database reports.
    #[error("{}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What was reported.
        reason: String,
    },
}

fn holder(process: Option<u32>) -> String {
    process.map_or_else(String::new, |process| format!(" (process {process})"))
}

impl StoreError {
    pub(super) fn io(path: &Path, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::StorageFull {
            return Self::Full { path: path.to_owned() };
        }
        Self::Failed { path: path.to_owned(), reason: error.to_string() }
    }

    pub(super) fn sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            _ => Self::Failed { path, reason: error.to_string() },
        }
    }
}
