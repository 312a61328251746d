//! Deep Q-learning for 2048: a network learns from remembered moves, its targets come from an older copy of itself.
//!
//! Two variants: a network with four outputs judges the slides of a board (`q`), or one with a single output judges the
//! board after a slide (`afterstate`), which leaves the slide itself to the rules. Double targets, several steps at once,
//! uniform or prioritised memory; illegal slides are never chosen and never a target.

mod checkpoint;
mod judge;
mod play;
mod replay;
mod run;
mod settings;

pub use play::Sample;
pub use run::{CurvePoint, Diverged, Dqn, LearnError};
pub use settings::{Ahead, Decay, DqnError, DqnSettings, Epsilon, Priority, Variant};
