//! Where a training learns.

use clap::ValueEnum;

/// Where to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Device {
    /// On the processor, all cores
    Cpu,
    /// On an NVIDIA GPU, with hundreds of games at once or more; needs the feature `cuda`
    Cuda,
}
