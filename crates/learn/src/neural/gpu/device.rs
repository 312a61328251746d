//! The kernels and the matrix products of one stream of work.
//!
//! Everything here takes addresses on the device. They are those of a [`super::layout::Layout`] within memory that was
//! allocated for it, or of arrays with a number for every weight or board; all are used on one stream only, in the order of
//! the calls. That is the invariant of the unsafe code of this module and of [`super::pass`].

use std::sync::Arc;

use cudarc::cublas::{CudaBlas, result::sgemm, sys};
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, LaunchConfig, PushKernelArg};

use super::layout::strips;
use crate::cuda::{GpuError, Rounding, compile, open, refused};
use crate::neural::adam::AdamSettings;
use crate::neural::design::Activation;
use crate::neural::plan;

/// How matrices are multiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Products {
    /// Factors rounded to 11 bits (TF32), sums in float32: several times as fast.
    #[default]
    Rounded,
    /// In float32.
    Exact,
}

/// An address on the device.
pub(super) type Address = u64;

/// The address of a number within an array of numbers of four bytes.
pub(super) fn at(array: Address, index: usize) -> Address {
    array + 4 * index as u64
}

/// A matrix row by row.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    pub(super) address: Address,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) transposed: bool,
}

impl Matrix {
    pub(super) fn new(address: Address, rows: usize, columns: usize) -> Self {
        Self { address, rows, columns, transposed: false }
    }

    pub(super) fn transposed(self) -> Self {
        Self { transposed: !self.transposed, ..self }
    }

    /// Its rows and columns after an exchange.
    fn seen(self) -> (usize, usize) {
        if self.transposed { (self.columns, self.rows) } else { (self.rows, self.columns) }
    }
}

/// `Window` of the kernels.
#[derive(Clone, Copy)]
#[repr(C)]
struct Window([u32; 4]);

#[expect(unsafe_code, reason = "a structure passed to kernels by value")]
mod passed {
    // SAFETY: plain numbers in the layout of C, as the kernels declare them.
    unsafe impl cudarc::driver::DeviceRepr for super::Window {}
}

impl From<plan::Window> for Window {
    fn from(window: plan::Window) -> Self {
        Self([window.side, window.side_after(), window.padding, window.channels].map(|number| number as u32))
    }
}

fn code(activation: Activation) -> u32 {
    match activation {
        Activation::Linear => 0,
        Activation::Relu => 1,
        Activation::Selu => 2,
    }
}

/// The first GPU of the machine, with a stream of its own.
pub(super) struct Gpu {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    blas: CudaBlas,
    kernels: Kernels,
}

struct Kernels {
    encode: CudaFunction,
    gather: CudaFunction,
    collect: CudaFunction,
    spread: CudaFunction,
    finish: CudaFunction,
    errors: CudaFunction,
    slopes: CudaFunction,
    sum_strips: CudaFunction,
    adam: CudaFunction,
}

pub(super) const KERNEL: &str = include_str!("kernel.cu");

/// Blocks in which each row of a matrix is walked by threads side by side.
fn by_rows(rows: usize, columns: usize) -> LaunchConfig {
    let x = columns.next_multiple_of(32).min(256) as u32;
    let y = 256 / x;
    LaunchConfig { grid_dim: ((rows as u32).div_ceil(y), 1, 1), block_dim: (x, y, 1), shared_mem_bytes: 0 }
}

/// Blocks of 32 columns.
fn by_columns(columns: usize, strips: usize) -> LaunchConfig {
    let groups = columns.div_ceil(32) as u32;
    LaunchConfig { grid_dim: (groups, strips as u32, 1), block_dim: (32, 8, 1), shared_mem_bytes: 0 }
}

/// The first GPU, if there is one and everything that networks need there.
#[expect(unsafe_code, reason = "asks whether the library can be loaded, before a call that would panic without it")]
pub(in crate::neural) fn ready() -> Result<Arc<CudaContext>, GpuError> {
    let context = open()?;
    // SAFETY: loads a library and looks at the result; no symbol is called.
    if !unsafe { sys::is_culib_present() } {
        return Err(GpuError::NoCuda("libcublas"));
    }
    Ok(context)
}

impl Gpu {
    #[expect(unsafe_code, reason = "switches of libraries that are called by pointers")]
    pub(super) fn open(products: Products) -> Result<Self, GpuError> {
        let context = ready()?;
        // SAFETY: every array is used on the stream that allocated it.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(refused("make a stream"))?;
        let refuses = |error| GpuError::Products("multiply matrices", error);
        let blas = CudaBlas::new(Arc::clone(&stream)).map_err(refuses)?;
        let mode = match products {
            Products::Rounded => sys::cublasMath_t::CUBLAS_TF32_TENSOR_OP_MATH,
            Products::Exact => sys::cublasMath_t::CUBLAS_DEFAULT_MATH,
        };
        // SAFETY: the handle is that of the line above.
        unsafe { sys::cublasSetMathMode(*blas.handle(), mode) }.result().map_err(refuses)?;
        let kernels = Kernels::compile(&context)?;
        Ok(Self { context, stream, blas, kernels })
    }

