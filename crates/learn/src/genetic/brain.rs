//! A network whose weights lie in one line, so that a chromosome needs no unpacking.
//!
//! Every layer's weights are stored input by input. Of a fully connected network the first layer on one-hot inputs is then
//! sixteen look-ups and additions, one for each cell, and the others skip the inputs that `ReLU` has set to zero (about half of them).

use std::cell::RefCell;

use afterstate_game::{Dice, Evaluation, Position};
use afterstate_twenty48::{Board, Slid, State};

use crate::neural::{Activation, Design, DesignError, Encoding, Layer, Network};

/// What a network looks like, and where its weights lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    design: Design,
    /// Inputs and outputs of the matrix of every layer in turn.
    layers: Vec<(usize, usize)>,
    /// Whether all layers are dense with `ReLU` between them: what a [`Thought`] is quick at.
    rectified: bool,
}

/// Layers that do not make a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrainError {
    /// Hidden layers that are too many or too large.
    #[error("layers {0:?}: expected at most 16 hidden layers of 1 to 4096 neurons each")]
    Hidden(Vec<usize>),
    /// Any other fault.
    #[error(transparent)]
    Design(#[from] DesignError),
}

impl Shape {
    /// Dense layers with `ReLU` behind the hidden ones; `outputs` is 4 for a policy, 1 for a value.
    pub fn new(encoding: Encoding, hidden: &[usize], outputs: usize) -> Result<Self, BrainError> {
        if hidden.len() > 16 || hidden.iter().any(|size| !(1..=4096).contains(size)) {
            return Err(BrainError::Hidden(hidden.to_vec()));
        }
        Ok(Self::of(Design::rectified(encoding, hidden, outputs)?))
    }

    /// The shape of any network.
    #[must_use]
    pub fn of(design: Design) -> Self {
        let rectified = design.layers().split_last().is_some_and(|(last, hidden)| {
            let is_dense =
                |layer: &Layer, wanted| matches!(layer, Layer::Dense { activation, .. } if *activation == wanted);
            is_dense(last, Activation::Linear) && hidden.iter().all(|layer| is_dense(layer, Activation::Relu))
        });
        Self { layers: design.matrices(), rectified, design }
    }

    /// Whether a [`Thought`] is the quickest way to ask such a network; otherwise a judge is.
    pub(super) fn is_rectified(&self) -> bool {
        self.rectified
    }

    /// The number of weights, biases included.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.layers.iter().map(|(inputs, outputs)| (inputs + 1) * outputs).sum()
    }

    /// Random weights, uniform within one over the root of the number of inputs of their layer, times `scale`.
    pub(super) fn random(&self, scale: f32, dice: &mut Dice) -> Vec<f32> {
        let mut weights = Vec::with_capacity(self.weights());
        for (count, range) in self.ranges() {
            weights.extend((0..count).map(|_| uniform(scale * range, dice)));
        }
        weights
    }

    /// How far from zero random weights lie, as runs of equal ranges. Of one-hot inputs only one in sixteen is ever on.
    pub(super) fn ranges(&self) -> Vec<(usize, f32)> {
        let one_hot = self.design.encoding().is_one_hot();
        let layers = self.layers.iter().enumerate();
        layers
            .map(|(layer, &(inputs, outputs))| {
                let on = if layer == 0 && one_hot { inputs / 16 } else { inputs };
                ((inputs + 1) * outputs, 1.0 / (on as f32).sqrt())
            })
            .collect()
    }
}

/// A number between `-range` and `range`.
pub(super) fn uniform(range: f32, dice: &mut Dice) -> f32 {
    range * (2.0 * dice.unit() as f32 - 1.0)
}

/// A network: a shape and its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Brain {
    shape: Shape,
    weights: Vec<f32>,
}

/// Room for the activations of one board, kept between calls.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    now: Vec<f32>,
    next: Vec<f32>,
    active: Vec<u32>,
}

impl Brain {
    /// A network of these weights, if there are as many as the shape needs.
    #[must_use]
    pub fn new(shape: Shape, weights: Vec<f32>) -> Option<Self> {
        (weights.len() == shape.weights()).then_some(Self { shape, weights })
    }

    /// The sizes of its layers.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its weights: layer by layer, for each input the weights to all outputs, then the biases.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The same network for everybody else: its weights lie in the same order.
    #[must_use]
    pub fn network(&self) -> Network {
        let network = Network::with_weights(&self.shape.design, self.weights.clone());
        network.unwrap_or_else(|error| unreachable!("counted when the network was made: {error}"))
    }

    /// What it says about a board. Tiles of 65536 and more look like 32768. A network with other layers than dense ones and
    /// `ReLU` is made anew for every board: ask it through a judge of [`Self::network`].
    pub fn think<'a>(&self, board: Board, thought: &'a mut Thought) -> &'a [f32] {
        if !self.shape.rectified {
            thought.now = self.network().outputs(&[board]);
            return &thought.now;
        }
        let mut layers = self.shape.layers.iter().copied();
        let mut rest = self.weights.as_slice();
        if let Some((inputs, outputs)) = layers.next() {
            let (matrix, after) = rest.split_at(inputs * outputs);
            let (bias, after) = after.split_at(outputs);
            rest = after;
            thought.read(self.shape.design.encoding(), board, matrix, bias);
        }
        for (inputs, outputs) in layers {
            let (matrix, after) = rest.split_at(inputs * outputs);
            let (bias, after) = after.split_at(outputs);
            rest = after;
            thought.step(matrix, bias);
        }
        &thought.now
    }
}

