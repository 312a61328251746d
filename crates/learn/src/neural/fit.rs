//! Fitting a network to examples: shuffled batches, Adam, a schedule of rates, validation, early stop.

use afterstate_game::{Dice, Symmetry, derive_seed};
use afterstate_twenty48::Board;
use serde::{Deserialize, Serialize};

use super::adam::{Adam, AdamSettings};
use super::judge::Judge;
use super::loss::{Diverged, rmse, squared_errors};
use super::network::Network;
use super::pass::Pass;

/// How a network is fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct FitSettings {
    /// How often all examples are gone through, at most.
    pub epochs: u32,
    /// The examples of one step.
    pub batch: usize,
    /// The learning rates, each from its epoch on.
    pub rates: Vec<RateFrom>,
    /// End when the validation loss has not fallen for this many epochs, and take the best network; 0 for never.
    pub patience: u32,
}

/// A learning rate and the epoch from which on it holds, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateFrom {
    /// The first epoch.
    pub from: u32,
    /// The rate.
    pub rate: f32,
}

/// The training of the `dietenberger` thesis.
impl Default for FitSettings {
    fn default() -> Self {
        Self { epochs: 100, batch: 1024, rates: vec![RateFrom { from: 0, rate: 0.001 }], patience: 0 }
    }
}

impl FitSettings {
    /// The rate of an epoch.
    #[must_use]
    pub fn rate(&self, epoch: u32) -> f32 {
        self.rates.iter().rfind(|rate| rate.from <= epoch).map_or(0.0, |rate| rate.rate)
    }

    /// What is wrong with the settings, if something is.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=1 << 20).contains(&self.batch) {
            return Err(format!("batch is {}: it must be from 1 to 1048576", self.batch));
        }
        if self.rates.first().is_none_or(|first| first.from != 0) || !self.rates.is_sorted_by(|a, b| a.from < b.from) {
            return Err("rates must begin with `from = 0` and go on with later epochs".to_owned());
        }
        match self.rates.iter().find(|rate| !(rate.rate > 0.0 && rate.rate <= 1.0)) {
            Some(wrong) => Err(format!("rate is {}: it must be above 0 and at most 1", wrong.rate)),
            None => Ok(()),
        }
    }
}

/// Boards and what a network should say of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    /// The boards.
    pub boards: Vec<Board>,
    /// One target for each.
    pub targets: Vec<f32>,
}

impl Examples {
    /// One of all symmetric copies, those of one board after the other.
    pub(super) fn copy(&self, copies: Copies, index: usize) -> (Board, f32) {
        let symmetries = copies.symmetries();
        let (index, symmetry) = (index / symmetries.len(), symmetries[index % symmetries.len()]);
        (self.boards[index].transformed(Symmetry(symmetry)), self.targets[index])
    }
}

/// The symmetric copies of every board that are learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Copies {
    /// None but the board itself.
    None,
    /// None, and the board in its canonical form: the one in which a player asks for it.
    Canonical,
    /// The four rotations.
    #[default]
    Rotations,
    /// Rotations and reflections.
    All,
}

impl Copies {
    /// A board as its copies begin.
    pub(super) fn first_of(self, board: Board) -> Board {
        if self == Self::Canonical { board.canonical() } else { board }
    }

    pub(super) fn symmetries(self) -> &'static [u8] {
        match self {
            Self::None | Self::Canonical => &[0],
            // A quarter turn is a transposition and a mirror; a half turn is both mirrors.
            Self::Rotations => &[0, 5, 3, 6],
            Self::All => &[0, 1, 2, 3, 4, 5, 6, 7],
        }
    }
}

/// How an epoch went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochLosses {
    /// The root of the mean squared error over the examples, each as it was when its batch came.
    pub training: f64,
    /// The same over the validation examples afterwards; `None` without any.
    pub validation: Option<f64>,
}

/// A network that is being fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The network as it is.
    pub network: Network,
    pub(super) adam: Adam,
    /// Epochs gone.
    pub(super) epoch: u32,
    /// The lowest validation loss, and the weights that had it.
    pub(super) best: Option<(f64, Vec<f32>)>,
    /// Epochs since then.
    pub(super) stale: u32,
}

/// Boards that one thread takes at a time. The parts of a batch are summed in their order, so that the result does not
/// depend on the number of threads.
const PART: usize = 128;

/// The work on one part of a batch.
#[derive(Default)]
struct Part {
    pass: Pass,
    gradient: Vec<f32>,
    squares: f64,
}

impl Fit {
    /// Begins with this network.
    #[must_use]
    pub fn new(network: Network) -> Self {
        let adam = Adam::new(network.weights().len(), AdamSettings::default());
        Self { network, adam, epoch: 0, best: None, stale: 0 }
    }

    /// Epochs gone.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Whether there is nothing more to do.
    #[must_use]
    pub fn is_over(&self, settings: &FitSettings) -> bool {
        self.epoch >= settings.epochs || settings.patience > 0 && self.stale >= settings.patience
    }