    /// Replaces `to` by the product of two matrices.
    #[expect(unsafe_code, reason = "the library takes pointers")]
    pub(super) fn multiply(&self, a: Matrix, b: Matrix, to: Address) -> Result<(), GpuError> {
        let ((rows, inner), (same, columns)) = (a.seen(), b.seen());
        assert_eq!(inner, same, "matrices that do not fit");
        let operation = |matrix: Matrix| match matrix.transposed {
            true => sys::cublasOperation_t::CUBLAS_OP_T,
            false => sys::cublasOperation_t::CUBLAS_OP_N,
        };
        // The library reads columns where rows lie, and so sees every matrix transposed. The transposed product is the product
        // of the transposed factors in the other order.
        // SAFETY: see the module; each matrix is as large as it says.
        unsafe {
            sgemm(
                *self.blas.handle(),
                operation(b),
                operation(a),
                columns as i32,
                rows as i32,
                inner as i32,
                &1.0,
                b.address as *const f32,
                b.columns as i32,
                a.address as *const f32,
                a.columns as i32,
                &0.0,
                to as *mut f32,
                columns as i32,
            )
        }
        .map_err(|error| GpuError::Products("multiply matrices", error))
    }

    /// Writes the encoded boards, those that `order` names or, where it is 0, those from the first on.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub(super) fn encode(&self, boards: Address, order: Address, count: usize, to: Address) -> Result<(), GpuError> {
        let rows = count as u32;
        let mut launch = self.stream.launch_builder(&self.kernels.encode);
        launch.arg(&boards).arg(&order).arg(&rows).arg(&to);
        // SAFETY: see the module; there are 256 numbers for each board.
        unsafe { launch.launch(by_rows(count, 256)) }.map(drop).map_err(refused("encode boards"))
    }

    /// Writes what a convolution covers.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub(super) fn gather(
        &self,
        from: Address,
        window: plan::Window,
        boards: usize,
        columns: Address,
    ) -> Result<(), GpuError> {
        let count = boards * window.side_after().pow(2);
        let (passed, rows) = (Window::from(window), count as u32);
        let mut launch = self.stream.launch_builder(&self.kernels.gather);
        launch.arg(&from).arg(&passed).arg(&rows).arg(&columns);
        // SAFETY: see the module; a row holds four cells.
        unsafe { launch.launch(by_rows(count, window.channels)) }.map(drop).map_err(refused("gather cells"))
    }

    /// Sums the slopes of what a convolution covered into those of the cells.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub(super) fn collect(
        &self,
        columns: Address,
        window: plan::Window,
        boards: usize,
        to: Address,
    ) -> Result<(), GpuError> {
        let count = boards * window.side.pow(2);
        let (passed, rows) = (Window::from(window), count as u32);
        let mut launch = self.stream.launch_builder(&self.kernels.collect);
        launch.arg(&columns).arg(&passed).arg(&rows).arg(&to);
        // SAFETY: see the module; a row is a cell.
        unsafe { launch.launch(by_rows(count, window.channels)) }.map(drop).map_err(refused("collect slopes"))
    }

    /// Sums the products of cells and parts of a convolution where they belong, adds biases and applies the activation.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    #[expect(clippy::too_many_arguments, reason = "three places, and how the numbers lie there")]
    pub(super) fn spread(
        &self,
        products: Address,
        window: plan::Window,
        biases: Address,
        activation: Activation,
        boards: usize,
        width: usize,
        to: Address,
    ) -> Result<(), GpuError> {
        let count = boards * window.side_after().pow(2);
        let (passed, activation, rows, columns) = (Window::from(window), code(activation), count as u32, width as u32);
        let mut launch = self.stream.launch_builder(&self.kernels.spread);
        launch.arg(&products).arg(&passed).arg(&biases).arg(&activation).arg(&rows).arg(&columns).arg(&to);
        // SAFETY: see the module; four products for each cell, a row for each place.
        unsafe { launch.launch(by_rows(count, width)) }.map(drop).map_err(refused("spread products"))
    }

    /// Adds biases and applies the activation.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub(super) fn finish(
        &self,
        sums: Address,
        biases: Address,
        activation: Activation,
        rows: usize,
        width: usize,
    ) -> Result<(), GpuError> {
        let (activation, count, columns) = (code(activation), rows as u32, width as u32);
        let mut launch = self.stream.launch_builder(&self.kernels.finish);
        launch.arg(&sums).arg(&biases).arg(&activation).arg(&count).arg(&columns);
        // SAFETY: see the module; there are as many biases as columns.
        unsafe { launch.launch(by_rows(rows, width)) }.map(drop).map_err(refused("finish a layer"))
    }

    /// Writes the slopes of the root of the mean squared error, and the sum of the squares.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub(super) fn errors(
        &self,
        outputs: Address,
        targets: Address,
        order: Address,
        count: usize,
        slopes: Address,
        squares: Address,
    ) -> Result<(), GpuError> {
        let rows = count as u32;
        let mut launch = self.stream.launch_builder(&self.kernels.errors);
        launch.arg(&outputs).arg(&targets).arg(&order).arg(&rows).arg(&slopes).arg(&squares);
        let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        // SAFETY: see the module; one output and one slope for each row, one number of eight bytes for the sum.
        unsafe { launch.launch(config) }.map(drop).map_err(refused("compare with targets"))
    }

    /// Turns slopes by outputs into slopes by sums, and writes their sums over the rows: the slopes of the biases.
    #[expect(unsafe_code, reason = "kernels are launched")]
    #[expect(clippy::too_many_arguments, reason = "a matrix, its twin, its size, and three places to write to")]
    pub(super) fn slopes(
        &self,
        slopes: Address,
        outputs: Address,
        activation: Activation,
        rows: usize,
        width: usize,
        partial: Address,
        biases: Address,
    ) -> Result<(), GpuError> {
        let (strip, count) = strips(rows);
        let (activation, rows, columns, strip) = (code(activation), rows as u32, width as u32, strip as u32);
        let mut launch = self.stream.launch_builder(&self.kernels.slopes);
        launch.arg(&slopes).arg(&outputs).arg(&activation).arg(&rows).arg(&columns).arg(&strip).arg(&partial);
        // SAFETY: see the module; the strips have a number for every column.
        unsafe { launch.launch(by_columns(width, count)) }.map_err(refused("find slopes"))?;
        let strips = count as u32;
        let mut launch = self.stream.launch_builder(&self.kernels.sum_strips);
        launch.arg(&partial).arg(&strips).arg(&columns).arg(&biases);
        // SAFETY: as above, and as many biases as columns.
        unsafe { launch.launch(by_columns(width, 1)) }.map(drop).map_err(refused("sum slopes"))
    }

    /// One step of Adam.
    #[expect(unsafe_code, reason = "a kernel is launched")]
    pub(super) fn adam(
        &self,
        [weights, gradient, mean, square]: [Address; 4],
        count: usize,
        settings: AdamSettings,
        (rate, correction): (f32, f32),
    ) -> Result<(), GpuError> {
        let AdamSettings { beta1, beta2, epsilon } = settings;
        let numbers = count as u32;
        let mut launch = self.stream.launch_builder(&self.kernels.adam);
        launch.arg(&weights).arg(&gradient).arg(&mean).arg(&square).arg(&numbers);
        launch.arg(&beta1).arg(&beta2).arg(&epsilon).arg(&rate).arg(&correction);
        // SAFETY: see the module; all four have `count` numbers.
        unsafe { launch.launch(LaunchConfig::for_num_elems(numbers)) }.map(drop).map_err(refused("make a step"))
    }
}

