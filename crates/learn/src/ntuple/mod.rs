//! N-tuple networks: the value of a board is the sum of table entries, one for each tuple and symmetry.

mod carousel;
mod checkpoint;
mod design;
pub mod gpu;
mod index;
mod layout;
mod learner;
mod mean;
mod memory;
mod model;
mod network;
mod places;
mod prospect;
mod quantise;
mod resemblance;
mod schedule;
mod seats;
mod settings;
mod tournament;
mod training;
mod view;
mod weights;

pub use afterstate_search::OutOfMemory;
pub use design::{Design, DesignError, Shape};
pub use learner::{Credit, Rate};
pub use memory::Floats;
pub use model::{Model, Provenance};
pub use network::{BeginningError, Choice, Compact, Network};
pub use quantise::{Keep, Quantiser, Rounding};
pub use schedule::{End, Fall};
pub use settings::{Phase, Restart, Settings, SettingsError};
pub(crate) use tournament::Tally;
pub use tournament::{Sample, TileRate, Visits};
pub use training::{CurvePoint, Progress, Training};
pub use weights::{Pages, Tables, Weights};
