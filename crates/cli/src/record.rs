//! Files of game records, to which finished games are appended. Games that are already there stay.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file of game records, or none. An error is kept until [`RecordFile::finish`], so that a run can end in good order.
pub(crate) struct RecordFile {
    file: Option<(PathBuf, File)>,
    error: Option<io::Error>,
}

impl RecordFile {
    /// Opens the file for appending.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map(|file| (path.to_owned(), file))
                .map_err(|error| Failure::world(format_args!("opening the record {}", path.display()), error))
        };
        Ok(Self { file: path.map(open).transpose()?, error: None })
    }

    /// Appends one game, in one write so that an end in the middle of a run leaves no half record. Says whether it worked.
    pub(crate) fn append(&mut self, record: &str) -> bool {
        if let Some((_, file)) = &mut self.file
            && let Err(error) = file.write_all(record.as_bytes())
        {
            self.error = Some(error);
        }
        self.error.is_none()
    }

    /// Makes sure that everything is on the disk, and reports what went wrong.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Some((path, file)) = self.file else { return Ok(()) };
        let ended = self.error.map_or_else(|| file.sync_all(), Err);
        // A pipe or a terminal has nothing to sync.
        match ended {
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                Err(Failure::world(format_args!("writing the record {}", path.display()), error))
            }
            _ => Ok(()),
        }
    }
}
