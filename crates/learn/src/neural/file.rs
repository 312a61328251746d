//! Networks in safetensors files, readable by PyTorch and NumPy, and written by them.
//!
//! Tensors are `layers.N.weight` and `layers.N.bias` (float32), N counting layers from 0, in the shapes of PyTorch's
//! `Linear` (outputs, inputs) and `Conv2d` (outputs, channels, 2, 2); a dense layer after a convolution reads its board
//! channel by channel, as `Flatten` gives it. The metadata holds the design, the scale and the origin as JSON, and the
//! `digest` of all of it and the tensors. Older files of this program have a `checksum` of the tensors alone, and those of other
//! programs neither, nor the version (`afterstate`).

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use super::design::{Design, Encoding};
use super::network::Network;
use super::plan::{CONTENTS, Kind, Stage};
use crate::header::{Described, head};

/// The version of the metadata.
const VERSION: &str = "1";

/// Where a network comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Origin {
    /// The command that made it.
    pub command: String,
    /// The seed of the training.
    pub seed: u64,
    /// What it was trained on, and how that went.
    pub notes: Vec<String>,
}

/// A network as it lies in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredNetwork {
    /// The network.
    pub network: Network,
    /// What an output of 1 stands for: the `dietenberger` thesis learns thousandths of its heuristic.
    pub scale: f32,
    /// Where it comes from.
    pub origin: Origin,
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The system refuses.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Cut off, changed, or no safetensors at all.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Safetensors without the description of a network.
    #[error("{path} is no network of this program: its metadata has no `design`")]
    NoDesign {
        /// The file.
        path: PathBuf,
    },
    /// A description that makes no sense.
    #[error("{path}: its `{name}` is wrong: {reason}")]
    Metadata {
        /// The file.
        path: PathBuf,
        /// Which entry.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Written by a later version.
    #[error("{path} has format version {found}; this program reads version {VERSION}: a newer program is needed")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
    },
    /// A tensor that the design does not have room for, or that is missing.
    #[error("{path}: {reason}")]
    Tensor {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A network for another purpose.
    #[error(
        "{path} has {found} outputs, and {wanted} are needed here: 1 judges boards (`eval=neural`), 4 judge slides (`policy`)"
    )]
    Outputs {
        /// The file.
        path: PathBuf,
        /// How many it has.
        found: usize,
        /// How many it should have.
        wanted: usize,
    },
}

impl StoredNetwork {
    /// Writes the file in one step: the old one, if there is one, stays until the new one is complete.
    pub fn save(&self, path: &Path) -> Result<(), NetworkError> {
        let io = |source| NetworkError::Io { path: path.to_owned(), source };
        let bytes = self.to_bytes().map_err(io)?;
        write_whole(path, &bytes)
    }

