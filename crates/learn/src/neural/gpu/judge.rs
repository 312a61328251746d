//! A network on the device that judges boards.

use afterstate_twenty48::Board;
use cudarc::driver::{CudaSlice, DevicePtr};

use super::device::Products;
use super::layout::Keep;
use super::packed;
use super::pass::GpuPass;
use super::service::Service;
use crate::cuda::{GpuError, refused};
use crate::neural::Network;

/// Boards of one launch: enough to keep the device busy.
const LAUNCH: usize = 8192;

/// Threads that each keep a copy of the network: while one hands out values, the other judges.
const COPIES: usize = 2;

/// A network on the first GPU of the machine. Its outputs are those of [`Network::outputs`] up to rounding; in the last digits
/// they depend on the number of boards that are judged together.
pub struct GpuJudge {
    pub(super) pass: GpuPass,
    boards: CudaSlice<u64>,
}

impl GpuJudge {
    /// The most boards of different threads that are joined before they are judged.
    pub(crate) const JOINED: usize = 65_536;

    /// Brings a network onto the device, with room for so many boards at a time.
    pub fn new(network: &Network, room: usize, products: Products) -> Result<Self, GpuError> {
        Self::keeping(Keep::Outputs, network, room, products)
    }

    pub(super) fn keeping(keep: Keep, network: &Network, room: usize, products: Products) -> Result<Self, GpuError> {
        let mut pass = GpuPass::new(network.design(), room, keep, products)?;
        pass.load(network.weights())?;
        let boards = pass.gpu.stream.alloc_zeros(room).map_err(refused("give memory"))?;
        Ok(Self { pass, boards })
    }

    /// Takes the weights of another network of the same design.
    pub fn renew(&mut self, network: &Network) -> Result<(), GpuError> {
        self.pass.load(network.weights())
    }

    /// Appends the outputs for these boards, one row for each.
    pub fn judge(&mut self, boards: &[Board], outputs: &mut Vec<f32>) -> Result<(), GpuError> {
        let boards: Vec<u64> = boards.iter().map(|&board| packed(board)).collect();
        self.judge_packed(&boards, outputs)
    }

    fn judge_packed(&mut self, boards: &[u64], outputs: &mut Vec<f32>) -> Result<(), GpuError> {
        for boards in boards.chunks(self.pass.room) {
            let stream = &self.pass.gpu.stream;
            let mut part = self.boards.slice_mut(..boards.len());
            stream.memcpy_htod(boards, &mut part).map_err(refused("take boards"))?;
            let address = self.boards.device_ptr(stream).0;
            self.pass.forward(address, 0, boards.len())?;
            self.pass.read(boards.len(), outputs)?;
        }
        Ok(())
    }

    /// A service that judges for many threads at a time.
    pub(crate) fn serve(network: &Network) -> Result<Service, GpuError> {
        let network = network.clone();
        Service::start(COPIES, Self::JOINED, network.design().outputs(), move || {
            let mut judge = Self::new(&network, LAUNCH, Products::default())?;
            // What does not work is found now, and not in the middle of a game.
            judge.judge(&[Board::EMPTY], &mut Vec::new())?;
            Ok(move |boards: &[u64], outputs: &mut Vec<f32>| judge.judge_packed(boards, outputs))
        })
    }
}
