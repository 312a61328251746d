//! One writer at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use super::{StoreError, companion};

/// An advisory lock on a file beside the store, or beside something else that one run alone writes. The operating system
/// releases it when the process ends, even by `kill -9`, so there is no stale lock to remove by hand.
#[derive(Debug)]
pub struct WriteLock {
    file: File,
}

impl WriteLock {
    /// Takes the lock of a file, or says who has it.
    pub fn take(store: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::io(store, &error);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(companion(store, ".lock"))
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let process = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                return Err(StoreError::InUse { path: store.to_owned(), process });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // The number is for the message of a second run only, so failing to write it costs nothing.
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Self { file })
    }
}

impl Drop for WriteLock {
    /// Closing the file would do, were it not for a child process that may have been started in between and holds a
    /// copy of it for a moment.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}
