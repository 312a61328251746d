//! A network made ready to judge many boards: weights packed for the processor, the first layer as look-ups, convolutions
//! with fewer multiplications.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use afterstate_twenty48::Board;

use super::activation;
use super::design::{Activation, Encoding};
use super::kernel::{Instructions, Matrix, Pair, Precision};
use super::network::Network;
use super::pass::{contents, gather};
use super::plan::{CONTENTS, Kind, Stage, Window};
use super::transform::{Transformed, Workplace};

/// Boards that are judged at a time: enough for the products to be efficient, few enough for the caches.
const CHUNK: usize = 96;

/// A network that judges. Its outputs are those of [`Network::outputs`] up to rounding, and those of a board are the same
/// to the last bit whatever the other boards and the processor.
pub struct Judge {
    steps: Vec<Step>,
    outputs: usize,
    encoding: Encoding,
    instructions: Instructions,
    /// Memory of threads that are not judging right now.
    idle: Mutex<Vec<Scratch>>,
}

struct Step {
    ready: Ready,
    activation: Activation,
    biases: Vec<f32>,
    /// The numbers it writes for one board.
    numbers: usize,
}

/// A layer made ready.
enum Ready {
    LookUp(Pairs),
    Dense(Matrix),
    Transformed(Transformed),
    /// A convolution on a board that no transformation fits.
    Gathered(Window, Matrix),
}

#[derive(Debug, Default)]
struct Scratch {
    contents: Vec<[u8; 16]>,
    before: Vec<f32>,
    after: Vec<f32>,
    columns: Vec<f32>,
    rounded: Vec<Pair>,
    workplace: Workplace,
}

impl Judge {
    /// Boards that are well judged together: several chunks, and no longer than a few hundredths of a second.
    pub(super) const BATCH: usize = 512;

