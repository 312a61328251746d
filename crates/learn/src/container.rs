//! The file format of networks and checkpoints: tensors in safetensors, compressed with zstd, behind a short head.
//!
//! The head is 8 bytes of magic, the format version (u32) and the length of the safetensors (u64), little-endian. The zstd
//! frame carries a checksum over the whole content, so that a damaged file is an error and never a weak player. The head lies
//! outside it: the version is written once more within, as a note, and read from the head alone where older files lack that note.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use safetensors::tensor::Dtype;
use safetensors::{SafeTensorError, SafeTensors};

use crate::header::{Described, head};

const MAGIC: [u8; 8] = *b"afterst8";
/// The version that is written. Since version 2 the step to which weights of a model are rounded may differ, since version 3
/// more so; since version 4 a model names the pages that have weights; since version 5 a stage of a model may be stored as the
/// difference to an earlier one; since version 6 stages may have tuples that others have not.
const VERSION: u32 = 6;
/// What says the version within the content.
const VERSION_NOTE: &str = "version";
/// The note of which stages are stored as differences, and the version that brought it.
const BASES: (&str, u32) = ("bases", 5);
/// No honest file is larger than this when unpacked.
const MAX_LENGTH: u64 = 64 << 30;

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refuses.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something else than a file of this program.
    #[error("{path} is no {wanted} of this program")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was wanted.
        wanted: &'static str,
    },
    /// Written by a later version.
    #[error("{path} has format version {found}; this program reads versions up to {known}: a newer program is needed")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The latest version that can be read.
        known: u32,
    },
    /// Cut off or changed.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint where a model is wanted, or the other way round.
    #[error("{path} is a {found}, not a {wanted}")]
    WrongKind {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What was wanted.
        wanted: &'static str,
    },
    /// The network does not fit into memory.
    #[error(transparent)]
    Memory(#[from] crate::ntuple::OutOfMemory),
}

/// A tensor to write: its bytes are made when they are needed.
pub(crate) struct Tensor<'a> {
    pub(crate) name: String,
    pub(crate) dtype: Dtype,
    pub(crate) len: usize,
    pub(crate) write: WriteBytes<'a>,
}

/// Writes the bytes of a tensor.
pub(crate) type WriteBytes<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + 'a>;

/// What a file holds, unpacked.
pub(crate) struct Content {
    path: PathBuf,
    pub(crate) version: u32,
    bytes: Vec<u8>,
    notes: HashMap<String, String>,
}

/// Writes a file so that at every moment either the old or the new content is there in full: into a temporary file
/// beside it, onto the disk, then renamed.
pub(crate) fn write(
    path: &Path,
    kind: &'static str,
    notes: &[(&str, String)],
    tensors: &[Tensor<'_>],
    level: i32,
) -> Result<(), FileError> {
    let io_error = |source| FileError::Io { path: path.to_owned(), source };
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    let temporary = PathBuf::from(name);
    let written = write_to(&temporary, kind, notes, tensors, level).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        // The half-written file is of no use; whether it can be removed changes nothing about the error.
        let _ = std::fs::remove_file(&temporary);
    }
    written.map_err(io_error)
}

