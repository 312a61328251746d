//! Neural networks over 2048 boards: described as data, trained by backpropagation, used as evaluations.
//!
//! A [`Design`] names the encoding and the layers. A [`Network`] is a design with its weights, all of them in one flat
//! vector, so that whoever changes weights (Adam, a genetic algorithm, an evolution strategy) needs to know nothing about
//! layers. A [`Pass`] runs a batch forward and backward.

mod activation;
mod adam;
mod design;
mod file;
mod loss;
mod network;
mod pass;
mod plan;
mod product;

pub use adam::{Adam, AdamSettings};
pub use design::{Activation, Design, DesignError, Encoding, Layer, NotABoard};
pub use file::{NetworkError, Origin, StoredNetwork};
pub use loss::{Diverged, rmse};
pub use network::Network;
pub use pass::Pass;
