//! Why a training of a value network ends early.

use std::path::PathBuf;

use super::report::Stage;
use crate::neural::{DeviceError, NetworkError};

/// Why a training ended early. What was reached lies in its folder.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    /// The system refuses.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line that makes no sense before games that do: what follows would be lost with it.
    #[error("{path}: line {line} is not understood, and complete games follow it: put it right, or remove its game")]
    Games {
        /// The file of games.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// A network or checkpoint cannot be read or written.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A spec that no player can be made from.
    #[error("the player `{spec}`: {reason}")]
    Player {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The folder belongs to another training.
    #[error("{folder} holds a training with other settings: give another folder, or the settings in its settings.toml")]
    OtherTraining {
        /// The folder.
        folder: PathBuf,
    },
    /// The network to begin with is not the one that is trained.
    #[error(
        "{start} has another {what} than the settings say: a training begins with a network of its own design and scale"
    )]
    OtherStart {
        /// The network to begin with.
        start: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// There is nothing to learn from.
    #[error("the games of iteration {iteration} hold no position to learn from")]
    NoExamples {
        /// The iteration.
        iteration: u32,
    },
    /// The loss is no number.
    #[error(
        "{stage} of iteration {iteration}, epoch {epoch}: the loss is no longer a number; the state before it is kept in {kept}: a smaller rate may help"
    )]
    Diverged {
        /// What was learned.
        stage: Stage,
        /// The iteration whose games were learned from.
        iteration: u32,
        /// The epoch, counted from 1.
        epoch: u32,
        /// The last good checkpoint.
        kept: PathBuf,
    },
    /// The device does not do what it was asked for.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The device did what it was asked for, and then no more.
    #[error(
        "the device failed in iteration {iteration}: {reason}; the games that ended before are kept in {folder}, and the \
         training can go on from there"
    )]
    DeviceFailed {
        /// The iteration whose games were played.
        iteration: u32,
        /// What the device says.
        reason: String,
        /// The training's folder.
        folder: PathBuf,
    },
    /// Somebody raised the flag.
    #[error("interrupted")]
    Interrupted,
}
