//! Reading a shard, also one that is still being written: what is not there yet is there the next time.

use std::fs::File;
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::frame::{self, Next};
use super::{Heading, MAGIC, ShardError, ShardGame};

/// A part of a shard.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// What holds for all games; always first.
    Heading(Box<Heading>),
    /// A finished game.
    Game(ShardGame),
}

/// Reads the whole frames of a shard one after another.
#[derive(Debug)]
pub struct ShardReader<R> {
    path: PathBuf,
    source: R,
    offset: u64,
    end: u64,
    is_torn: bool,
    payload: Vec<u8>,
}

impl ShardReader<BufReader<File>> {
    /// Opens a shard at `offset`, which is 0 or what [`Self::offset`] said before.
    pub fn open(path: &Path, offset: u64) -> Result<Self, ShardError> {
        let failed = |error| ShardError::io(path, &error);
        let mut file = File::open(path).map_err(failed)?;
        let end = file.metadata().map_err(failed)?.len();
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        Ok(Self::new(path, BufReader::with_capacity(1 << 16, file), offset, end))
    }
}

impl<R: Read> ShardReader<R> {
    /// Reads what `source` has between the bytes `offset` and `end` of the shard; `path` is what errors call it.
    pub fn new(path: &Path, source: R, offset: u64, end: u64) -> Self {
        Self { path: path.to_owned(), source, offset, end, is_torn: false, payload: Vec::new() }
    }

    /// Where the next frame begins; reading can go on there later.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether a frame that was not written to its end follows.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// The next part; `None` where the whole frames end.
    pub fn read_next(&mut self) -> Result<Option<Content>, ShardError> {
        let is_first = self.offset == 0;
        if (is_first && !self.skip_magic()?) || self.is_torn {
            return Ok(None);
        }
        let left = self.end.saturating_sub(self.offset);
        let next = frame::read(&mut self.source, left, &mut self.payload);
        match next.map_err(|error| ShardError::io(&self.path, &error))? {
            Next::Frame => {}
            end @ (Next::End | Next::Torn) => {
                self.is_torn = end == Next::Torn;
                // Until the heading is there, reading has to begin at the beginning.
                self.offset = if is_first { 0 } else { self.offset };
                return Ok(None);
            }
            Next::Damaged(reason) => return Err(self.damaged(reason)),
        }
        let content = if is_first {
            serde_json::from_slice(&self.payload).map(Content::Heading).map_err(|_| self.damaged("the heading"))?
        } else {
            Content::Game(ShardGame::read(&self.payload).ok_or_else(|| self.damaged("the figures of a game"))?)
        };
        self.offset += self.payload.len() as u64 + frame::OVERHEAD;
        Ok(Some(content))
    }

    /// Goes past the first line; `false` if it is not whole yet.
    fn skip_magic(&mut self) -> Result<bool, ShardError> {
        let mut start = Vec::new();
        let length = self.end.min(MAGIC.len() as u64);
        let read = (&mut self.source).take(length).read_to_end(&mut start);
        read.map_err(|error| ShardError::io(&self.path, &error))?;
        if start == MAGIC {
            self.offset = length;
            return Ok(true);
        }
        if MAGIC.starts_with(&start) {
            self.is_torn = !start.is_empty();
            return Ok(false);
        }
        let path = self.path.clone();
        let same_family = MAGIC.split_last_chunk::<2>().is_some_and(|(name, _)| start.starts_with(name));
        Err(if same_family { ShardError::Version { path } } else { ShardError::Foreign { path } })
    }

    fn damaged(&self, reason: &'static str) -> ShardError {
        ShardError::Damaged { path: self.path.clone(), offset: self.offset, reason }
    }
}
