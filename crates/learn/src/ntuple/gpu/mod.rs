//! Training on an NVIDIA GPU: tens of thousands of games at once on one network.
//!
//! All games move in step. What they show about a weight is summed, and then the weight moves once, towards the mean:
//! updates in no particular order diverge from a few hundred parallel games on. The kernels are compiled when a training
//! starts, with the network's shapes as constants; CUDA is loaded at run time, and its absence is an error like any other.

#[cfg(feature = "cuda")]
mod checkpoint;
#[cfg(feature = "cuda")]
mod device;
#[cfg(any(test, feature = "cuda"))]
mod dice;
#[cfg(feature = "cuda")]
mod memory;
#[cfg(feature = "cuda")]
mod prelude;
#[cfg(feature = "cuda")]
mod recipe;
#[cfg(test)]
mod reference;
#[cfg(feature = "cuda")]
mod run;
#[cfg(any(test, feature = "cuda"))]
mod section;

#[cfg(feature = "cuda")]
pub use crate::cuda::GpuError;
#[cfg(feature = "cuda")]
pub use device::{GpuTraining, StageEvents};
#[cfg(feature = "cuda")]
pub use recipe::{CheckedRecipe, Fix, GpuPhase, Recipe, RecipeError};
#[cfg(feature = "cuda")]
pub use run::{GpuProgress, GpuRun, RunError};
use serde::{Deserialize, Serialize};

/// How a batch of games is learned from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plan {
    /// The rate of one visit; several visits in one step count together, up to the whole error.
    pub alpha: f32,
    /// Whether the rate is multiplied by the coherence of the weight (TC) or not (TD).
    pub coherent: bool,
    /// What is kept of the sums behind the coherence at each correction: below 1, old errors fade.
    pub fade: f32,
    /// How often games start in each stage, relative to each other; stages that are not named are not started in. Here and
    /// below, the part between the ceiling and the first stage above it counts as a stage too.
    pub starts: Vec<f32>,
    /// Whether a game ends where it enters the next stage.
    pub segments: bool,
    /// How often a position within a stage is remembered to start from, per move; positions in which a stage is entered
    /// always are.
    pub capture: f32,
    /// Of the games that start in a stage other than the first, the share that starts from boards that were given for it.
    pub given: f32,
    /// Of the games that start above the ceiling, the share that starts from boards of games below it, every tile doubled: there
    /// the largest tiles lie in order, as they do not yet where games above the ceiling come by themselves.
    pub doubled: f32,
    /// What entering a stage is worth, by stage (the one after the last is the end); where it is negative or missing, what the
    /// stage's own weights say. Who comes to the end without the tile that it stands for has lost.
    pub bridge: Vec<f32>,
    /// What entering a stage earns on top of what its own weights say, by stage; nothing where it is missing.
    pub bonus: Vec<f32>,
    /// By what the rate is multiplied in each stage; 1 where it is missing.
    pub rates: Vec<f32>,
}

/// A stage that begins with the weights of another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    /// The stage that has learned.
    pub from: usize,
    /// The stage that begins.
    pub to: usize,
    /// The tiles that stand for their halves.
    #[serde(default)]
    pub lowered: Vec<u32>,
}

impl Promotion {
    /// For every exponent the one that stands for it, as nibbles.
    #[cfg(feature = "cuda")]
    fn table(&self) -> u64 {
        let stands_for = |exponent: u64| exponent - u64::from(exponent > 0 && self.lowered.contains(&(1 << exponent)));
        (0..16).map(|exponent| stands_for(exponent) << (4 * exponent)).sum()
    }
}

impl Plan {
    /// What entering a stage is worth, if that is given.
    #[cfg(any(test, feature = "cuda"))]
    pub(crate) fn bridge_into(&self, stage: usize) -> Option<f32> {
        self.bridge.get(stage).copied().filter(|&value| value >= 0.0)
    }

    /// What entering a stage earns on top of what its weights say.
    #[cfg(any(test, feature = "cuda"))]
    pub(crate) fn bonus_for(&self, stage: usize) -> f32 {
        self.bonus.get(stage).copied().unwrap_or(0.0)
    }

    /// By what the rate of a stage is multiplied.
    #[cfg(any(test, feature = "cuda"))]
    pub(crate) fn rate_in(&self, stage: usize) -> f32 {
        self.rates.get(stage).copied().unwrap_or(1.0)
    }
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            alpha: 1.0,
            coherent: true,
            fade: 1.0,
            starts: vec![1.0],
            segments: false,
            capture: 0.0,
            given: 0.0,
            doubled: 0.0,
            bridge: Vec::new(),
            bonus: Vec::new(),
            rates: Vec::new(),
        }
    }
}
