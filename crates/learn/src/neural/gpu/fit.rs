//! The steps of a fit on the device. The examples lie there from the beginning; weights and the state of Adam go there with
//! every epoch and come back at its end, so that whoever fits has them and may go on elsewhere.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, DevicePtr};

use super::device::{Products, at};
use super::layout::Keep;
use super::packed;
use super::pass::GpuPass;
use super::steps::Steps;
use crate::cuda::{GpuError, refused};
use crate::neural::adam::Adam;
use crate::neural::fit::{Copies, EpochLosses, Examples, Fit, FitSettings, Work};
use crate::neural::loss::{Diverged, rmse};
use crate::neural::trainer::FitError;
use crate::neural::{Design, Network};

/// Examples on the first GPU of the machine, and a network to be fitted to them.
pub struct GpuFit {
    pass: GpuPass,
    /// All copies of all boards, and a target for each.
    boards: CudaSlice<u64>,
    targets: CudaSlice<f32>,
    validation: Option<(CudaSlice<u64>, Vec<f32>)>,
}

impl GpuFit {
    /// Brings the examples onto the device, with room for batches of this size. The network has one output.
    pub fn new(
        design: &Design,
        batch: usize,
        training: &Examples,
        validation: &Examples,
        copies: Copies,
        products: Products,
    ) -> Result<Self, GpuError> {
        assert_eq!(design.outputs(), 1, "one output for every target");
        let count = training.boards.len() * copies.symmetries().len();
        let pass = GpuPass::new(design, batch.min(count.max(validation.boards.len())).max(1), Keep::All, products)?;
        let stream = &pass.gpu.stream;
        let (boards, targets): (Vec<u64>, Vec<f32>) =
            (0..count).map(|index| training.copy(copies, index)).map(|(board, target)| (packed(board), target)).unzip();
        let take = |boards: &[u64]| stream.clone_htod(boards).map_err(refused("take the examples"));
        let (boards, targets) = (take(&boards)?, stream.clone_htod(&targets).map_err(refused("take the examples"))?);
        let validation = if validation.boards.is_empty() {
            None
        } else {
            let boards: Vec<u64> = validation.boards.iter().map(|&board| packed(board)).collect();
            Some((take(&boards)?, validation.targets.clone()))
        };
        Ok(Self { pass, boards, targets, validation })
    }

    /// [`Fit::run_epoch`] on the device.
    pub fn run_epoch(&mut self, fit: &mut Fit, settings: &FitSettings, seed: u64) -> Result<EpochLosses, FitError> {
        fit.run_epoch_by(self, settings, seed)
    }

    /// The sums of squares of all batches, and the state of the optimiser after the steps that they led to.
    fn steps(
        &mut self,
        weights: &[f32],
        adam: &mut Adam,
        order: &[u32],
        batch: usize,
        rate: f32,
    ) -> Result<(Vec<f64>, Steps), GpuError> {
        let batch = batch.min(self.pass.room);
        self.pass.load(weights)?;
        let steps = Steps::new(&self.pass, adam)?;
        let stream = Arc::clone(&self.pass.gpu.stream);
        let places = stream.clone_htod(order).map_err(refused("take an order"))?;
        let sums = stream.alloc_zeros::<f64>(order.len().div_ceil(batch)).map_err(refused("give memory"))?;
        let (boards, targets) = (self.boards.device_ptr(&stream).0, self.targets.device_ptr(&stream).0);
        for (number, part) in order.chunks(batch).enumerate() {
            let order = at(places.device_ptr(&stream).0, number * batch);
            self.pass.forward(boards, order, part.len())?;
            let pass = &self.pass;
            let [outputs, slopes] = [pass.outputs(), pass.layout.slopes[0]].map(|offset| pass.number(offset));
            let sum = sums.device_ptr(&stream).0 + 8 * number as u64;
            pass.gpu.errors(outputs, targets, order, part.len(), slopes, sum)?;
            self.pass.backward(part.len())?;
            steps.step(&self.pass, adam, rate)?;
        }
        let sums = stream.clone_dtoh(&sums).map_err(refused("return losses"))?;
        stream.synchronize().map_err(refused("learn"))?;
        Ok((sums, steps))
    }
}

impl Work for GpuFit {
    type Error = FitError;

    fn examples(&self) -> usize {
        self.boards.len()
    }

    fn go_through(
        &mut self,
        network: &mut Network,
        adam: &mut Adam,
        order: &[u32],
        batch: usize,
        rate: f32,
    ) -> Result<f64, FitError> {
        let (sums, steps) = self.steps(network.weights(), adam, order, batch, rate)?;
        if sums.iter().any(|sum| !sum.is_finite()) {
            return Err(Diverged.into());
        }
        steps.fetch(&self.pass, network, adam)?;
        Ok(sums.iter().sum())
    }

