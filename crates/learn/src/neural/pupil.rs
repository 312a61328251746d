//! Networks at work: one that is asked and learns step by step, and one that is only asked; on the processor, or on an
//! NVIDIA GPU.

use afterstate_twenty48::Board;

use super::adam::Adam;
#[cfg(feature = "cuda")]
use super::gpu::{GpuJudge, GpuPupil, Products};
use super::network::Network;
use super::pass::Pass;
use super::trainer::{Device, DeviceError};

/// A network that can be asked for many boards at a time.
pub trait Answers {
    /// Replaces `outputs` by those for these boards, one row for each.
    fn answer(&mut self, boards: &[Board], outputs: &mut Vec<f32>) -> Result<(), DeviceError>;
}

/// A network that does not learn.
pub struct Frozen(FrozenAt);

enum FrozenAt {
    Cpu(Box<Network>, Pass),
    #[cfg(feature = "cuda")]
    Cuda(Box<GpuJudge>),
}

impl Frozen {
    /// A copy of a network on a device, which works on at most so many boards at a time.
    #[cfg_attr(not(feature = "cuda"), expect(unused_variables, reason = "the processor allocates when it sees them"))]
    pub fn new(device: Device, network: &Network, room: usize) -> Result<Self, DeviceError> {
        device.check(network.design())?;
        match device {
            Device::Cpu => Ok(Self(FrozenAt::Cpu(Box::new(network.clone()), Pass::default()))),
            #[cfg(feature = "cuda")]
            Device::Cuda => Ok(Self(FrozenAt::Cuda(Box::new(GpuJudge::new(network, room, Products::default())?)))),
            #[cfg(not(feature = "cuda"))]
            Device::Cuda => Err(DeviceError::NotBuilt),
        }
    }

    /// Takes the weights of another network of the same design.
    pub fn renew(&mut self, network: &Network) -> Result<(), DeviceError> {
        match &mut self.0 {
            FrozenAt::Cpu(own, _) => own.weights_mut().copy_from_slice(network.weights()),
            #[cfg(feature = "cuda")]
            FrozenAt::Cuda(judge) => judge.renew(network)?,
        }
        Ok(())
    }
}

impl Answers for Frozen {
    fn answer(&mut self, boards: &[Board], outputs: &mut Vec<f32>) -> Result<(), DeviceError> {
        outputs.clear();
        match &mut self.0 {
            FrozenAt::Cpu(network, pass) => outputs.extend_from_slice(pass.forward(network, boards)),
            #[cfg(feature = "cuda")]
            FrozenAt::Cuda(judge) => judge.judge(boards, outputs)?,
        }
        Ok(())
    }
}

/// A network that learns.
pub struct Pupil(PupilAt);

enum PupilAt {
    Cpu(Box<OnProcessor>),
    #[cfg(feature = "cuda")]
    Cuda(Box<GpuPupil>),
}

struct OnProcessor {
    network: Network,
    adam: Adam,
    pass: Pass,
    gradient: Vec<f32>,
}

impl Pupil {
    /// Brings a network and the state of its optimiser onto a device, with room for steps of so many boards.
    #[cfg_attr(not(feature = "cuda"), expect(unused_variables, reason = "the processor allocates when it sees them"))]
    pub fn new(device: Device, network: &Network, adam: &Adam, room: usize) -> Result<Self, DeviceError> {
        device.check(network.design())?;
        match device {
            Device::Cpu => Ok(Self(PupilAt::Cpu(Box::new(OnProcessor {
                network: network.clone(),
                adam: adam.clone(),
                pass: Pass::default(),
                gradient: vec![0.0; network.weights().len()],
            })))),
            #[cfg(feature = "cuda")]
            Device::Cuda => Ok(Self(PupilAt::Cuda(Box::new(GpuPupil::new(network, adam, room, Products::default())?)))),
            #[cfg(not(feature = "cuda"))]
            Device::Cuda => Err(DeviceError::NotBuilt),
        }
    }

