//! Networks as players see them: an evaluation for any search, or a policy.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use afterstate_game::{Evaluation, Symmetric};
use afterstate_twenty48::{Board, Slid, State};

use super::file::{NetworkError, StoredNetwork};
#[cfg(feature = "cuda")]
use super::gpu::{GpuJudge, Service};
use super::judge::Judge;
use super::kernel::Precision;
use super::trainer::{Device, DeviceError};

/// A network with one output that judges boards, whether a tile is about to appear or a slide is. A search asks it through
/// [`Asked`].
///
/// It looks at a board in its canonical form, so that symmetric boards have the same value and are judged once.
///
/// On a GPU the boards of all threads that ask are judged together, and a value depends in its last digits on what it is judged
/// with. A GPU that fails in the middle of its work is replaced by the processor, so that a search can end as it should;
/// [`NeuralValue::failure`] tells, and who learns from the values stops there.
#[derive(Debug)]
pub struct NeuralValue {
    judge: Judge,
    #[cfg(feature = "cuda")]
    gpu: Option<Service>,
    scale: f32,
}

impl NeuralValue {
    /// Reads a file, whose network must have one output.
    pub fn load(path: &Path, precision: Precision) -> Result<Self, NetworkError> {
        Ok(Self::with_precision(&StoredNetwork::load_with_outputs(path, 1)?, precision))
    }

    /// The evaluation by the first output of this network.
    #[must_use]
    pub fn new(stored: &StoredNetwork) -> Self {
        Self::with_precision(stored, Precision::Float32)
    }

    /// The same with factors of this precision.
    #[must_use]
    pub fn with_precision(stored: &StoredNetwork, precision: Precision) -> Self {
        Self {
            judge: Judge::with_precision(&stored.network, precision),
            #[cfg(feature = "cuda")]
            gpu: None,
            scale: stored.scale,
        }
    }

    /// The same on a device.
    pub fn on(device: Device, stored: &StoredNetwork) -> Result<Self, DeviceError> {
        device.check(stored.network.design())?;
        #[cfg(feature = "cuda")]
        if device == Device::Cuda {
            let gpu = Some(GpuJudge::serve(&stored.network)?);
            return Ok(Self { gpu, ..Self::new(stored) });
        }
        Ok(Self::new(stored))
    }

    /// Why the device failed, if it did.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        #[cfg(feature = "cuda")]
        if let Some(gpu) = &self.gpu {
            return gpu.failure();
        }
        None
    }

    /// Appends the values of boards.
    pub fn values(&self, boards: impl Iterator<Item = Board>, values: &mut Vec<f32>) {
        let Judged { different, places } = Judged::new(boards);
        let outputs = self.outputs(&different);
        values.extend(places.into_iter().map(|place| outputs[place]));
    }

    /// The values of boards as they lie.
    fn outputs(&self, boards: &[Board]) -> Vec<f32> {
        let outputs = self.raw(boards);
        outputs.into_iter().step_by(self.judge.outputs().max(1)).map(|output| self.scale * output).collect()
    }

    /// What the network says of boards, by the device that it works on.
    fn raw(&self, boards: &[Board]) -> Vec<f32> {
        #[cfg(feature = "cuda")]
        if let Some(outputs) = self.gpu.as_ref().and_then(|gpu| gpu.ask(boards)) {
            return outputs;
        }
        let mut outputs = Vec::with_capacity(boards.len() * self.judge.outputs());
        self.judge.judge(boards, &mut outputs);
        outputs
    }

    /// How many boards are best judged together.
    fn batch(&self) -> usize {
        #[cfg(feature = "cuda")]
        if self.gpu.is_some() {
            return GpuJudge::JOINED;
        }
        Judge::BATCH
    }

    /// The value of one board.
    fn value(&self, board: Board) -> f32 {
        self.scale * self.raw(&[board.canonical()])[0]
    }
}

/// Boards of which symmetric ones are judged once.
struct Judged {
    /// Each once, in its canonical form.
    different: Vec<Board>,
    /// Where among those every board is.
    places: Vec<usize>,
}

impl Judged {
    fn new(boards: impl Iterator<Item = Board>) -> Self {
        let mut numbers = HashMap::new();
        let mut different = Vec::new();
        let places = boards
            .map(|board| {
                let board = board.canonical();
                *numbers.entry(board).or_insert_with(|| {
                    different.push(board);
                    different.len() - 1
                })
            })
            .collect();
        Self { different, places }
    }
}

