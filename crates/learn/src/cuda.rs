//! What everything on an NVIDIA GPU needs: the device, the compiler of kernels, and their errors. CUDA is loaded at run
//! time, and its absence is an error like any other.

use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError};
use cudarc::nvrtc::{CompileError, CompileOptions, Ptx, compile_ptx_with_opts};

use crate::ntuple::OutOfMemory;

/// Why there is no work on a GPU.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// A library of the driver or the toolkit cannot be loaded.
    #[error("no CUDA on this machine: {0} cannot be loaded (an NVIDIA driver for CUDA 13 is needed)")]
    NoCuda(&'static str),
    /// The driver refuses.
    #[error("the GPU refuses to {0}: {1}")]
    Driver(&'static str, DriverError),
    /// The library of matrix products refuses.
    #[error("the GPU refuses to {0}: {1}")]
    Products(&'static str, cudarc::cublas::result::CublasError),
    /// The network is too large for the device.
    #[error("the network needs {needed} bytes on the GPU, but only {free} are free")]
    Memory {
        /// What is needed.
        needed: usize,
        /// What is there.
        free: usize,
    },
    /// The kernels do not compile, which a driver or compiler of another version may cause.
    #[error("the kernels do not compile: {0}")]
    Compile(String),
    /// No memory on the host.
    #[error(transparent)]
    Host(#[from] OutOfMemory),
}

pub(crate) fn refused(what: &'static str) -> impl Fn(DriverError) -> GpuError {
    move |error| GpuError::Driver(what, error)
}

/// Whether the compiler may join a product and a sum, which rounds once instead of twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Never: every operation is rounded, as on the processor.
    Everywhere,
    /// Wherever it is faster.
    Joined,
}

/// Compiles kernels for the device.
pub(crate) fn compile(context: &CudaContext, source: &str, rounding: Rounding) -> Result<Ptx, GpuError> {
    let (major, minor) = context.compute_capability().map_err(refused("say what it is"))?;
    let options = CompileOptions {
        fmad: Some(rounding == Rounding::Joined),
        options: vec![format!("--gpu-architecture=sm_{major}{minor}")],
        ..CompileOptions::default()
    };
    compile_ptx_with_opts(source, options).map_err(|error| match error {
        CompileError::CompileError { log, .. } => GpuError::Compile(log.to_string_lossy().into_owned()),
        other => GpuError::Compile(format!("{other:?}")),
    })
}

/// The first GPU, if there is one.
#[expect(unsafe_code, reason = "asks whether the libraries can be loaded, before a call that would panic without them")]
pub(crate) fn open() -> Result<Arc<CudaContext>, GpuError> {
    // SAFETY: loads a library and looks at the result; no symbol is called.
    if !unsafe { cudarc::driver::sys::is_culib_present() } {
        return Err(GpuError::NoCuda("libcuda"));
    }
    // SAFETY: as above.
    if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
        return Err(GpuError::NoCuda("libnvrtc"));
    }
    CudaContext::new(0).map_err(refused("be opened"))
}