impl Thought {
    /// The first layer.
    fn read(&mut self, encoding: Encoding, board: Board, matrix: &[f32], bias: &[f32]) {
        let row = |input: usize| &matrix[input * bias.len()..][..bias.len()];
        self.now.clear();
        self.now.extend_from_slice(bias);
        if encoding.is_one_hot() {
            for (cell, exponent) in board.exponents().into_iter().enumerate() {
                add(&mut self.now, row(16 * cell + usize::from(exponent.min(15))));
            }
            return;
        }
        self.next.clear();
        encoding.encode(board, &mut self.next);
        for (input, &factor) in self.next.iter().enumerate() {
            self.now.iter_mut().zip(row(input)).for_each(|(sum, weight)| *sum += factor * weight);
        }
    }

    /// `ReLU` on the activations, then the next layer.
    fn step(&mut self, matrix: &[f32], bias: &[f32]) {
        let outputs = bias.len();
        self.active.clear();
        self.active.extend((0u32..).zip(&self.now).filter(|(_, value)| **value > 0.0).map(|(input, _)| input));
        self.next.clear();
        self.next.extend_from_slice(bias);
        let row = |input: u32| &matrix[input as usize * outputs..][..outputs];
        let (fours, rest) = self.active.as_chunks::<4>();
        for four in fours {
            add_four(&mut self.next, four.map(row), four.map(|input| self.now[input as usize]));
        }
        for &input in rest {
            let factor = self.now[input as usize];
            self.next.iter_mut().zip(row(input)).for_each(|(sum, weight)| *sum += factor * weight);
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
}

/// Four rows at a time: the sums are read and written once instead of four times.
fn add_four(sums: &mut [f32], [a, b, c, d]: [&[f32]; 4], [p, q, r, s]: [f32; 4]) {
    for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *sum += (p * a + q * b) + (r * c + s * d);
    }
}

thread_local! {
    /// An evaluation is asked for thousands of boards per move and has no place of its own for its thoughts.
    static THOUGHT: RefCell<Thought> = RefCell::default();
}

/// As an evaluation a network is asked for its first output.
impl Evaluation<State> for Brain {
    fn position(&self, position: &State) -> f32 {
        THOUGHT.with_borrow_mut(|thought| self.think(position.0, thought).first().copied().unwrap_or(0.0))
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.position(&State(afterstate.0))
    }
}

/// The slide of the highest output among the legal ones.
pub(super) fn choose(outputs: &[f32], state: State) -> Option<<State as Position>::Move> {
    let mut best: Option<(f32, <State as Position>::Move)> = None;
    state.for_each_move(|direction| {
        let value = outputs.get(direction as usize).copied().unwrap_or(f32::NEG_INFINITY);
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, direction));
        }
    });
    best.map(|(_, direction)| direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same network by the book: every product of every layer.
    fn by_the_book(brain: &Brain, board: Board) -> Vec<f32> {
        let mut values = Vec::new();
        brain.shape.design.encoding().encode(board, &mut values);
        let mut at = 0;
        for (layer, (inputs, outputs)) in brain.shape.layers.iter().copied().enumerate() {
            if layer > 0 {
                values.iter_mut().for_each(|value: &mut f32| *value = value.max(0.0));
            }
            let weight = |input: usize, output: usize| brain.weights[at + input * outputs + output];
            values = (0..outputs)
                .map(|output| {
                    (0..inputs).map(|input| values[input] * weight(input, output)).sum::<f32>() + weight(inputs, output)
                })
                .collect();
            at += (inputs + 1) * outputs;
        }
        values
    }

    #[test]
    fn look_ups_and_skipped_zeros_change_nothing() {
        let mut dice = Dice::seeded(4);
        let one_hot = [&[128, 256, 128][..], &[7], &[], &[3, 5]].map(|hidden| (Encoding::OneHot, hidden));
        let numbers = [(Encoding::Features, &[7][..]), (Encoding::Slides, &[]), (Encoding::Slides, &[6, 5])];
        for (encoding, hidden) in one_hot.into_iter().chain(numbers) {
            let shape = Shape::new(encoding, hidden, 4).unwrap();
            let brain = Brain::new(shape.clone(), shape.random(1.0, &mut dice)).unwrap();
            let mut thought = Thought::default();
            for _ in 0..20 {
                let board = Board::from_nibbles(dice.bits());
                let said = brain.think(board, &mut thought).to_vec();
                let others = brain.network().outputs(&[board]);
                assert!(said.iter().zip(others).all(|(a, b)| (a - b).abs() < 1e-4), "{hidden:?}");
                for (a, b) in said.iter().zip(by_the_book(&brain, board)) {
                    assert!((a - b).abs() < 1e-4, "{hidden:?}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn sizes_are_checked() {
        let shape = |hidden: &[usize]| Shape::new(Encoding::OneHot, hidden, 4);
        assert!(shape(&[0]).is_err() && shape(&[1; 17]).is_err() && shape(&[5000]).is_err());
        let shape = shape(&[128, 256, 128]).unwrap();
        assert_eq!(shape.weights(), 257 * 128 + 129 * 256 + 257 * 128 + 129 * 4);
        assert_eq!(Brain::new(shape, vec![0.0; 3]), None);
    }
}
