//! A batch of boards forward through a network, and the slopes of a loss backward.

use afterstate_twenty48::Board;

use super::activation;
use super::network::Network;
use super::plan::{CONTENTS, Kind, Stage, Window};
use super::product::{Matrix, Onto, multiply};

/// The numbers of one batch, kept from the forward pass for the backward pass. Used again and again, it allocates nothing
/// once it has seen its largest batch.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// The exponents of the cells, capped to what a network can tell apart.
    contents: Vec<[u8; 16]>,
    layers: Vec<Numbers>,
    /// Slopes of the layer at hand and of the one before it.
    slopes: [Vec<f32>; 2],
    /// Slopes of the columns of a convolution.
    columns: Vec<f32>,
}

/// What one layer keeps.
#[derive(Clone, Debug, Default)]
struct Numbers {
    /// What it read, one row for each application of its matrix; empty where that is what the layer before wrote, or
    /// one-hot.
    inputs: Vec<f32>,
    outputs: Vec<f32>,
}

/// What a network sees of a board.
pub(super) fn contents(board: Board) -> [u8; 16] {
    board.exponents().map(|exponent| exponent.min(CONTENTS as u8 - 1))
}

impl Pass {
    /// The outputs of a network for these boards, one row for each board.
    pub fn forward(&mut self, network: &Network, boards: &[Board]) -> &[f32] {
        let stages = &network.plan.stages;
        self.contents.clear();
        self.contents.extend(boards.iter().map(|&board| contents(board)));
        self.layers.resize_with(stages.len(), Numbers::default);
        for (index, stage) in stages.iter().enumerate() {
            let (before, rest) = self.layers.split_at_mut(index);
            let layer = &mut rest[0];
            layer.outputs.clear();
            layer.outputs.resize(boards.len() * stage.numbers(), 0.0);
            let weights = &network.weights;
            let (matrix, biases) = (&weights[stage.matrix.clone()], &weights[stage.biases.clone()]);
            let inputs = match (before.last(), stage.kind) {
                (None, _) if network.design().encoding().is_one_hot() => {
                    look_up(stage, matrix, biases, &self.contents, &mut layer.outputs);
                    activation::apply(stage.activation, &mut layer.outputs);
                    continue;
                }
                (None, _) => {
                    layer.inputs.clear();
                    boards.iter().for_each(|&board| network.design().encoding().encode(board, &mut layer.inputs));
                    &layer.inputs
                }
                (Some(before), Kind::Dense) => &before.outputs,
                (Some(before), Kind::Convolution(window)) if window.covers_every_cell() => {
                    spread(window, &before.outputs, matrix, &mut self.columns, &mut layer.outputs);
                    finish(stage, biases, &mut layer.outputs);
                    continue;
                }
                (Some(before), Kind::Convolution(window)) => {
                    gather(window, boards.len(), &before.outputs, &mut layer.inputs);
                    &layer.inputs
                }
            };
            let matrix = Matrix::new(matrix, stage.outputs);
            multiply(Matrix::new(inputs, stage.inputs), matrix, &mut layer.outputs, Onto::Replace);
            finish(stage, biases, &mut layer.outputs);
        }
        self.outputs()
    }

    /// The outputs of the last forward pass.
    #[must_use]
    pub fn outputs(&self) -> &[f32] {
        self.layers.last().map_or(&[], |layer| &layer.outputs)
    }