    /// The content of the file.
    fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let tensors = tensors(&self.network);
        let (design, scale, origin) = (json(self.network.design()), json(&self.scale), json(&self.origin));
        let notes = [("afterstate", VERSION), ("design", &design), ("scale", &scale), ("origin", &origin)];
        let digest = digest(notes, tensors.iter().map(|tensor| (tensor.name.as_str(), tensor.bytes.as_slice())));
        let notes = notes.into_iter().chain([(DIGEST, digest.as_str())]);
        let described = tensors.iter().map(|Tensor { name, shape, .. }| Described {
            name,
            dtype: Dtype::F32,
            shape: shape.clone(),
        });
        let (mut bytes, size) = head(notes, described)?;
        bytes.reserve(size);
        tensors.iter().for_each(|tensor| bytes.extend_from_slice(&tensor.bytes));
        Ok(bytes)
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        let path = path.to_owned();
        let bytes = std::fs::read(&path).map_err(|source| NetworkError::Io { path: path.clone(), source })?;
        let damaged = |error: safetensors::SafeTensorError| NetworkError::Damaged {
            path: path.clone(),
            reason: error.to_string(),
        };
        let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(damaged)?;
        let notes = metadata.metadata().clone().unwrap_or_default();
        let tensors = SafeTensors::deserialize(&bytes).map_err(damaged)?;
        if let Some(found) = notes.get("afterstate").filter(|&version| version != VERSION) {
            return Err(NetworkError::Newer { path, found: found.clone() });
        }
        if let Err(reason) = check(&notes, &tensors) {
            return Err(NetworkError::Damaged { path, reason });
        }
        let design: Design = note(&path, &notes, "design")?.ok_or(NetworkError::NoDesign { path: path.clone() })?;
        let scale: f32 = note(&path, &notes, "scale")?.unwrap_or(1.0);
        if !(scale.is_finite() && scale > 0.0) {
            let reason = format!("{scale} is no positive number");
            return Err(NetworkError::Metadata { path, name: "scale", reason });
        }
        let origin = note(&path, &notes, "origin")?.unwrap_or_default();
        let network = read(&design, &tensors).map_err(|reason| NetworkError::Tensor { path, reason })?;
        Ok(Self { network, scale, origin })
    }

    /// Reads a file whose network must have this many outputs: 1 judges boards, 4 judge moves.
    pub fn load_with_outputs(path: &Path, wanted: usize) -> Result<Self, NetworkError> {
        let stored = Self::load(path)?;
        let found = stored.network.design().outputs();
        if found != wanted {
            return Err(NetworkError::Outputs { path: path.to_owned(), found, wanted });
        }
        Ok(stored)
    }
}

/// Writes a file in one step: into a temporary one beside it, onto the disk, then renamed.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), NetworkError> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let write = || {
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().map_err(|source| NetworkError::Io { path: path.to_owned(), source })
}

/// A tensor to write.
struct Tensor {
    name: String,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// All tensors of a network, sorted by their names.
fn tensors(network: &Network) -> Vec<Tensor> {
    let mut tensors = Vec::new();
    for (index, stage) in network.plan.stages.iter().enumerate() {
        let matrix = &network.weights[stage.matrix.clone()];
        let places = file_order(stage, network.design().encoding(), index == 0);
        let weights = places.flat_map(|place| matrix[place].to_le_bytes()).collect();
        let biases = network.weights[stage.biases.clone()].iter().flat_map(|bias| bias.to_le_bytes()).collect();
        let [weight, bias] = names(index);
        tensors.push(Tensor { name: weight, shape: shape(stage), bytes: weights });
        tensors.push(Tensor { name: bias, shape: vec![stage.outputs], bytes: biases });
    }
    tensors.sort_by(|a, b| a.name.cmp(&b.name));
    tensors
}

fn read(design: &Design, tensors: &SafeTensors<'_>) -> Result<Network, String> {
    let mut network = Network::zero(design);
    let expected = 2 * network.plan.stages.len();
    if tensors.len() != expected {
        return Err(format!("it has {} tensors, and its design asks for {expected}", tensors.len()));
    }
    for (index, stage) in network.plan.stages.iter().enumerate() {
        let [weight, bias] = names(index);
        let matrix = &mut network.weights[stage.matrix.clone()];
        let numbers = floats(tensors, &weight, &shape(stage))?;
        for (place, number) in file_order(stage, design.encoding(), index == 0).zip(numbers) {
            matrix[place] = number;
        }
        let numbers = floats(tensors, &bias, &[stage.outputs])?;
        network.weights[stage.biases.clone()].copy_from_slice(&numbers);
    }
    Ok(network)
}

fn names(index: usize) -> [String; 2] {
    [format!("layers.{index}.weight"), format!("layers.{index}.bias")]
}

fn shape(stage: &Stage) -> Vec<usize> {
    match stage.kind {
        Kind::Dense => vec![stage.outputs, stage.inputs],
        Kind::Convolution(window) => vec![stage.outputs, window.channels, 2, 2],
    }
}

pub(super) fn floats(tensors: &SafeTensors<'_>, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
    let tensor = tensors.tensor(name).map_err(|_| format!("the tensor {name} is missing"))?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
        let (dtype, found) = (tensor.dtype(), tensor.shape());
        return Err(format!("{name} is {dtype:?} {found:?}, and the design asks for F32 {shape:?}"));
    }
    let numbers: Vec<f32> = tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(place) => Err(format!("{name} holds {} at place {place}: weights must be finite", numbers[place])),
        None => Ok(numbers),
    }
}