impl Kernels {
    fn compile(context: &Arc<CudaContext>) -> Result<Self, GpuError> {
        let code = compile(context, KERNEL, Rounding::Joined)?;
        let module = context.load_module(code).map_err(refused("load the kernels"))?;
        let load = |name| module.load_function(name).map_err(refused("find a kernel"));
        Ok(Self {
            encode: load("encode")?,
            gather: load("gather")?,
            collect: load("collect")?,
            spread: load("spread")?,
            finish: load("finish")?,
            errors: load("errors")?,
            slopes: load("slopes")?,
            sum_strips: load("sum_strips")?,
            adam: load("adam")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Needs the compiler, but no GPU.
    #[test]
    #[expect(unsafe_code, reason = "asks whether the compiler can be loaded")]
    fn the_kernels_compile() {
        // SAFETY: loads a library and looks at the result; no symbol is called.
        if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
            eprintln!("not compiled: libnvrtc cannot be loaded");
            return;
        }
        let options = vec!["--gpu-architecture=sm_90".to_owned()];
        let options = cudarc::nvrtc::CompileOptions { options, ..Default::default() };
        cudarc::nvrtc::compile_ptx_with_opts(KERNEL, options).unwrap();
    }

    #[test]
    fn every_row_and_column_has_a_thread() {
        for (rows, columns) in [(1, 1), (9, 16), (5, 33), (7, 256), (3, 8192)] {
            let LaunchConfig { grid_dim, block_dim, .. } = by_rows(rows, columns);
            assert!(block_dim.0 * block_dim.1 <= 256 && block_dim.0 % 32 == 0 && block_dim.1 > 0);
            assert!(grid_dim.0 * block_dim.1 >= rows as u32 && (grid_dim.0 - 1) * block_dim.1 < rows as u32);
        }
    }
}
