//! The mean of a network's weights over the last part of a training: what single games did to them lately cancels out.

use super::design::Design;
use super::memory::{OutOfMemory, load, store};
use super::network::Network;
use crate::parallel::map_all;

/// How many samples of the weights the mean has.
pub(crate) const SAMPLES: u32 = 16;

/// The numbers that one thread goes through at a time.
const PART: usize = 1 << 20;

/// A running mean of weights.
#[derive(Debug)]
pub(crate) struct Mean {
    pub(crate) network: Network,
    /// How often the weights were looked at.
    pub(crate) samples: u32,
}

impl Mean {
    pub(crate) fn new(design: &Design) -> Result<Self, OutOfMemory> {
        Ok(Self { network: Network::new(design, 0.0)?, samples: 0 })
    }

    /// Adds the weights as they are now.
    pub(crate) fn add(&mut self, network: &Network) {
        self.samples += 1;
        let share = 1.0 / self.samples as f32;
        let [means, weights] = [&self.network, network].map(|network| network.values.words().chunks(PART));
        let parts: Vec<_> = means.zip(weights).collect();
        map_all(parts.len(), |part| {
            let (means, weights) = parts[part];
            for (mean, weight) in means.iter().zip(weights) {
                let (old, new) = (load(mean), load(weight));
                // Most weights are zeros that were never touched: they stay pages that do not exist.
                if old != new {
                    store(mean, old + (new - old) * share);
                }
            }
        });
    }
}