/// Where the weights of a file lie in our matrix, in the order of the file.
fn file_order(stage: &Stage, encoding: Encoding, first: bool) -> impl Iterator<Item = usize> {
    let channel_by_channel = |channels: usize, cells: usize| {
        (0..channels).flat_map(move |channel| (0..cells).map(move |cell| cell * channels + channel)).collect()
    };
    let rows: Vec<usize> = match (stage.kind, stage.flattens) {
        (Kind::Convolution(window), _) => channel_by_channel(window.channels, 4),
        (Kind::Dense, Some((channels, side))) => channel_by_channel(channels, side * side),
        (Kind::Dense, None) if first && encoding == Encoding::Planes => channel_by_channel(CONTENTS, 16),
        (Kind::Dense, None) => (0..stage.inputs).collect(),
    };
    let outputs = stage.outputs;
    (0..outputs).flat_map(move |output| rows.clone().into_iter().map(move |row| row * outputs + output))
}

pub(super) fn note<T: serde::de::DeserializeOwned>(
    path: &Path,
    notes: &HashMap<String, String>,
    name: &'static str,
) -> Result<Option<T>, NetworkError> {
    let wrong =
        |error: serde_json::Error| NetworkError::Metadata { path: path.to_owned(), name, reason: error.to_string() };
    notes.get(name).map(|text| serde_json::from_str(text).map_err(wrong)).transpose()
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Whether notes and tensors are those that were written.
fn check(notes: &HashMap<String, String>, tensors: &SafeTensors<'_>) -> Result<(), String> {
    if notes.contains_key(DIGEST) {
        return check_digest(notes, tensors);
    }
    let Some(expected) = notes.get("checksum") else {
        let is_ours = notes.contains_key("afterstate");
        return if is_ours { Err("its digest is missing".to_owned()) } else { Ok(()) };
    };
    let named = sorted(tensors);
    let found = hash(named.iter().flat_map(|(name, view)| [name.as_bytes(), view.data()]));
    let is_right = format!("{found:016x}") == *expected;
    if is_right { Ok(()) } else { Err("its checksum is not that of its weights".to_owned()) }
}

/// The note of [`digest`].
pub(super) const DIGEST: &str = "digest";

/// Whether the digest of a file is that of its content.
pub(super) fn check_digest(notes: &HashMap<String, String>, tensors: &SafeTensors<'_>) -> Result<(), String> {
    let others = notes.iter().map(|(name, text)| (name.as_str(), text.as_str())).filter(|(name, _)| *name != DIGEST);
    let found = digest(others, sorted(tensors).iter().map(|(name, view)| (name.as_str(), view.data())));
    let is_right = notes.get(DIGEST).is_some_and(|expected| *expected == found);
    if is_right { Ok(()) } else { Err("its digest is not that of its notes and weights".to_owned()) }
}

/// What tells a damaged file: a hash of the notes and of the tensors, which come in the order of their names.
pub(super) fn digest<'a>(
    notes: impl IntoIterator<Item = (&'a str, &'a str)>,
    tensors: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> String {
    let mut notes: Vec<_> = notes.into_iter().map(|(name, text)| (name, text.as_bytes())).collect();
    notes.sort_unstable();
    let parts = notes.into_iter().chain(tensors).flat_map(|(name, bytes)| [name.as_bytes(), bytes]);
    format!("{:016x}", hash(parts))
}

fn sorted<'a>(tensors: &SafeTensors<'a>) -> Vec<(String, TensorView<'a>)> {
    let mut named = tensors.tensors();
    named.sort_by(|(a, _), (b, _)| a.cmp(b));
    named
}

/// FNV-1a, eight bytes at a time: it only has to tell a damaged file.
fn hash<'a>(parts: impl Iterator<Item = &'a [u8]>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for chunk in parts.flat_map(|part| part.chunks(8)) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    }
    hash
}
