//! What the kernels work on: arrays on the device, and the structures that are passed to them.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DriverError};

use super::Plan;
use super::prelude::{POOL, POOLS};
use super::section::MAX_SECTIONS;
use crate::ntuple::Design;
use crate::ntuple::places::Places;

/// What lies on the device. The names are those of the kernels.
pub(super) struct Memory {
    pub(super) values: CudaSlice<f32>,
    /// Four numbers per weight.
    pub(super) sums: CudaSlice<f32>,
    pub(super) mean: Option<CudaSlice<f32>>,
    pub(super) board: CudaSlice<u64>,
    pub(super) before: CudaSlice<u64>,
    pub(super) before_stage: CudaSlice<u32>,
    pub(super) corrected: CudaSlice<u64>,
    pub(super) corrected_stage: CudaSlice<u32>,
    pub(super) dice: CudaSlice<u64>,
    pub(super) sum: CudaSlice<u32>,
    pub(super) pool: CudaSlice<u64>,
    pub(super) pooled: CudaSlice<u32>,
    pub(super) events: CudaSlice<u64>,
}

impl Memory {
    pub(super) fn allocate(stream: &Arc<CudaStream>, design: &Design, games: usize) -> Result<Self, DriverError> {
        let stages = design.section_ends().len();
        let weights = Places::new(design).len();
        Ok(Self {
            values: stream.alloc_zeros(weights)?,
            sums: stream.alloc_zeros(4 * weights)?,
            mean: None,
            board: stream.alloc_zeros(games)?,
            before: stream.alloc_zeros(games)?,
            before_stage: stream.alloc_zeros(games)?,
            corrected: stream.alloc_zeros(games)?,
            corrected_stage: stream.alloc_zeros(games)?,
            dice: stream.alloc_zeros(4 * games)?,
            sum: stream.alloc_zeros(games)?,
            pool: stream.alloc_zeros(POOLS * POOL * stages)?,
            pooled: stream.alloc_zeros(POOLS * stages)?,
            events: stream.alloc_zeros(3 * stages)?,
        })
    }

    /// The addresses, for one launch after the other on one stream: the order of launches is the order of use.
    pub(super) fn games(&self, stream: &CudaStream) -> Games {
        Games([
            self.board.device_ptr(stream).0,
            self.before.device_ptr(stream).0,
            self.before_stage.device_ptr(stream).0,
            self.corrected.device_ptr(stream).0,
            self.corrected_stage.device_ptr(stream).0,
            self.dice.device_ptr(stream).0,
            self.sum.device_ptr(stream).0,
            self.pool.device_ptr(stream).0,
            self.pooled.device_ptr(stream).0,
            self.events.device_ptr(stream).0,
        ])
    }
}

/// `Games` of the kernels: addresses on the device.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Games([u64; 10]);

/// `Settings` of the kernels.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Settings {
    games: u32,
    segments: u32,
    alpha: f32,
    coherent: u32,
    fade: f32,
    starts: [u32; MAX_SECTIONS],
    bridge: [f32; MAX_SECTIONS + 1],
    bonus: [f32; MAX_SECTIONS + 1],
    rates: [f32; MAX_SECTIONS],
    capture: u32,
    given: u32,
    doubled: u32,
}

#[expect(unsafe_code, reason = "structures passed to kernels by value")]
mod passed {
    // SAFETY: plain numbers in the layout of C, as the kernels declare them.
    unsafe impl cudarc::driver::DeviceRepr for super::Games {}
    // SAFETY: as above.
    unsafe impl cudarc::driver::DeviceRepr for super::Settings {}
}

/// A share in units of 2^-32, as the kernels count it.
fn share(of_one: f32) -> u32 {
    (f64::from(of_one) * f64::from(u32::MAX)) as u32
}

impl Settings {
    pub(super) fn new(plan: &Plan, games: u32, stages: usize) -> Self {
        let total: f64 = plan.starts.iter().take(stages).map(|&share| f64::from(share)).sum();
        let mut starts = [u32::MAX; MAX_SECTIONS];
        let mut sum = 0.0;
        for (start, &share) in starts.iter_mut().zip(&plan.starts).take(stages.saturating_sub(1)) {
            sum += f64::from(share);
            *start = (sum / total * f64::from(u32::MAX)) as u32;
        }
        let bridge = std::array::from_fn(|stage| plan.bridge_into(stage).unwrap_or(-1.0));
        Self {
            games,
            segments: plan.segments.into(),
            alpha: plan.alpha,
            coherent: plan.coherent.into(),
            fade: plan.fade,
            starts,
            bridge,
            bonus: std::array::from_fn(|stage| plan.bonus_for(stage)),
            rates: std::array::from_fn(|stage| plan.rate_in(stage)),
            capture: share(plan.capture),
            given: share(plan.given),
            doubled: share(plan.doubled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_starts_are_cumulated() {
        let plan = Plan { starts: vec![1.0, 0.0, 3.0], ..Plan::default() };
        let settings = Settings::new(&plan, 4, 3);
        let quarter = u32::MAX / 4;
        assert_eq!(settings.starts[..3], [quarter, quarter, u32::MAX]);
        assert_eq!(Settings::new(&Plan::default(), 4, 3).starts[0], u32::MAX);
    }
}
