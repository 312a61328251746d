//! `afterstate train 2048`: an n-tuple network from nothing, from a model, or on from a checkpoint.

mod args;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod curve;

use std::io::Write;

use crate::failure::Failure;
use crate::train::device::Device;

pub(crate) use args::TrainArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  afterstate train 2048                        (five minutes on all cores)
  afterstate train 2048 --design 8x6 --minutes 60 --checkpoint eight.checkpoint
  afterstate train 2048 --resume eight.checkpoint --minutes 60 --out eight.model
  afterstate train 2048 --from 2048.model --minutes 60 --out better.model
  afterstate train 2048 --method td --lambda 0 --optimism 320000 -n 100000
  afterstate train 2048 --stages 8256,16448 --restart carousel
  afterstate train 2048 --design late.toml --starts boards.txt --until 65600 \\
    --out my.late.model
  afterstate train 2048 --device cuda --recipe models/2048-strong.recipe.toml

A design is a TOML file with a name and tuples, such as
  name = \"own\"
  tuples = [\"a1 b1 c1 d1 a2 b2\", \"a2 b2 c2 d2 a3 b3\"]

The model plays at once:
  afterstate play 2048 --agent 'one-ply(eval=ntuple(model=eight.model))'";

/// Trains on the device that was asked for.
pub(super) fn run(out: &mut impl Write, args: &TrainArgs) -> Result<(), Failure> {
    match args.device {
        Device::Cpu => cpu::run(out, args),
        #[cfg(feature = "cuda")]
        Device::Cuda => cuda::run(out, args),
        #[cfg(not(feature = "cuda"))]
        Device::Cuda => Err(Failure::input(afterstate_learn::neural::DeviceError::NotBuilt)),
    }
}
