//! Networks on an NVIDIA GPU: a batch forward and backward, the steps of a fit, a pupil that learns step by step, and a service
//! that judges the leaves of many games together.
//!
//! Matrix products are those of cuBLAS, the rest is a handful of kernels. Boards are encoded on the device, one-hot, so that the
//! first layer is a layer like any other. Everything is summed in a fixed order: a fit gives the same weights again.

#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod fit;
#[cfg(feature = "cuda")]
mod judge;
mod layout;
#[cfg(feature = "cuda")]
mod pass;
#[cfg(feature = "cuda")]
mod pupil;
mod service;
#[cfg(feature = "cuda")]
mod steps;
#[cfg(all(test, feature = "cuda"))]
mod tests;

use afterstate_twenty48::Board;

use super::pass::contents;

#[cfg(feature = "cuda")]
pub use device::Products;
#[cfg(feature = "cuda")]
pub(super) use device::ready;
#[cfg(feature = "cuda")]
pub use fit::GpuFit;
#[cfg(feature = "cuda")]
pub use judge::GpuJudge;
#[cfg(feature = "cuda")]
pub use pupil::GpuPupil;
#[cfg(feature = "cuda")]
pub(super) use service::Service;

/// What a network sees of a board: nibble `i` is the exponent of cell `i`, at most 15.
fn packed(board: Board) -> u64 {
    contents(board).iter().rev().fold(0, |cells, &content| cells << 4 | u64::from(content))
}