    /// Adds the slopes of a loss to `gradient`, which has a number for every weight. `slopes` are those of the loss by the
    /// outputs of the last forward pass, which must have been of this network with these weights.
    pub fn backward(&mut self, network: &Network, slopes: &[f32], gradient: &mut [f32]) {
        assert_eq!(slopes.len(), self.outputs().len(), "one slope for every output");
        assert_eq!(gradient.len(), network.weights.len(), "one number for every weight");
        let [slopes_here, slopes_before] = &mut self.slopes;
        slopes_here.clear();
        slopes_here.extend_from_slice(slopes);
        for (index, stage) in network.plan.stages.iter().enumerate().rev() {
            let layer = &self.layers[index];
            activation::slopes(stage.activation, &layer.outputs, slopes_here);
            for row in slopes_here.chunks_exact(stage.outputs) {
                let biases = &mut gradient[stage.biases.clone()];
                biases.iter_mut().zip(row).for_each(|(bias, slope)| *bias += slope);
            }
            if index == 0 && network.design().encoding().is_one_hot() {
                look_up_slopes(stage, &self.contents, slopes_here, &mut gradient[stage.matrix.clone()]);
                break;
            }
            let matrix = &network.weights[stage.matrix.clone()];
            let inputs = match stage.kind {
                Kind::Dense if index > 0 => &self.layers[index - 1].outputs,
                Kind::Convolution(window) if window.covers_every_cell() => {
                    let inputs = &self.layers[index - 1].outputs;
                    let gradient = &mut gradient[stage.matrix.clone()];
                    spread_slopes(window, inputs, matrix, slopes_here, &mut self.columns, gradient, slopes_before);
                    std::mem::swap(slopes_here, slopes_before);
                    continue;
                }
                _ => &layer.inputs,
            };
            let here = Matrix::new(slopes_here, stage.outputs);
            let inputs = Matrix::new(inputs, stage.inputs).transposed();
            multiply(inputs, here, &mut gradient[stage.matrix.clone()], Onto::Add);
            if index == 0 {
                break;
            }

            let matrix = Matrix::new(matrix, stage.outputs).transposed();
            let read = if stage.kind == Kind::Dense { &mut *slopes_before } else { &mut self.columns };
            read.clear();
            read.resize(slopes_here.len() / stage.outputs * stage.inputs, 0.0);
            multiply(here, matrix, read, Onto::Replace);
            if let Kind::Convolution(window) = stage.kind {
                scatter(window, self.contents.len(), &self.columns, slopes_before);
            }
            std::mem::swap(slopes_here, slopes_before);
        }
    }
}

/// What follows the products of a layer.
fn finish(stage: &Stage, biases: &[f32], outputs: &mut [f32]) {
    for row in outputs.chunks_exact_mut(stage.outputs) {
        row.iter_mut().zip(biases).for_each(|(output, bias)| *output += bias);
    }
    activation::apply(stage.activation, outputs);
}

/// The first layer: its input is one-hot, so a product is the sum of a few rows of its matrix.
fn look_up(stage: &Stage, matrix: &[f32], biases: &[f32], boards: &[[u8; 16]], outputs: &mut [f32]) {
    for (contents, outputs) in boards.iter().zip(outputs.chunks_exact_mut(stage.numbers())) {
        for (place, outputs) in outputs.chunks_exact_mut(stage.outputs).enumerate() {
            outputs.copy_from_slice(biases);
            for_each_row(stage, contents, place, |row| {
                let row = &matrix[row * stage.outputs..][..stage.outputs];
                outputs.iter_mut().zip(row).for_each(|(output, weight)| *output += weight);
            });
        }
    }
}

/// The slopes of the first layer: those of an output go to the rows that it summed.
fn look_up_slopes(stage: &Stage, boards: &[[u8; 16]], slopes: &[f32], gradient: &mut [f32]) {
    for (contents, slopes) in boards.iter().zip(slopes.chunks_exact(stage.numbers())) {
        for (place, slopes) in slopes.chunks_exact(stage.outputs).enumerate() {
            for_each_row(stage, contents, place, |row| {
                let row = &mut gradient[row * stage.outputs..][..stage.outputs];
                row.iter_mut().zip(slopes).for_each(|(weight, slope)| *weight += slope);
            });
        }
    }
}

/// Visits the rows of the first layer's matrix whose input is 1.
#[inline]
fn for_each_row(stage: &Stage, contents: &[u8; 16], place: usize, mut visit: impl FnMut(usize)) {
    match stage.kind {
        Kind::Dense => {
            contents.iter().enumerate().for_each(|(cell, &content)| visit(CONTENTS * cell + usize::from(content)));
        }
        Kind::Convolution(window) => {
            for (part, cell) in window.cells(place).into_iter().enumerate() {
                if let Some(cell) = cell {
                    visit(CONTENTS * part + usize::from(contents[cell]));
                }
            }
        }
    }
}