    /// Learns from these boards, at most as many as there is room for: `slopes` gets the outputs for them, and says how the
    /// loss changes with each of them. If it refuses, no weight has changed.
    pub fn step<E: From<DeviceError>>(
        &mut self,
        boards: &[Board],
        rate: f32,
        slopes: impl FnOnce(&[f32]) -> Result<Vec<f32>, E>,
    ) -> Result<(), E> {
        match &mut self.0 {
            PupilAt::Cpu(here) => {
                let slopes = slopes(here.pass.forward(&here.network, boards))?;
                here.gradient.fill(0.0);
                here.pass.backward(&here.network, &slopes, &mut here.gradient);
                here.adam.step(here.network.weights_mut(), &here.gradient, rate);
            }
            #[cfg(feature = "cuda")]
            PupilAt::Cuda(there) => {
                let refused = |error| E::from(DeviceError::Gpu(error));
                let slopes = slopes(&there.outputs(boards).map_err(refused)?)?;
                there.learn(&slopes, rate).map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Brings back what was learned.
    pub fn fetch(&self, network: &mut Network, adam: &mut Adam) -> Result<(), DeviceError> {
        match &self.0 {
            PupilAt::Cpu(here) => {
                network.weights_mut().copy_from_slice(here.network.weights());
                adam.clone_from(&here.adam);
            }
            #[cfg(feature = "cuda")]
            PupilAt::Cuda(there) => there.fetch(network, adam)?,
        }
        Ok(())
    }
}

impl Answers for Pupil {
    fn answer(&mut self, boards: &[Board], outputs: &mut Vec<f32>) -> Result<(), DeviceError> {
        outputs.clear();
        match &mut self.0 {
            PupilAt::Cpu(here) => outputs.extend_from_slice(here.pass.forward(&here.network, boards)),
            #[cfg(feature = "cuda")]
            PupilAt::Cuda(there) => there.judge(boards, outputs)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;
    use crate::neural::{AdamSettings, Design};

    /// What a copy answers at first, what the pupil answers after some steps, and the copy when it was renewed.
    fn learned(device: Device) -> Result<[Vec<f32>; 3], DeviceError> {
        let mut dice = Dice::seeded(8);
        let mut network = Network::random(&Design::convolutional(6, &[10]).unwrap(), &mut dice);
        let boards: Vec<Board> = (0..40).map(|_| Board::from_nibbles(dice.bits() & dice.bits())).collect();
        let mut adam = Adam::new(network.weights().len(), AdamSettings::default());
        let mut pupil = Pupil::new(device, &network, &adam, 64)?;
        let mut copy = Frozen::new(device, &network, 64)?;
        let towards =
            |outputs: &[f32]| Ok::<_, DeviceError>(outputs.iter().map(|output| (output - 1.0) / 40.0).collect());
        for _ in 0..30 {
            pupil.step(&boards, 0.003, towards)?;
        }
        let mut answers = [const { Vec::new() }; 3];
        copy.answer(&boards, &mut answers[0])?;
        pupil.answer(&boards, &mut answers[1])?;
        pupil.fetch(&mut network, &mut adam)?;
        assert_eq!(adam.steps(), 30);
        copy.renew(&network)?;
        copy.answer(&boards, &mut answers[2])?;
        Ok(answers)
    }

    #[test]
    fn a_pupil_learns_and_its_copies_follow_when_they_are_renewed() {
        let error = |outputs: &[f32]| outputs.iter().map(|output| (output - 1.0).powi(2)).sum::<f32>();
        let [before, after, renewed] = learned(Device::Cpu).unwrap();
        assert!(error(&after) < 0.2 * error(&before) && after == renewed);
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU"]
    fn a_gpu_learns_and_answers_as_the_processor_up_to_rounding() {
        let (here, there) = (learned(Device::Cpu).unwrap(), learned(Device::Cuda).unwrap());
        for (here, there) in here.iter().flatten().zip(there.iter().flatten()) {
            assert!((here - there).abs() < 0.05, "{there} on the GPU, {here} here");
        }
    }

    #[test]
    fn slopes_that_are_refused_change_nothing() {
        let mut network = Network::random(&Design::built_in("cnn-small").unwrap(), &mut Dice::seeded(9));
        let mut adam = Adam::new(network.weights().len(), AdamSettings::default());
        let mut pupil = Pupil::new(Device::Cpu, &network, &adam, 1).unwrap();
        let refused = pupil.step(&[Board::EMPTY], 0.1, |_| Err(DeviceError::NotBuilt));
        assert!(matches!(refused, Err(DeviceError::NotBuilt)));
        let before = network.clone();
        pupil.fetch(&mut network, &mut adam).unwrap();
        assert!(network == before && adam.steps() == 0);
    }
}