    /// Makes a network ready.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        Self::with_precision(network, Precision::Float32)
    }

    /// Makes a network ready whose layers between the first and the last one take factors of this precision.
    #[must_use]
    pub fn with_precision(network: &Network, precision: Precision) -> Self {
        Self::with_instructions(network, precision, Instructions::best())
    }

    pub(super) fn with_instructions(network: &Network, precision: Precision, instructions: Instructions) -> Self {
        let encoding = network.design().encoding();
        let last = network.plan.stages.len().saturating_sub(1);
        let steps = network.plan.stages.iter().enumerate().map(|(index, stage)| {
            let matrix = &network.weights[stage.matrix.clone()];
            let biases = network.weights[stage.biases.clone()].to_vec();
            // What the first one reads may be large, and the last one is small.
            let precision = if (1..last).contains(&index) { precision } else { Precision::Float32 };
            let ready = match stage.kind {
                _ if index == 0 && encoding.is_one_hot() => Ready::LookUp(Pairs::new(stage, matrix, &biases)),
                Kind::Dense => Ready::Dense(Matrix::new(precision, matrix, stage.outputs)),
                Kind::Convolution(window) => match Transformed::new(window, precision, matrix, stage.outputs) {
                    Some(transformed) => Ready::Transformed(transformed),
                    None => Ready::Gathered(window, Matrix::new(precision, matrix, stage.outputs)),
                },
            };
            Step { ready, activation: stage.activation, biases, numbers: stage.numbers() }
        });
        let (steps, outputs) = (steps.collect(), network.plan.outputs());
        Self { steps, outputs, encoding, instructions, idle: Mutex::default() }
    }

    /// The number of outputs for one board.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Appends the outputs for these boards, one row for each.
    pub fn judge(&self, boards: &[Board], outputs: &mut Vec<f32>) {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = idle.unwrap_or_default();
        for boards in boards.chunks(CHUNK) {
            scratch.contents.clear();
            scratch.contents.extend(boards.iter().map(|&board| contents(board)));
            if !self.encoding.is_one_hot() {
                scratch.before.clear();
                boards.iter().for_each(|&board| self.encoding.encode(board, &mut scratch.before));
            }
            for step in &self.steps {
                self.run(step, &mut scratch);
                std::mem::swap(&mut scratch.before, &mut scratch.after);
            }
            outputs.extend_from_slice(&scratch.before);
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    /// From `before` to `after`.
    fn run(&self, step: &Step, scratch: &mut Scratch) {
        let Scratch { contents, before, after, columns, rounded, workplace } = scratch;
        let instructions = self.instructions;
        after.resize(contents.len() * step.numbers, 0.0);
        match &step.ready {
            Ready::LookUp(pairs) => pairs.sum(contents, after),
            Ready::Transformed(transformed) => transformed.apply(instructions, before, &step.biases, workplace, after),
            Ready::Dense(matrix) => {
                matrix.multiply(instructions, before, rounded, after);
                add_biases(&step.biases, after);
            }
            Ready::Gathered(window, matrix) => {
                gather(*window, contents.len(), before, columns);
                matrix.multiply(instructions, columns, rounded, after);
                add_biases(&step.biases, after);
            }
        }
        activation::apply_quickly(step.activation, after);
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Judge({} layers, {:?})", self.steps.len(), self.instructions)
    }
}

fn add_biases(biases: &[f32], numbers: &mut [f32]) {
    for row in numbers.chunks_exact_mut(biases.len()) {
        row.iter_mut().zip(biases).for_each(|(number, bias)| *number += bias);
    }
}

/// The first layer: for every pair of cells that it reads together a table with a row for each content of the two.
struct Pairs {
    /// The pairs of cells for each place; `None` outside the board.
    places: Vec<Vec<[Option<usize>; 2]>>,
    tables: Vec<f32>,
    outputs: usize,
}

/// The contents of a cell, and that it lies outside.
const STATES: usize = CONTENTS + 1;

impl Pairs {
    fn new(stage: &Stage, matrix: &[f32], biases: &[f32]) -> Self {
        let outputs = stage.outputs;
        let cells = |place| match stage.kind {
            Kind::Dense => (0..16).map(Some).collect::<Vec<_>>(),
            Kind::Convolution(window) => window.cells(place).to_vec(),
        };
        let places: Vec<Vec<_>> = (0..stage.places).map(|place| cells(place).as_chunks().0.to_vec()).collect();
        let pairs = places.first().map_or(0, Vec::len);
        let mut tables = Vec::with_capacity(pairs * STATES * STATES * outputs);
        for (pair, a, b) in
            (0..pairs).flat_map(|pair| (0..STATES * STATES).map(move |both| (pair, both / STATES, both % STATES)))
        {
            let begin = tables.len();
            if pair == 0 {
                tables.extend_from_slice(biases);
            } else {
                tables.resize(begin + outputs, 0.0);
            }
            for (part, content) in [(2 * pair, a), (2 * pair + 1, b)] {
                if content < CONTENTS {
                    let row = &matrix[(CONTENTS * part + content) * outputs..][..outputs];
                    tables[begin..].iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
                }
            }
        }
        Self { places, tables, outputs }
    }

    fn sum(&self, boards: &[[u8; 16]], to: &mut [f32]) {
        let table = STATES * STATES * self.outputs;
        for (contents, to) in boards.iter().zip(to.chunks_exact_mut(self.places.len() * self.outputs)) {
            for (pairs, to) in self.places.iter().zip(to.chunks_exact_mut(self.outputs)) {
                for (pair, cells) in pairs.iter().enumerate() {
                    let [a, b] = cells.map(|cell| cell.map_or(CONTENTS, |cell| usize::from(contents[cell])));
                    let row = &self.tables[pair * table + (a * STATES + b) * self.outputs..][..self.outputs];
                    if pair == 0 {
                        to.copy_from_slice(row);
                    } else {
                        to.iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;
    use crate::neural::{Design, Layer};

    fn designs() -> Vec<Design> {
        let convolution = |channels, padding| Layer::Convolution { channels, padding, activation: Activation::Relu };
        let dense = |units, activation| Layer::Dense { units, activation };
        let odd = [
            convolution(5, 1),
            convolution(37, 0),
            convolution(18, 0),
            convolution(7, 1),
            dense(3, Activation::Linear),
        ];
        vec![
            Design::convolutional(40, &[33, 7]).unwrap(),
            Design::new(Encoding::Planes, odd.to_vec()).unwrap(),
            Design::new(Encoding::Planes, vec![dense(20, Activation::Selu), dense(1, Activation::Linear)]).unwrap(),
            Design::built_in("policy").unwrap(),
            Design::rectified(Encoding::Features, &[9], 1).unwrap(),
            Design::rectified(Encoding::Slides, &[], 4).unwrap(),
        ]
    }

    fn random_boards(count: usize, dice: &mut Dice) -> Vec<Board> {
        let random = |dice: &mut Dice| Board::from_nibbles(dice.bits() & dice.bits());
        (0..count).map(|_| random(dice)).collect()
    }

    #[test]
    fn a_judge_says_what_the_network_says_to_every_board_alone_and_in_company() {
        let mut dice = Dice::seeded(7);
        for design in designs() {
            let network = Network::random(&design, &mut dice);
            let boards = random_boards(CHUNK + 31, &mut dice);
            let expected = network.outputs(&boards);
            for (precision, error) in [(Precision::Float32, 2e-5), (Precision::Bf16, 2e-2)] {
                let mut reference: Option<Vec<f32>> = None;
                for instructions in Instructions::available() {
                    let judge = Judge::with_instructions(&network, precision, instructions);
                    let mut outputs = Vec::new();
                    judge.judge(&boards, &mut outputs);
                    for (output, expected) in outputs.iter().zip(&expected) {
                        assert!((output - expected).abs() < error, "{instructions:?}: {output}, not {expected}");
                    }
                    let mut alone = Vec::new();
                    boards[..20].iter().for_each(|&board| judge.judge(&[board], &mut alone));
                    assert_eq!(alone, outputs[..alone.len()]);
                    assert_eq!(reference.get_or_insert_with(|| outputs.clone()), &outputs, "{instructions:?}");
                }
            }
        }
    }
}