/// A network as a search is told to use it. With `POINTS` it has learned the points still to come, and the search adds those
/// that it earns on the way.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use afterstate_game::{Dice, Player};
/// use afterstate_learn::neural::{Asked, NeuralValue, Precision};
/// use afterstate_search::expectimax::{Expectimax, Settings};
/// use afterstate_twenty48::State;
///
/// let file = Path::new("../../models/2048-features.safetensors");
/// let network = Arc::new(NeuralValue::load(file, Precision::Float32)?);
/// let mut player = Expectimax::new(Settings::default(), Asked::<false> { network, averaged: false })?;
/// assert_eq!(player.decide_position(&State::start(&mut Dice::seeded(1)))?.depth, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Asked<const POINTS: bool> {
    /// The network, shared.
    pub network: Arc<NeuralValue>,
    /// Whether a value is the mean over the symmetries of the board: eight times the work, and less noise.
    pub averaged: bool,
}

impl<const POINTS: bool> Asked<POINTS> {
    fn values(&self, boards: impl Iterator<Item = Board>, values: &mut Vec<f32>) {
        if !self.averaged {
            return self.network.values(boards, values);
        }
        let Judged { different, places } = Judged::new(boards);
        let symmetric = |board: Board| State::symmetries().map(move |symmetry| board.transformed(symmetry));
        let all: Vec<Board> = different.into_iter().flat_map(symmetric).collect();
        let means: Vec<f32> = self
            .network
            .outputs(&all)
            .chunks_exact(usize::from(State::SYMMETRIES))
            .map(|values| values.iter().sum::<f32>() / values.len() as f32)
            .collect();
        values.extend(places.into_iter().map(|place| means[place]));
    }

    fn value(&self, board: Board) -> f32 {
        if !self.averaged {
            return self.network.value(board);
        }
        let mut values = Vec::with_capacity(1);
        self.values([board].into_iter(), &mut values);
        values.first().copied().unwrap_or(0.0)
    }
}

impl<const POINTS: bool> Evaluation<State> for Asked<POINTS> {
    const COUNTS_REWARDS: bool = POINTS;
    const IN_BATCHES: bool = true;

    fn batch(&self) -> usize {
        self.network.batch()
    }

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

/// A network with four outputs, one for each slide in the order of [`afterstate_twenty48::Direction::ALL`].
///
/// It sees a board as it lies: a policy that always prefers one corner is a policy too.
#[derive(Debug)]
pub struct NeuralPolicy {
    judge: Judge,
}

impl NeuralPolicy {
    /// Reads a file, whose network must have four outputs.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        Ok(Self { judge: Judge::new(&StoredNetwork::load_with_outputs(path, 4)?.network) })
    }

    /// What it says of the four slides, legal or not.
    #[must_use]
    pub fn outputs(&self, board: Board) -> [f32; 4] {
        let mut outputs = Vec::with_capacity(4);
        self.judge.judge(&[board], &mut outputs);
        outputs.first_chunk().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;
    use crate::neural::{Design, Network, Origin};

    #[test]
    fn symmetric_boards_have_one_value() {
        let network = Network::random(&Design::built_in("cnn-small").unwrap(), &mut Dice::seeded(8));
        let network = NeuralValue::new(&StoredNetwork { network, scale: 1000.0, origin: Origin::default() });
        let value = Asked::<false> { network: Arc::new(network), averaged: false };
        let board = Board::from_nibbles(0x0123_4567_89ab_0012);
        let boards: Vec<State> = State::symmetries().map(|symmetry| State(board.transformed(symmetry))).collect();
        let mut values = Vec::new();
        value.positions(&boards, &mut values);
        assert!(values.iter().all(|&found| found == value.position(&State(board))), "{values:?}");
        assert_ne!(values[0], value.position(&State(Board::EMPTY)));
    }

    #[test]
    fn an_averaged_value_is_the_mean_over_the_symmetries() {
        let network = Network::random(&Design::built_in("cnn-small").unwrap(), &mut Dice::seeded(8));
        let board = Board::from_nibbles(0x0123_4567_89ab_0012);
        let boards: Vec<Board> = State::symmetries().map(|symmetry| board.transformed(symmetry)).collect();
        let mean = network.outputs(&boards).iter().sum::<f32>() / 8.0;
        let stored = StoredNetwork { network, scale: 10.0, origin: Origin::default() };
        let network = Arc::new(NeuralValue::new(&stored));
        let averaged = Asked::<true> { network: Arc::clone(&network), averaged: true };
        let mut values = Vec::new();
        averaged.afterstates(&[Slid(board), Slid(boards[5]), Slid(Board::EMPTY)], &mut values);
        assert!((values[0] - 10.0 * mean).abs() < 1e-4, "{values:?}, not {mean}");
        assert!(values[0] == values[1] && values[0] != values[2]);
        assert_eq!(averaged.position(&State(board)), values[0]);
        let plain = Asked::<false> { network: Arc::clone(&network), averaged: false };
        assert_eq!(plain.position(&State(board)), network.value(board));
    }
}