    /// The network that was fitted: with early stop the one of the lowest validation loss, otherwise the last.
    #[must_use]
    pub fn into_network(self, settings: &FitSettings) -> Network {
        let mut network = self.network;
        if let (true, Some((_, weights))) = (settings.patience > 0, self.best) {
            network.weights_mut().copy_from_slice(&weights);
        }
        network
    }

    /// Goes through all examples once, in an order that the seed and the epoch fix.
    pub fn run_epoch(
        &mut self,
        settings: &FitSettings,
        training: &Examples,
        validation: &Examples,
        copies: Copies,
        seed: u64,
        threads: usize,
    ) -> Result<EpochLosses, Diverged> {
        self.run_epoch_by(&mut OnProcessor { training, validation, copies, threads }, settings, seed)
    }

    /// The same, wherever the batches are worked on.
    pub(super) fn run_epoch_by<W: Work>(
        &mut self,
        work: &mut W,
        settings: &FitSettings,
        seed: u64,
    ) -> Result<EpochLosses, W::Error> {
        let mut order: Vec<u32> = (0..work.examples() as u32).collect();
        Dice::seeded(derive_seed(seed, &[u64::from(self.epoch)])).shuffle(&mut order);
        let rate = settings.rate(self.epoch);
        let squares = work.go_through(&mut self.network, &mut self.adam, &order, settings.batch, rate)?;
        let losses = EpochLosses {
            training: (squares / order.len().max(1) as f64).sqrt(),
            validation: work.validate(&self.network)?,
        };
        self.note(losses);
        Ok(losses)
    }

    fn note(&mut self, losses: EpochLosses) {
        self.epoch += 1;
        self.stale += 1;
        if let Some(loss) = losses.validation
            && self.best.as_ref().is_none_or(|&(best, _)| loss < best)
        {
            self.best = Some((loss, self.network.weights().to_vec()));
            self.stale = 0;
        }
    }
}

/// What differs by the device that a network is fitted on.
pub(super) trait Work {
    /// What can go wrong.
    type Error: From<Diverged>;

    /// The examples to go through, symmetric copies included.
    fn examples(&self) -> usize;

    /// Goes through the examples in this order, with a step after every batch; the sum of all squared errors, each as it was
    /// when its batch came.
    fn go_through(
        &mut self,
        network: &mut Network,
        adam: &mut Adam,
        order: &[u32],
        batch: usize,
        rate: f32,
    ) -> Result<f64, Self::Error>;

    /// The loss over the validation examples; `None` without any.
    fn validate(&mut self, network: &Network) -> Result<Option<f64>, Self::Error>;
}

/// Examples that are worked on by the processor.
pub(super) struct OnProcessor<'a> {
    pub(super) training: &'a Examples,
    pub(super) validation: &'a Examples,
    pub(super) copies: Copies,
    pub(super) threads: usize,
}

impl Work for OnProcessor<'_> {
    type Error = Diverged;

    fn examples(&self) -> usize {
        self.training.boards.len() * self.copies.symmetries().len()
    }

    fn go_through(
        &mut self,
        network: &mut Network,
        adam: &mut Adam,
        order: &[u32],
        batch: usize,
        rate: f32,
    ) -> Result<f64, Diverged> {
        let mut parts: Vec<Part> = (0..batch.div_ceil(PART)).map(|_| Part::default()).collect();
        let mut gradient = vec![0.0; network.weights().len()];
        let mut squares = 0.0;
        for batch in order.chunks(batch) {
            let example = |&index: &u32| self.training.copy(self.copies, index as usize);
            let (boards, targets): (Vec<Board>, Vec<f32>) = batch.iter().map(example).unzip();
            let sum = slopes(network, &boards, &targets, &mut parts, &mut gradient, self.threads);
            let loss = (sum / batch.len() as f64).sqrt();
            if !loss.is_finite() {
                return Err(Diverged);
            }
            // The parts hold the slopes of half the summed squares; those of the root of their mean follow by this factor.
            let factor = (1.0 / (batch.len() as f64 * loss.max(1e-12))) as f32;
            gradient.iter_mut().for_each(|slope| *slope *= factor);
            adam.step(network.weights_mut(), &gradient, rate);
            squares += sum;
        }
        Ok(squares)
    }

    fn validate(&mut self, network: &Network) -> Result<Option<f64>, Diverged> {
        if self.validation.boards.is_empty() {
            return Ok(None);
        }
        loss(network, self.validation, self.threads).map(Some)
    }
}

/// Replaces the gradient by the slopes of half the summed squares of a batch, and returns those squares.
fn slopes(
    network: &Network,
    boards: &[Board],
    targets: &[f32],
    parts: &mut [Part],
    gradient: &mut [f32],
    threads: usize,
) -> f64 {
    let used = boards.len().div_ceil(PART);
    let mut work: Vec<_> = parts.iter_mut().zip(boards.chunks(PART).zip(targets.chunks(PART))).collect();
    let share = used.div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        for work in work.chunks_mut(share) {
            scope.spawn(move || {
                work.iter_mut().for_each(|(part, (boards, targets))| part.run(network, boards, targets));
            });
        }
    });
    gradient.fill(0.0);
    for part in &parts[..used] {
        gradient.iter_mut().zip(&part.gradient).for_each(|(sum, slope)| *sum += slope);
    }
    parts[..used].iter().map(|part| part.squares).sum()
}

