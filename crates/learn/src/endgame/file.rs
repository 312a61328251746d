//! The file of a table: a head, then the layers from the highest sum down, each a compressed frame of its own.
//!
//! The head is 8 bytes of magic, the format version (u32, little-endian) and a frame with the description as JSON. A frame
//! is its length (u64) and zstd data with a checksum. The frame of a layer holds the probabilities after slides, for one end of
//! the chain after the other in the order of their ranks, first all low and then all high bytes. A file is complete when it has all layers down to the sum 0.
//!
//! A table that is being built grows layer by layer under another name; whatever stops it loses at most the layer in
//! progress.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::build::MAX_SLACK;
use super::pattern::Pattern;
use super::solver::{Quantum, Solver};
use crate::FileError;

const MAGIC: [u8; 8] = *b"afterend";
const VERSION: u32 = 3;
/// The compression of zstd that is still faster than solving.
const LEVEL: i32 = 3;
/// No honest description is longer.
const MAX_DESCRIPTION: u64 = 1 << 16;

/// What a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Which tiles are locked, and which one is built.
    pub pattern: Pattern,
    /// The highest sum of the free cells; above it everything counts as failed.
    pub highest_sum: u32,
}

/// Why a table cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file that is none of this program, damaged or out of reach.
    #[error(transparent)]
    File(#[from] FileError),
    /// An unfinished table of something else is in the way.
    #[error("{path} is an unfinished table of {found}, not of {wanted}; remove it to begin anew")]
    Other {
        /// The file.
        path: PathBuf,
        /// What it is about.
        found: String,
        /// What was to be built.
        wanted: String,
    },
    /// A layer has more fillings than can be numbered.
    #[error("{0} is too large: a layer has more than 4,294,967,295 fillings")]
    TooLarge(Pattern),
    /// More memory is needed than is allowed.
    #[error("{pattern} needs {needed} bytes of memory, and {allowed} are allowed")]
    Memory {
        /// What was to be solved.
        pattern: Pattern,
        /// How much it takes.
        needed: u64,
        /// How much it may take.
        allowed: u64,
    },
}

impl Description {
    /// Whether a table can be about this. What counts the fillings grows with the highest sum: a wrong one must not take all memory.
    fn is_buildable(&self) -> bool {
        let target = self.pattern.target().value();
        (target..=target + MAX_SLACK).contains(&self.highest_sum)
    }

    /// The memory that the values of the table take.
    pub fn bytes(&self) -> Result<u64, TableError> {
        let solver = self.solver()?;
        Ok(2 * solver.ends() as u64 * solver.ranking.len())
    }

    /// The solver of this table.
    pub(crate) fn solver(&self) -> Result<Solver, TableError> {
        Solver::new(&self.pattern, self.highest_sum).ok_or(TableError::TooLarge(self.pattern))
    }
}

/// A file that is read layer by layer.
pub(crate) struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    pub(crate) description: Description,
}

impl Reader {
    /// Opens a file and reads what it is about.
    pub(crate) fn open(path: &Path) -> Result<Self, FileError> {
        let io_error = |source| FileError::Io { path: path.to_owned(), source };
        let foreign = || FileError::Foreign { path: path.to_owned(), wanted: "endgame table" };
        let mut file = BufReader::new(File::open(path).map_err(io_error)?);
        let (mut magic, mut version) = ([0; 8], [0; 4]);
        file.read_exact(&mut magic).and_then(|()| file.read_exact(&mut version)).map_err(|_| foreign())?;
        if magic != MAGIC {
            return Err(foreign());
        }
        let found = u32::from_le_bytes(version);
        if found > VERSION {
            return Err(FileError::Newer { path: path.to_owned(), found, known: VERSION });
        }
        let damaged = |reason: String| FileError::Damaged { path: path.to_owned(), reason };
        if found < VERSION {
            return Err(damaged("it is of an older kind, which no longer counts: build it again".to_owned()));
        }
        let description = read_frame(&mut file, MAX_DESCRIPTION).map_err(|error| damaged(error.to_string()))?;
        let description: Description = serde_json::from_slice(&description.unwrap_or_default())
            .map_err(|error| damaged(format!("its description: {error}")))?;
        if !description.is_buildable() {
            return Err(damaged(format!("no table has the highest sum {}", description.highest_sum)));
        }
        Ok(Self { path: path.to_owned(), file, description })
    }

    pub(crate) fn damaged(&self, reason: impl Into<String>) -> FileError {
        FileError::Damaged { path: self.path.clone(), reason: reason.into() }
    }

