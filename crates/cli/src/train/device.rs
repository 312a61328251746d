//! Where a training learns.

use afterstate_learn::neural::{self, Design, DeviceError};
use clap::ValueEnum;

use crate::failure::Failure;

/// Where to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Device {
    /// On the processor, all cores
    Cpu,
    /// On an NVIDIA GPU, with hundreds of games at once or more; needs the feature `cuda`
    Cuda,
}

impl Device {
    /// The device, once it is certain that networks of this design can work there.
    pub(super) fn ready(self, design: &Design) -> Result<neural::Device, Failure> {
        let device = match self {
            Self::Cpu => neural::Device::Cpu,
            Self::Cuda => neural::Device::Cuda,
        };
        device.check(design).map_err(failure)?;
        Ok(device)
    }
}

/// To ask for what this program cannot do is the user's fault, a GPU that refuses the world's.
pub(super) fn failure(error: DeviceError) -> Failure {
    match error {
        DeviceError::NotBuilt | DeviceError::Encoding(_) => Failure::input(error),
        _ => Failure::World(error.to_string()),
    }
}