impl Part {
    fn run(&mut self, network: &Network, boards: &[Board], targets: &[f32]) {
        self.gradient.clear();
        self.gradient.resize(network.weights().len(), 0.0);
        let outputs = self.pass.forward(network, boards);
        self.squares = squared_errors(outputs, targets);
        let slopes: Vec<f32> = outputs.iter().zip(targets).map(|(output, target)| output - target).collect();
        self.pass.backward(network, &slopes, &mut self.gradient);
    }
}

/// The root of the mean squared error of a network with one output.
pub fn loss(network: &Network, examples: &Examples, threads: usize) -> Result<f64, Diverged> {
    let judge = Judge::new(network);
    let mut outputs = vec![0.0; examples.boards.len()];
    let share = examples.boards.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        for (boards, outputs) in examples.boards.chunks(share).zip(outputs.chunks_mut(share)) {
            let judge = &judge;
            scope.spawn(move || {
                let mut values = Vec::with_capacity(boards.len());
                judge.judge(boards, &mut values);
                outputs.copy_from_slice(&values);
            });
        }
    });
    rmse(&outputs, &examples.targets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::Design;

    fn examples(count: usize, dice: &mut Dice) -> Examples {
        let boards: Vec<Board> =
            (0..count).map(|_| Board::from_nibbles(dice.bits() & dice.bits() & dice.bits())).collect();
        let targets = boards.iter().map(|board| board.count_empty() as f32).collect();
        Examples { boards, targets }
    }

    #[test]
    fn a_network_learns_to_count_empty_cells_whatever_the_threads() {
        let mut dice = Dice::seeded(1);
        let (training, validation) = (examples(1500, &mut dice), examples(200, &mut dice));
        let network = Network::random(&Design::fully_connected(&[16], 1).unwrap(), &mut dice);
        let settings =
            FitSettings { epochs: 6, batch: 200, rates: vec![RateFrom { from: 0, rate: 0.01 }], patience: 0 };
        let fit = |threads| {
            let mut fit = Fit::new(network.clone());
            let mut losses = Vec::new();
            while !fit.is_over(&settings) {
                losses.push(fit.run_epoch(&settings, &training, &validation, Copies::Rotations, 1, threads).unwrap());
            }
            (losses, fit.into_network(&settings))
        };
        let (losses, fitted) = fit(1);
        let last = losses.last().unwrap();
        assert!(last.training < 0.5 && last.validation.unwrap() < 0.5, "{losses:?}");
        assert_eq!(fit(3), (losses, fitted));
    }

    #[test]
    fn a_diverging_loss_is_an_error_and_patience_ends_early_with_the_best() {
        let mut dice = Dice::seeded(2);
        let (mut training, validation) = (examples(100, &mut dice), examples(50, &mut dice));
        let network = Network::random(&Design::fully_connected(&[4], 1).unwrap(), &mut dice);
        let settings =
            FitSettings { patience: 2, rates: vec![RateFrom { from: 0, rate: 1.0 }], ..FitSettings::default() };
        let mut fit = Fit::new(network.clone());
        while !fit.is_over(&settings) {
            fit.run_epoch(&settings, &training, &validation, Copies::None, 1, 1).unwrap();
        }
        assert!(fit.epoch() < 100);
        let (best, _) = fit.best.clone().unwrap();
        assert_eq!(loss(&fit.into_network(&settings), &validation, 2).unwrap(), best);
        training.targets[3] = f32::NAN;
        let mut fit = Fit::new(network);
        assert_eq!(fit.run_epoch(&settings, &training, &validation, Copies::None, 1, 1), Err(Diverged));
    }

    #[test]
    fn rotations_turn_and_wrong_settings_are_named() {
        let board = Board::from_nibbles(0x1);
        let turned: Vec<u64> =
            Copies::Rotations.symmetries().iter().map(|&bits| board.transformed(Symmetry(bits)).nibbles()).collect();
        assert_eq!(turned, [0x1, 0x1000, 0x1000_0000_0000_0000, 0x0001_0000_0000_0000]);
        let row = Board::from_nibbles(0x21);
        // Turned by a quarter, a row of two read downwards in the last column.
        assert_eq!(row.transformed(Symmetry(5)).nibbles(), 0x2000_1000);
        let check = |settings: FitSettings, reason: &str| assert!(settings.check().unwrap_err().contains(reason));
        check(FitSettings { batch: 0, ..FitSettings::default() }, "batch is 0");
        check(FitSettings { rates: vec![], ..FitSettings::default() }, "rates must begin");
        check(
            FitSettings { rates: vec![RateFrom { from: 0, rate: f32::NAN }], ..FitSettings::default() },
            "rate is NaN",
        );
    }
}
