//! A batch of boards forward through a network on the device, and the slopes of a loss backward.

use cudarc::driver::{CudaSlice, DevicePtr};

use super::device::{Address, Gpu, Matrix, Products, at};
use super::layout::{Keep, Layout, Places, side_by_side, spreads};
use crate::cuda::{GpuError, refused};
use crate::neural::design::Design;
use crate::neural::plan::{Kind, Plan, Stage};

/// A network on the device, with room for a batch.
pub(super) struct GpuPass {
    pub(super) gpu: Gpu,
    pub(super) plan: Plan,
    pub(super) layout: Layout,
    keep: Keep,
    /// The most boards of a batch.
    pub(super) room: usize,
    pub(super) weights: CudaSlice<f32>,
    pub(super) gradient: Option<CudaSlice<f32>>,
    numbers: CudaSlice<f32>,
}

impl GpuPass {
    /// Room for batches of this many boards. The weights are zero.
    pub(super) fn new(design: &Design, room: usize, keep: Keep, products: Products) -> Result<Self, GpuError> {
        let gpu = Gpu::open(products)?;
        let plan = design.plan();
        let layout = Layout::new(&plan, room, keep);
        let (needed, (free, _)) =
            (4 * (layout.floats + 4 * plan.weights), gpu.context.mem_get_info().map_err(refused("count its memory"))?);
        if needed > free {
            return Err(GpuError::Memory { needed, free });
        }
        let zeros = |count| gpu.stream.alloc_zeros(count).map_err(refused("give memory"));
        let (weights, numbers) = (zeros(plan.weights)?, zeros(layout.floats)?);
        let gradient = if keep == Keep::All { Some(zeros(plan.weights)?) } else { None };
        Ok(Self { gpu, plan, layout, keep, room, weights, gradient, numbers })
    }

    /// Replaces the weights.
    pub(super) fn load(&mut self, weights: &[f32]) -> Result<(), GpuError> {
        let take = |weights: &[f32], to: &mut CudaSlice<f32>| {
            self.gpu.stream.memcpy_htod(weights, to).map_err(refused("take the weights"))
        };
        if self.keep == Keep::All {
            return take(weights, &mut self.weights);
        }
        let mut weights = weights.to_vec();
        for stage in self.plan.stages.iter().filter(|stage| spreads(stage).is_some()) {
            let matrix = side_by_side(stage, &weights[stage.matrix.clone()]);
            weights[stage.matrix.clone()].copy_from_slice(&matrix);
        }
        take(&weights, &mut self.weights)
    }

    /// The address of an offset of the layout.
    pub(super) fn number(&self, offset: usize) -> Address {
        at(self.numbers.device_ptr(&self.gpu.stream).0, offset)
    }

    fn weight(&self, index: usize) -> Address {
        at(self.weights.device_ptr(&self.gpu.stream).0, index)
    }

    /// Where the outputs of the last layer are.
    pub(super) fn outputs(&self) -> usize {
        self.layout.layers.last().map_or(self.layout.input, |places| places.outputs)
    }

    /// Appends the outputs of the last forward pass, of this many boards.
    pub(super) fn read(&self, count: usize, outputs: &mut Vec<f32>) -> Result<(), GpuError> {
        let at = self.outputs();
        let part = self.numbers.slice(at..at + count * self.plan.outputs());
        let stream = &self.gpu.stream;
        let read = stream.clone_dtoh(&part).and_then(|read| stream.synchronize().map(|()| read));
        outputs.extend(read.map_err(refused("return outputs"))?);
        Ok(())
    }

    /// Takes the slopes of a loss by the outputs of the last forward pass, for [`GpuPass::backward`].
    pub(super) fn take_slopes(&mut self, slopes: &[f32]) -> Result<(), GpuError> {
        let at = self.layout.slopes[0];
        let mut place = self.numbers.slice_mut(at..at + slopes.len());
        self.gpu.stream.memcpy_htod(slopes, &mut place).map_err(refused("take slopes"))
    }

