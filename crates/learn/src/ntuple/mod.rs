//! N-tuple networks: the value of a board is the sum of table entries, one for each tuple and symmetry.

mod carousel;
mod checkpoint;
mod container;
mod design;
pub mod gpu;
mod index;
mod learner;
mod memory;
mod model;
mod network;
mod tournament;
mod training;

pub use container::FileError;
pub use design::{Design, DesignError, Shape};
pub use learner::{Credit, Rate};
pub use memory::OutOfMemory;
pub use model::{Model, Provenance, Quantisation, least_visits};
pub use network::{Choice, Network};
pub use tournament::{Sample, TileRate};
pub use training::{CurvePoint, Phase, Progress, Restart, Settings, SettingsError, Training};
