//! A network as an evaluation, for any search.

use std::collections::HashMap;
use std::path::Path;

use afterstate_game::Evaluation;
use afterstate_twenty48::{Board, Slid, State};

use super::file::{NetworkError, StoredNetwork};
use super::judge::Judge;

/// A network with one output that judges boards, whether a tile is about to appear or a slide is.
///
/// It looks at a board in its canonical form, so that symmetric boards have the same value and are judged once.
#[derive(Debug)]
pub struct NeuralValue {
    judge: Judge,
    scale: f32,
}

impl NeuralValue {
    /// Reads a file, whose network must have one output.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        Ok(Self::new(&StoredNetwork::load_with_outputs(path, 1)?))
    }

    /// The evaluation by the first output of this network.
    #[must_use]
    pub fn new(stored: &StoredNetwork) -> Self {
        Self { judge: Judge::new(&stored.network), scale: stored.scale }
    }

    /// Appends the values of boards.
    pub fn values(&self, boards: impl Iterator<Item = Board>, values: &mut Vec<f32>) {
        let mut numbers = HashMap::new();
        let mut different = Vec::new();
        let places: Vec<usize> = boards
            .map(|board| {
                let board = board.canonical();
                *numbers.entry(board).or_insert_with(|| {
                    different.push(board);
                    different.len() - 1
                })
            })
            .collect();
        let mut outputs = Vec::with_capacity(different.len());
        self.judge.judge(&different, &mut outputs);
        values.extend(places.into_iter().map(|place| self.scale * outputs[place * self.judge.outputs()]));
    }

    fn value(&self, board: Board) -> f32 {
        let mut outputs = Vec::with_capacity(1);
        self.judge.judge(&[board.canonical()], &mut outputs);
        self.scale * outputs[0]
    }
}

impl Evaluation<State> for NeuralValue {
    const IN_BATCHES: bool = true;

    fn position(&self, position: &State) -> f32 {
        self.value(position.0)
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.value(afterstate.0)
    }

    fn positions(&self, positions: &[State], values: &mut Vec<f32>) {
        self.values(positions.iter().map(|position| position.0), values);
    }

    fn afterstates(&self, afterstates: &[Slid], values: &mut Vec<f32>) {
        self.values(afterstates.iter().map(|afterstate| afterstate.0), values);
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::{Dice, Symmetric};

    use super::*;
    use crate::neural::{Design, Network, Origin};

    #[test]
    fn symmetric_boards_have_one_value() {
        let network = Network::random(&Design::built_in("cnn-small").unwrap(), &mut Dice::seeded(8));
        let value = NeuralValue::new(&StoredNetwork { network, scale: 1000.0, origin: Origin::default() });
        let board = Board::from_nibbles(0x0123_4567_89ab_0012);
        let boards: Vec<State> = State::symmetries().map(|symmetry| State(board.transformed(symmetry))).collect();
        let mut values = Vec::new();
        value.positions(&boards, &mut values);
        assert!(values.iter().all(|&found| found == value.position(&State(board))), "{values:?}");
        assert_ne!(values[0], value.position(&State(Board::EMPTY)));
    }
}