/// Writes what the kernel covers at every place of every board, one row each.
pub(super) fn gather(window: Window, boards: usize, from: &[f32], columns: &mut Vec<f32>) {
    let (channels, places) = (window.channels, window.side_after().pow(2));
    columns.clear();
    columns.resize(boards * places * 4 * channels, 0.0);
    let boards = from.chunks_exact(window.side * window.side * channels);
    for (board, rows) in boards.zip(columns.chunks_exact_mut(places * 4 * channels)) {
        for (place, row) in rows.chunks_exact_mut(4 * channels).enumerate() {
            for (cell, part) in window.cells(place).into_iter().zip(row.chunks_exact_mut(channels)) {
                if let Some(cell) = cell {
                    part.copy_from_slice(&board[cell * channels..][..channels]);
                }
            }
        }
    }
}

/// Adds the slopes of what the kernel covered to those of the cells.
fn scatter(window: Window, boards: usize, columns: &[f32], to: &mut Vec<f32>) {
    let (channels, places) = (window.channels, window.side_after().pow(2));
    to.clear();
    to.resize(boards * window.side * window.side * channels, 0.0);
    let boards = to.chunks_exact_mut(window.side * window.side * channels);
    for (board, rows) in boards.zip(columns.chunks_exact(places * 4 * channels)) {
        for (place, row) in rows.chunks_exact(4 * channels).enumerate() {
            for (cell, part) in window.cells(place).into_iter().zip(row.chunks_exact(channels)) {
                if let Some(cell) = cell {
                    let slopes = &mut board[cell * channels..][..channels];
                    slopes.iter_mut().zip(part).for_each(|(slope, part)| *slope += part);
                }
            }
        }
    }
}

/// A convolution whose kernel reaches every cell with each of its four parts (the padded one): every cell is multiplied by
/// every part and the products are added where they belong. The padding is never multiplied: 36 products for a board of 3x3
/// cells instead of the 64 that its 16 places would take.
fn spread(window: Window, inputs: &[f32], matrix: &[f32], products: &mut Vec<f32>, to: &mut [f32]) {
    let outputs = matrix.len() / (4 * window.channels);
    let rows = inputs.len() / window.channels;
    for (part, matrix) in matrix.chunks_exact(window.channels * outputs).enumerate() {
        products.clear();
        products.resize(rows * outputs, 0.0);
        multiply(Matrix::new(inputs, window.channels), Matrix::new(matrix, outputs), products, Onto::Replace);
        let places = window.places_after(part);
        let boards = to.chunks_exact_mut(window.side_after().pow(2) * outputs);
        for (board, products) in boards.zip(products.chunks_exact(places.len() * outputs)) {
            for (place, product) in places.iter().zip(products.chunks_exact(outputs)) {
                let sums = &mut board[place * outputs..][..outputs];
                sums.iter_mut().zip(product).for_each(|(sum, product)| *sum += product);
            }
        }
    }
}

/// The slopes of [`spread`]: those of the matrix are added to `gradient`, those of the inputs replace `before`.
fn spread_slopes(
    window: Window,
    inputs: &[f32],
    matrix: &[f32],
    slopes: &[f32],
    columns: &mut Vec<f32>,
    gradient: &mut [f32],
    before: &mut Vec<f32>,
) {
    let outputs = matrix.len() / (4 * window.channels);
    before.clear();
    before.resize(inputs.len(), 0.0);
    let parts = matrix.chunks_exact(window.channels * outputs);
    for (part, (matrix, gradient)) in parts.zip(gradient.chunks_exact_mut(window.channels * outputs)).enumerate() {
        let places = window.places_after(part);
        columns.clear();
        for board in slopes.chunks_exact(window.side_after().pow(2) * outputs) {
            places.iter().for_each(|place| columns.extend_from_slice(&board[place * outputs..][..outputs]));
        }
        let here = Matrix::new(columns, outputs);
        multiply(Matrix::new(inputs, window.channels).transposed(), here, gradient, Onto::Add);
        multiply(here, Matrix::new(matrix, outputs).transposed(), before, Onto::Add);
    }
}