    /// The weights are those that were fetched last: they are still on the device.
    fn validate(&mut self, _network: &Network) -> Result<Option<f64>, FitError> {
        let Some((boards, targets)) = &self.validation else { return Ok(None) };
        let boards = boards.device_ptr(&self.pass.gpu.stream).0;
        let mut outputs = Vec::with_capacity(targets.len());
        while outputs.len() < targets.len() {
            let count = (targets.len() - outputs.len()).min(self.pass.room);
            self.pass.forward(boards + 8 * outputs.len() as u64, 0, count)?;
            self.pass.read(count, &mut outputs)?;
        }
        Ok(Some(rmse(&outputs, targets)?))
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;
    use afterstate_twenty48::Board;

    use super::*;
    use crate::neural::gpu::tests::{close, designs};
    use crate::neural::{AdamSettings, Pass, RateFrom};

    /// Boards and targets that have something to do with them.
    fn examples(count: usize, dice: &mut Dice) -> Examples {
        let boards: Vec<Board> = (0..count).map(|_| Board::from_nibbles(dice.bits() & dice.bits())).collect();
        Examples { targets: boards.iter().map(|board| board.count_empty() as f32 / 8.0).collect(), boards }
    }

    fn fit(design: &Design, batch: usize, training: &Examples, validation: &Examples) -> GpuFit {
        GpuFit::new(design, batch, training, validation, Copies::Rotations, Products::Exact).unwrap()
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn the_slopes_of_a_batch_are_those_of_the_processor() {
        let mut dice = Dice::seeded(5);
        for design in designs(1) {
            let training = examples(37, &mut dice);
            let mut gpu = fit(&design, 128, &training, &Examples::default());
            let network = Network::random(&design, &mut dice);
            let mut adam = Adam::new(network.weights().len(), AdamSettings::default());
            let order: Vec<u32> = (0..128).map(|index| (index * 5) % 148).collect();
            let (sums, steps) = gpu.steps(network.weights(), &mut adam, &order, 128, 0.01).unwrap();
            let gradient = gpu.pass.gpu.stream.clone_dtoh(gpu.pass.gradient.as_ref().unwrap()).unwrap();

            let batch = order.iter().map(|&index| training.copy(Copies::Rotations, index as usize));
            let (boards, targets): (Vec<Board>, Vec<f32>) = batch.unzip();
            let mut pass = Pass::default();
            let outputs = pass.forward(&network, &boards);
            let loss = rmse(outputs, &targets).unwrap();
            let factor = (1.0 / (128.0 * loss)) as f32;
            let slopes: Vec<f32> = outputs.iter().zip(&targets).map(|(o, t)| (o - t) * factor).collect();
            let mut expected = vec![0.0; network.weights().len()];
            pass.backward(&network, &slopes, &mut expected);
            assert!((sums[0] - 128.0 * loss * loss).abs() < 1e-3 * sums[0], "{sums:?}, not {loss}");
            close(&gradient, &expected, 1e-4);

            let mut stepped = network.clone();
            Adam::new(expected.len(), AdamSettings::default()).step(stepped.weights_mut(), &gradient, 0.01);
            let mut fetched = network;
            steps.fetch(&gpu.pass, &mut fetched, &mut adam).unwrap();
            close(fetched.weights(), stepped.weights(), 1e-5);
        }
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn a_few_epochs_end_near_those_of_the_processor_and_go_on_there() {
        let mut dice = Dice::seeded(6);
        let (training, validation) = (examples(301, &mut dice), examples(77, &mut dice));
        let settings =
            FitSettings { batch: 100, rates: vec![RateFrom { from: 0, rate: 1e-3 }], ..FitSettings::default() };
        for design in [Design::built_in("fc").unwrap(), Design::convolutional(8, &[12]).unwrap()] {
            let mut gpu = fit(&design, settings.batch, &training, &validation);
            let mut there = Fit::new(Network::random(&design, &mut dice));
            let mut here = there.clone();
            let mut again = there.clone();
            for _ in 0..3 {
                let on_gpu = gpu.run_epoch(&mut there, &settings, 9).unwrap();
                let on_cpu = here.run_epoch(&settings, &training, &validation, Copies::Rotations, 9, 1).unwrap();
                let near = |a: f64, b: f64| (a - b).abs() < 1e-3 * b;
                assert!(near(on_gpu.training, on_cpu.training), "{on_gpu:?}, not {on_cpu:?}");
                assert!(near(on_gpu.validation.unwrap(), on_cpu.validation.unwrap()), "{on_gpu:?}, not {on_cpu:?}");
            }
            assert_eq!((there.epoch(), there.adam.steps()), (3, here.adam.steps()));
            close(there.network.weights(), here.network.weights(), 1e-3);
            // The same again gives the same again, and a fit changes its device at any epoch.
            gpu.run_epoch(&mut again, &settings, 9).unwrap();
            again.run_epoch(&settings, &training, &validation, Copies::Rotations, 9, 1).unwrap();
            let mut twin = again.clone();
            gpu.run_epoch(&mut again, &settings, 9).unwrap();
            gpu.run_epoch(&mut twin, &settings, 9).unwrap();
            assert!(again == twin);
            close(again.network.weights(), here.network.weights(), 1e-3);
        }
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn a_loss_that_is_no_number_changes_no_weight() {
        let mut dice = Dice::seeded(7);
        let mut training = examples(60, &mut dice);
        training.targets[31] = f32::NAN;
        let design = Design::built_in("cnn-small").unwrap();
        let settings = FitSettings { batch: 32, ..FitSettings::default() };
        let mut gpu = fit(&design, settings.batch, &training, &Examples::default());
        let network = Network::random(&design, &mut dice);
        let mut fit = Fit::new(network.clone());
        let error = gpu.run_epoch(&mut fit, &settings, 1).unwrap_err();
        assert!(matches!(error, FitError::Diverged(_)), "{error}");
        assert!(fit.network == network && fit.epoch() == 0);
    }
}
