//! Neural networks over 2048 boards: described as data, trained by backpropagation, used as evaluations.
//!
//! A [`Design`] names the encoding and the layers. A [`Network`] is a design with its weights, all of them in one flat
//! vector, so that whoever changes weights (Adam, a genetic algorithm, an evolution strategy) needs to know nothing about
//! layers. A [`Pass`] runs a batch forward and backward; a [`Judge`] is a network made
//! ready for many forward passes, a [`NeuralValue`] one that judges boards, and [`Asked`] how a search is told to use it.

mod activation;
mod adam;
mod checkpoint;
mod design;
mod evaluation;
mod features;
mod file;
mod fit;
#[cfg(any(test, feature = "cuda"))]
pub mod gpu;
mod judge;
mod kernel;
mod loss;
mod network;
mod pass;
mod plan;
mod product;
mod pupil;
mod trainer;
mod transform;
pub mod value;

pub use adam::{Adam, AdamSettings};
pub use design::{Activation, Design, DesignError, Encoding, Layer, NotABoard};
pub use evaluation::{Asked, NeuralPolicy, NeuralValue};
pub use file::{NetworkError, Origin, StoredNetwork};
pub use fit::{Copies, EpochLosses, Examples, Fit, FitSettings, RateFrom, loss};
pub use judge::Judge;
pub use kernel::Precision;
pub use loss::{Diverged, rmse};
pub use network::Network;
pub use pass::Pass;
pub use pupil::{Answers, Frozen, Pupil};
pub use trainer::{Device, DeviceError, FitError, Trainer};
