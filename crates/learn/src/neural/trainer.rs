//! Where a network is fitted and asked: on the processor, or on an NVIDIA GPU.

use super::design::{Design, Encoding};
use super::fit::{Copies, EpochLosses, Examples, Fit, FitSettings};
#[cfg(feature = "cuda")]
use super::gpu::{GpuFit, Products};
use super::loss::Diverged;
#[cfg(feature = "cuda")]
use crate::cuda::GpuError;

/// Where networks work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// On the processor.
    #[default]
    Cpu,
    /// On the first NVIDIA GPU of the machine.
    Cuda,
}

/// Why a network cannot work on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The program knows no GPU.
    #[error("this program was built without CUDA; build it with `cargo build --release --features cuda`")]
    NotBuilt,
    /// An encoding that only the processor computes.
    #[error("the encoding `{0}` is not computed on a GPU: `one-hot` and `planes` are")]
    Encoding(&'static str),
    /// The GPU.
    #[cfg(feature = "cuda")]
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Why an epoch did not end.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The loss is no number.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// The device.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

#[cfg(feature = "cuda")]
impl From<GpuError> for FitError {
    fn from(error: GpuError) -> Self {
        Self::Device(error.into())
    }
}

impl Device {
    /// Whether networks of this design can work there.
    pub fn check(self, design: &Design) -> Result<(), DeviceError> {
        match (self, design.encoding()) {
            (Self::Cpu, _) => Ok(()),
            (Self::Cuda, encoding @ (Encoding::Features | Encoding::Slides)) => {
                Err(DeviceError::Encoding(encoding.name()))
            }
            #[cfg(feature = "cuda")]
            (Self::Cuda, _) => Ok(super::gpu::ready().map(drop)?),
            #[cfg(not(feature = "cuda"))]
            (Self::Cuda, _) => Err(DeviceError::NotBuilt),
        }
    }
}

/// The examples of a fit, where they are worked on.
pub struct Trainer<'a> {
    training: &'a Examples,
    validation: &'a Examples,
    copies: Copies,
    threads: usize,
    #[cfg(feature = "cuda")]
    gpu: Option<GpuFit>,
}

impl<'a> Trainer<'a> {
    /// Makes examples ready for fits of networks of this design, with batches of this size; `threads` are those of the
    /// processor.
    #[cfg_attr(not(feature = "cuda"), expect(unused_variables, reason = "the processor allocates when it sees them"))]
    pub fn new(
        device: Device,
        (design, batch): (&Design, usize),
        [training, validation]: [&'a Examples; 2],
        copies: Copies,
        threads: usize,
    ) -> Result<Self, DeviceError> {
        device.check(design)?;
        Ok(Self {
            training,
            validation,
            copies,
            threads,
            #[cfg(feature = "cuda")]
            gpu: match device {
                Device::Cpu => None,
                Device::Cuda => Some(GpuFit::new(design, batch, training, validation, copies, Products::default())?),
            },
        })
    }

    /// Goes through all examples once: [`Fit::run_epoch`].
    pub fn run_epoch(&mut self, fit: &mut Fit, settings: &FitSettings, seed: u64) -> Result<EpochLosses, FitError> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &mut self.gpu {
            return gpu.run_epoch(fit, settings, seed);
        }
        Ok(fit.run_epoch(settings, self.training, self.validation, self.copies, seed, self.threads)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_cannot_be_used_says_why() {
        let check = |design: &Design| Device::Cuda.check(design).map_err(|error| error.to_string());
        let cnn = Design::built_in("cnn").unwrap();
        let found = check(&cnn);
        if !cfg!(feature = "cuda") {
            assert!(found.as_ref().is_err_and(|error| error.contains("built without CUDA")), "{found:?}");
        } else if let Err(error) = found {
            assert!(error.contains("no CUDA on this machine") || error.contains("the GPU refuses"), "{error}");
        }
        let features = Design::rectified(Encoding::Features, &[4], 1).unwrap();
        assert_eq!(
            check(&features).unwrap_err(),
            "the encoding `features` is not computed on a GPU: `one-hot` and `planes` are"
        );
        assert!(Device::Cpu.check(&features).is_ok());
        let (none, copies) = (Examples::default(), Copies::None);
        assert!(Trainer::new(Device::Cuda, (&features, 1), [&none, &none], copies, 1).is_err());
        assert!(Trainer::new(Device::Cpu, (&cnn, 1), [&none, &none], copies, 1).is_ok());
    }
}
