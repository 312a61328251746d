//! Steps of Adam on the device.

use cudarc::driver::{CudaSlice, DevicePtr};

use super::pass::GpuPass;
use crate::cuda::{GpuError, refused};
use crate::neural::Network;
use crate::neural::adam::Adam;

/// The running means of Adam, beside the weights of a pass.
pub(super) struct Steps {
    mean: CudaSlice<f32>,
    square: CudaSlice<f32>,
}

impl Steps {
    /// Brings the state of an optimiser onto the device of a pass.
    pub(super) fn new(pass: &GpuPass, adam: &Adam) -> Result<Self, GpuError> {
        let take = |numbers: &[f32]| pass.gpu.stream.clone_htod(numbers).map_err(refused("take the means"));
        Ok(Self { mean: take(&adam.mean)?, square: take(&adam.square)? })
    }

    /// Moves the weights of a pass by its gradient.
    pub(super) fn step(&self, pass: &GpuPass, adam: &mut Adam, rate: f32) -> Result<(), GpuError> {
        let address = |array: &CudaSlice<f32>| array.device_ptr(&pass.gpu.stream).0;
        let gradient = pass.gradient.as_ref().map_or(0, address);
        let arrays = [address(&pass.weights), gradient, address(&self.mean), address(&self.square)];
        let step = adam.begin_step(rate);
        pass.gpu.adam(arrays, pass.plan.weights, adam.settings, step)
    }

    /// Brings back the weights of a pass and the means.
    pub(super) fn fetch(&self, pass: &GpuPass, network: &mut Network, adam: &mut Adam) -> Result<(), GpuError> {
        let stream = &pass.gpu.stream;
        let back = refused("return the weights");
        stream.memcpy_dtoh(&pass.weights, network.weights_mut()).map_err(&back)?;
        stream.memcpy_dtoh(&self.mean, &mut adam.mean).map_err(&back)?;
        stream.memcpy_dtoh(&self.square, &mut adam.square).map_err(&back)?;
        stream.synchronize().map_err(&back)
    }
}