fn write_to(path: &Path, kind: &str, notes: &[(&str, String)], tensors: &[Tensor<'_>], level: i32) -> io::Result<()> {
    let file = encode(BufWriter::with_capacity(1 << 20, File::create(path)?), kind, notes, tensors, level)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// The bytes that a file without notes takes.
pub(crate) fn size(kind: &str, tensors: &[Tensor<'_>], level: i32) -> Result<u64, FileError> {
    let size = encode(Counted(0), kind, &[], tensors, level);
    size.map(|counted| counted.0).map_err(|source| FileError::Io { path: PathBuf::new(), source })
}

/// Counts what is written and forgets it.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn encode<W: Write>(to: W, kind: &str, notes: &[(&str, String)], tensors: &[Tensor<'_>], level: i32) -> io::Result<W> {
    encode_as(VERSION, to, &[("kind", kind), (VERSION_NOTE, &VERSION.to_string())], notes, tensors, level)
}

fn encode_as<W: Write>(
    version: u32,
    mut to: W,
    own: &[(&str, &str)],
    notes: &[(&str, String)],
    tensors: &[Tensor<'_>],
    level: i32,
) -> io::Result<W> {
    let notes = notes.iter().map(|(name, text)| (*name, text.as_str())).chain(own.iter().copied());
    let described =
        tensors.iter().map(|tensor| Described { name: &tensor.name, dtype: tensor.dtype, shape: vec![tensor.len] });
    let (head, size) = head(notes, described)?;

    to.write_all(&MAGIC)?;
    to.write_all(&version.to_le_bytes())?;
    to.write_all(&(head.len() as u64 + size as u64).to_le_bytes())?;
    let mut packed = zstd::Encoder::new(to, level)?;
    packed.include_checksum(true)?;
    packed.write_all(&head)?;
    for tensor in tensors {
        (tensor.write)(&mut packed)?;
    }
    packed.finish()
}

/// Writes a file as older programs did, which say their version in the head alone.
#[cfg(test)]
pub(crate) fn write_as(version: u32, path: &Path, kind: &str, notes: &[(&str, String)], tensors: &[Tensor<'_>]) {
    std::fs::write(path, encode_as(version, Vec::new(), &[("kind", kind)], notes, tensors, 3).unwrap()).unwrap();
}

/// The JSON of settings, which always have one.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Reads and checks a whole file.
pub(crate) fn read(path: &Path, wanted: &'static str) -> Result<Content, FileError> {
    let io_error = |source| FileError::Io { path: path.to_owned(), source };
    let damaged = |reason: String| FileError::Damaged { path: path.to_owned(), reason };
    let foreign = || FileError::Foreign { path: path.to_owned(), wanted };
    let mut file = File::open(path).map_err(io_error)?;
    let mut head = [0; 20];
    file.read_exact(&mut head).map_err(|_| foreign())?;
    let (magic, rest) = head.split_at(8);
    let (version, length) = rest.split_at(4);
    if magic != MAGIC {
        return Err(foreign());
    }
    let version = u32::from_le_bytes(version.try_into().unwrap_or_default());
    if !(1..=VERSION).contains(&version) {
        return Err(FileError::Newer { path: path.to_owned(), found: version, known: VERSION });
    }
    let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
    if length > MAX_LENGTH {
        return Err(damaged(format!("it claims {length} bytes of content")));
    }
    // The length is only a claim: a foreign one must not take the memory of a large file.
    let mut bytes = Vec::with_capacity(length.min(1 << 30) as usize);
    let mut unpacked = zstd::Decoder::new(file).map_err(io_error)?.take(length + 1);
    unpacked.read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
    if bytes.len() as u64 != length {
        return Err(damaged(format!("{} bytes of content instead of {length}", bytes.len())));
    }
    let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(|error| damaged(error.to_string()))?;
    let notes = metadata.metadata().clone().unwrap_or_default();
    let found = notes.get("kind").cloned().unwrap_or_default();
    if found != wanted {
        return Err(FileError::WrongKind { path: path.to_owned(), found, wanted });
    }
    if !is_version_of(version, &notes) {
        return Err(damaged(format!("its content is not of the format version {version}")));
    }
    Ok(Content { path: path.to_owned(), version, bytes, notes })
}

/// Whether the version of the head can be that of the content: one flipped bit would have differences read as weights.
fn is_version_of(version: u32, notes: &HashMap<String, String>) -> bool {
    let (bases, since) = BASES;
    notes.get(VERSION_NOTE).is_none_or(|written| *written == version.to_string())
        && (version >= since || !notes.contains_key(bases))
}

impl Content {
    /// An error about this file.
    pub(crate) fn damaged(&self, reason: impl Into<String>) -> FileError {
        FileError::Damaged { path: self.path.clone(), reason: reason.into() }
    }

    /// What the note `name` says.
    pub(crate) fn note<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, FileError> {
        let text = self.notes.get(name).ok_or_else(|| self.damaged(format!("it says nothing about its {name}")))?;
        serde_json::from_str(text).map_err(|error| self.damaged(format!("its {name}: {error}")))
    }

    /// All tensors.
    pub(crate) fn tensors(&self) -> Result<SafeTensors<'_>, FileError> {
        SafeTensors::deserialize(&self.bytes).map_err(|error| self.damaged(error.to_string()))
    }

    /// The bytes of one tensor, which must have this type and length.
    pub(crate) fn tensor<'a>(
        &self,
        tensors: &SafeTensors<'a>,
        name: &str,
        dtype: Dtype,
        len: Option<usize>,
    ) -> Result<&'a [u8], FileError> {
        let tensor = tensors.tensor(name).map_err(|error: SafeTensorError| self.damaged(error.to_string()))?;
        if tensor.dtype() != dtype || len.is_some_and(|len| tensor.shape() != [len]) {
            return Err(self.damaged(format!("{name} has the wrong size or type")));
        }
        Ok(tensor.data())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_is_the_same_bytes() {
        let notes: Vec<(String, String)> =
            (0..9).map(|number| (format!("note {number}"), "\"text\"".to_owned())).collect();
        let notes: Vec<(&str, String)> = notes.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        let tensor = Tensor {
            name: "bytes".to_owned(),
            dtype: Dtype::U8,
            len: 3,
            write: Box::new(|to| to.write_all(&[1, 2, 3])),
        };
        let encoded = || encode(Vec::new(), "test", &notes, std::slice::from_ref(&tensor), 1).unwrap();
        assert_eq!(encoded(), encoded());
    }
}
