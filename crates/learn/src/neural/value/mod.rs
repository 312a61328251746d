//! Value networks by backpropagation, as in the `dietenberger` thesis: a network learns what a search says of the boards of
//! its games; with the network as evaluation the same search sees further; its games are learned from again.
//!
//! Everything lies in one folder: the settings, the games of every iteration, the network after every training, a checkpoint
//! of the training at hand, and the curves. Running again goes on where the last run ended, wherever that was.

mod check;
mod error;
mod games;
mod report;
mod run;
mod settings;
mod targets;

pub use check::{Agreement, CheckRow};
pub use error::ValueError;
pub use games::Game;
pub use report::{Epoch, Scores, Stage};
pub use run::{DeviceFailure, Event, MakePlayer, ValueTraining};
pub use settings::{NETWORK, ValueSettings};
pub use targets::Boards;
