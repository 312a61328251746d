//! A network on the device that learns step by step. What it is asked for and how far it is off is worked out on the
//! processor; weights and the state of Adam stay here until they are fetched.

use afterstate_twenty48::Board;

use super::device::Products;
use super::judge::GpuJudge;
use super::layout::Keep;
use super::steps::Steps;
use crate::cuda::GpuError;
use crate::neural::Network;
use crate::neural::adam::Adam;

/// A network that learns on the first GPU of the machine.
pub struct GpuPupil {
    judge: GpuJudge,
    /// The boards of the last call of [`GpuPupil::outputs`].
    asked: usize,
    /// Its settings and steps; the means lie on the device.
    adam: Adam,
    steps: Steps,
}

impl GpuPupil {
    /// Brings a network and the state of its optimiser onto the device, with room for so many boards at a time.
    pub fn new(network: &Network, adam: &Adam, room: usize, products: Products) -> Result<Self, GpuError> {
        let judge = GpuJudge::keeping(Keep::All, network, room, products)?;
        let steps = Steps::new(&judge.pass, adam)?;
        Ok(Self { judge, asked: 0, adam: adam.clone(), steps })
    }

    /// Appends the outputs for these boards, however many.
    pub fn judge(&mut self, boards: &[Board], outputs: &mut Vec<f32>) -> Result<(), GpuError> {
        self.asked = 0;
        self.judge.judge(boards, outputs)
    }

    /// The outputs for these boards, at most as many as there is room for: the first half of a step.
    pub fn outputs(&mut self, boards: &[Board]) -> Result<Vec<f32>, GpuError> {
        assert!(boards.len() <= self.judge.pass.room, "more boards than there is room for");
        let mut outputs = Vec::new();
        self.judge.judge(boards, &mut outputs)?;
        self.asked = boards.len();
        Ok(outputs)
    }

    /// One step by the slopes of a loss by the last outputs: the second half.
    pub fn learn(&mut self, slopes: &[f32], rate: f32) -> Result<(), GpuError> {
        let pass = &mut self.judge.pass;
        assert_eq!(slopes.len(), self.asked * pass.plan.outputs(), "one slope for every output");
        pass.take_slopes(slopes)?;
        pass.backward(self.asked)?;
        self.steps.step(pass, &mut self.adam, rate)
    }

    /// Brings back what was learned.
    pub fn fetch(&self, network: &mut Network, adam: &mut Adam) -> Result<(), GpuError> {
        adam.clone_from(&self.adam);
        self.steps.fetch(&self.judge.pass, network, adam)
    }
}