    /// What a layer reads, one row for each application of its matrix; before the forward pass has been there, only its place.
    fn inputs(&self, index: usize, count: usize) -> Matrix {
        let stage = &self.plan.stages[index];
        let offset = match stage.kind {
            Kind::Convolution(_) => self.layout.layers[index].columns,
            Kind::Dense => self.before(index),
        };
        Matrix::new(self.number(offset), count * stage.places, stage.inputs)
    }

    /// Where the outputs of the layer before are.
    fn before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(self.layout.input, |before| self.layout.layers[before].outputs)
    }

    fn matrix(&self, stage: &Stage) -> Matrix {
        Matrix::new(self.weight(stage.matrix.start), stage.inputs, stage.outputs)
    }

    /// Runs a batch of boards, at most as many as there is room for: those of `order`, or without one (0) the first ones.
    pub(super) fn forward(&mut self, boards: Address, order: Address, count: usize) -> Result<(), GpuError> {
        assert!(count <= self.room, "more boards than there is room for");
        let gpu = &self.gpu;
        gpu.context.bind_to_thread().map_err(refused("be used"))?;
        gpu.encode(boards, order, count, self.number(self.layout.input))?;
        for (index, (stage, &Places { columns, outputs })) in
            self.plan.stages.iter().zip(&self.layout.layers).enumerate()
        {
            let biases = self.weight(stage.biases.start);
            if let (Keep::Outputs, Some(window)) = (self.keep, spreads(stage)) {
                let cells = Matrix::new(self.number(self.before(index)), count * window.side.pow(2), window.channels);
                let parts = Matrix::new(self.weight(stage.matrix.start), window.channels, 4 * stage.outputs);
                let (products, outputs) = (self.number(columns), self.number(outputs));
                gpu.multiply(cells, parts, products)?;
                gpu.spread(products, window, biases, stage.activation, count, stage.outputs, outputs)?;
                continue;
            }
            if let Kind::Convolution(window) = stage.kind {
                gpu.gather(self.number(self.before(index)), window, count, self.number(columns))?;
            }
            let outputs = self.number(outputs);
            gpu.multiply(self.inputs(index, count), self.matrix(stage), outputs)?;
            gpu.finish(outputs, biases, stage.activation, count * stage.places, stage.outputs)?;
        }
        Ok(())
    }

    /// Replaces the gradient by the slopes of a loss. Those by the outputs of the last forward pass, which was of as many
    /// boards, lie in the first place for slopes.
    pub(super) fn backward(&mut self, count: usize) -> Result<(), GpuError> {
        let (gpu, layout) = (&self.gpu, &self.layout);
        let Some(gradient) = &self.gradient else { return Ok(()) };
        let gradient = gradient.device_ptr(&gpu.stream).0;
        let [mut here, mut before] = layout.slopes.map(|offset| self.number(offset));
        for (index, stage) in self.plan.stages.iter().enumerate().rev() {
            let Places { columns, outputs } = layout.layers[index];
            let rows = count * stage.places;
            let biases = at(gradient, stage.biases.start);
            let (outputs, strips) = (self.number(outputs), self.number(layout.strips));
            gpu.slopes(here, outputs, stage.activation, rows, stage.outputs, strips, biases)?;
            let slopes = Matrix::new(here, rows, stage.outputs);
            gpu.multiply(self.inputs(index, count).transposed(), slopes, at(gradient, stage.matrix.start))?;
            if index == 0 {
                break;
            }
            let matrix = self.matrix(stage).transposed();
            match stage.kind {
                Kind::Dense => gpu.multiply(slopes, matrix, before)?,
                Kind::Convolution(window) => {
                    // What was covered is not needed any more: its slopes take its place.
                    let columns = self.number(columns);
                    gpu.multiply(slopes, matrix, columns)?;
                    gpu.collect(columns, window, count, before)?;
                }
            }
            std::mem::swap(&mut here, &mut before);
        }
        Ok(())
    }
}