    /// The probabilities of the next layer, which must have this many; `None` at the end of the file.
    pub(crate) fn layer(&mut self, len: usize) -> Result<Option<Vec<Quantum>>, FileError> {
        let bytes = read_frame(&mut self.file, 2 * len as u64).map_err(|error| self.damaged(error.to_string()))?;
        let Some(bytes) = bytes else { return Ok(None) };
        if bytes.len() != 2 * len {
            return Err(self.damaged(format!("a layer has {} bytes instead of {}", bytes.len(), 2 * len)));
        }
        let (low, high) = bytes.split_at(len);
        Ok(Some(low.iter().zip(high).map(|(&low, &high)| Quantum::from_le_bytes([low, high])).collect()))
    }

    /// Where the next layer begins.
    fn place(&mut self) -> io::Result<u64> {
        self.file.stream_position()
    }
}

/// A table that is being written.
pub(crate) struct Writer {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
}

impl Writer {
    /// Goes on with an unfinished table, or begins one. Every layer that is complete is shown to `take` with its half sum;
    /// what follows the last complete one is dropped.
    pub(crate) fn open(
        path: &Path,
        description: &Description,
        solver: &Solver,
        mut take: impl FnMut(usize, Vec<Quantum>),
    ) -> Result<Self, TableError> {
        let temporary = unfinished(path);
        let io_error = |source| TableError::from(FileError::Io { path: temporary.clone(), source });
        let end = match Reader::open(&temporary) {
            Ok(mut reader) => {
                if reader.description != *description {
                    let name = |description: &Description| {
                        format!("{} up to the sum {}", description.pattern, description.highest_sum)
                    };
                    let (found, wanted) = (name(&reader.description), name(description));
                    return Err(TableError::Other { path: temporary, found, wanted });
                }
                let mut end = reader.place().map_err(io_error)?;
                for half_sum in (0..=solver.ranking.highest()).rev() {
                    let Ok(Some(slid)) = reader.layer(solver.layer_len(half_sum)) else { break };
                    take(half_sum, slid);
                    end = reader.place().map_err(io_error)?;
                }
                Some(end)
            }
            Err(error @ FileError::Newer { .. }) => return Err(error.into()),
            // Nothing there, or nothing that can be used.
            Err(_) => None,
        };
        let mut file =
            OpenOptions::new().create(true).write(true).truncate(false).open(&temporary).map_err(io_error)?;
        let write_head = |file: &mut File| {
            file.set_len(0)?;
            file.write_all(&MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
            write_frame(file, serde_json::to_string(description)?.as_bytes())?;
            file.sync_all()
        };
        match end {
            Some(end) => file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0)).map(|_| ())),
            None => write_head(&mut file),
        }
        .map_err(io_error)?;
        Ok(Self { path: path.to_owned(), temporary, file: BufWriter::new(file) })
    }

    /// Appends a layer and waits until it is on the disk.
    pub(crate) fn layer(&mut self, slid: &[Quantum]) -> Result<(), FileError> {
        let low = slid.iter().map(|value| value.to_le_bytes()[0]);
        let bytes: Vec<u8> = low.chain(slid.iter().map(|value| value.to_le_bytes()[1])).collect();
        let written = write_frame(&mut self.file, &bytes)
            .and_then(|()| self.file.flush())
            .and_then(|()| self.file.get_ref().sync_data());
        written.map_err(|source| FileError::Io { path: self.temporary.clone(), source })
    }

    /// Gives the complete table its name.
    pub(crate) fn finish(self) -> Result<(), FileError> {
        std::fs::rename(&self.temporary, &self.path).map_err(|source| FileError::Io { path: self.path, source })
    }
}

/// The file in which an unfinished table grows.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn write_frame(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    encoder.include_checksum(true)?;
    encoder.write_all(bytes)?;
    let packed = encoder.finish()?;
    to.write_all(&(packed.len() as u64).to_le_bytes())?;
    to.write_all(&packed)
}

/// The content of the next frame, at most `longest` bytes; `None` at the end of the file.
fn read_frame(from: &mut impl Read, longest: u64) -> io::Result<Option<Vec<u8>>> {
    let mut length = Vec::new();
    from.by_ref().take(8).read_to_end(&mut length)?;
    if length.is_empty() {
        return Ok(None);
    }
    let invalid = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason);
    let length = u64::from_le_bytes(length.try_into().map_err(|_| invalid("it ends within a length"))?);
    let mut packed = Vec::new();
    from.by_ref().take(length).read_to_end(&mut packed)?;
    if packed.len() as u64 != length {
        return Err(invalid("it ends within a layer"));
    }
    let mut bytes = Vec::new();
    zstd::Decoder::new(&packed[..])?.take(longest + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
