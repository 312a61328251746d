//! Writing a shard.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use super::{Heading, MAGIC, ShardError, ShardGame, frame};

/// The most games that are written together.
const GROUP: usize = 4096;

/// A shard that is being written. Nobody else writes to its file: it did not exist before.
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    /// What the next commit writes.
    buffer: Vec<u8>,
}

impl ShardWriter {
    /// Makes a shard; the file must not exist. The heading is on the disk when this returns.
    pub fn create(path: &Path, heading: &Heading) -> Result<Self, ShardError> {
        let failed = |error| ShardError::io(path, &error);
        let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(failed)?;
        let mut writer = Self { path: path.to_owned(), file, buffer: MAGIC.to_vec() };
        let heading = serde_json::to_vec(heading).map_err(|error| failed(error.into()))?;
        frame::push(&mut writer.buffer, |buffer| buffer.extend(heading));
        writer.commit()?;
        // The name of the file is on the disk only when its folder is.
        if let Some(folder) = path.parent() {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        }
        Ok(writer)
    }

    /// Adds a game to what the next commit writes.
    pub fn add(&mut self, game: &ShardGame) {
        frame::push(&mut self.buffer, |buffer| game.write(buffer));
    }

    /// Writes games until nobody sends any more, and says how many. What arrives while the disk is busy is written together, so
    /// that slow agents get every game to the disk at once, and quick ones do not wait for it.
    pub fn write_all(&mut self, games: &Receiver<ShardGame>) -> Result<u64, ShardError> {
        let mut written = 0;
        while let Ok(first) = games.recv() {
            for game in std::iter::once(first).chain(games.try_iter().take(GROUP)) {
                self.add(&game);
                written += 1;
            }
            self.commit()?;
        }
        Ok(written)
    }

    /// Writes what was added and waits until it is on the disk: others can read it then, and a power cut spares it.
    pub fn commit(&mut self) -> Result<(), ShardError> {
        let written = self.file.write_all(&self.buffer).and_then(|()| self.file.sync_data());
        self.buffer.clear();
        written.map_err(|error| ShardError::io(&self.path, &error))
    }
}
