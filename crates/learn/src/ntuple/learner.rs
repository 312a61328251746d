//! Learning from games: temporal differences between successive afterstates.

use std::sync::atomic::AtomicU32;

use afterstate_search::prefetch_item;
use serde::{Deserialize, Serialize};

use super::index::Packing;
use super::memory::{Floats, OutOfMemory, load, store};
use super::network::Network;
use super::prospect::{FeaturePlaces, total};
use super::weights::{FloatPart, Weights};

/// How large a step a weight makes towards what was observed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rate {
    /// The same for all weights (TD).
    Constant(f32),
    /// Times the coherence of the weight: 1 as long as its errors agree in sign, towards 0 as they cancel (TC, Beal and
    /// Smith 1999).
    Coherent(f32),
}

impl Rate {
    /// The same with steps of another size.
    pub(crate) fn times(self, factor: f32) -> Self {
        match self {
            Self::Constant(alpha) => Self::Constant(alpha * factor),
            Self::Coherent(alpha) => Self::Coherent(alpha * factor),
        }
    }
}

/// When a game is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Credit {
    /// Every move corrects the one before it at once: TD(0).
    Online,
    /// After the game, from its end to its beginning, with this share of the observed return: TD(lambda).
    Backward(f32),
}

/// For each weight the sum of its errors and the sum of their sizes, side by side because they are used together.
#[derive(Debug)]
pub(crate) struct Coherence(pub(crate) Floats);

impl Coherence {
    pub(crate) fn new(network: &Network) -> Result<Self, OutOfMemory> {
        Ok(Self(Floats::zeroed(network.design(), 2)?))
    }

    fn stage(&self, network: &Network, stage: usize) -> &[AtomicU32] {
        let places = network.places().of(stage);
        &self.0.words()[2 * places.start..2 * places.end]
    }
}

/// One afterstate of a game as the network looks at it, and what the move to it earned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) board: u64,
    pub(crate) stage: usize,
    pub(crate) reward: u32,
}

/// How a network is corrected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule<'a> {
    network: &'a Network,
    coherence: Option<&'a Coherence>,
    /// The rate of all features together.
    alpha: f32,
    pub(crate) credit: Credit,
}

/// The weights of one stage with what a correction needs to know about them.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) values: FloatPart<'a>,
    coherence: Option<&'a [AtomicU32]>,
}

/// Afterstates between the one that is corrected and the one whose weights are fetched, when a game is learned backward.
const AHEAD: usize = 4;

impl<'a> Rule<'a> {
    /// `coherence` is used when the rate is coherent.
    pub(crate) fn new(network: &'a Network, coherence: Option<&'a Coherence>, rate: Rate, credit: Credit) -> Self {
        let (alpha, coherence) = match rate {
            Rate::Constant(alpha) => (alpha, None),
            Rate::Coherent(alpha) => (alpha, coherence),
        };
        Self { network, coherence, alpha, credit }
    }

    #[inline(always)]
    pub(crate) fn part(&self, stage: usize) -> Part<'a> {
        let coherence = self.coherence.map(|coherence| coherence.stage(self.network, stage));
        Part { values: self.network.stage(stage), coherence }
    }

    /// Where the features of an afterstate lie, its weights on the way into the cache.
    #[inline(always)]
    pub(crate) fn places<P: Packing>(&self, packing: P, step: Step) -> FeaturePlaces {
        let part = self.part(step.stage);
        let images = packing.images(step.board);
        let mut places = FeaturePlaces::new();
        for tuple in self.network.tuples(step.stage) {
            let found = part.values.find(packing, step.board, &images, tuple);
            found.iter().for_each(|&place| part.values.prefetch(place));
            // There is room for all features.
            let _ = places.try_extend_from_slice(&found);
        }
        part.prefetch_coherence(&places);
        places
    }

    /// Learns from a whole game, from its end, where so many points are still to come, to its beginning, with this share of the
    /// observed return.
    #[inline(always)]
    pub(crate) fn correct_backward<P: Packing>(&self, packing: P, steps: &[Step], rest: f32, lambda: f32) {
        let mut ahead: [FeaturePlaces; AHEAD] = Default::default();
        for (step, places) in steps.iter().rev().zip(&mut ahead) {
            *places = self.places(packing, *step);
        }
        let mut target = rest;
        for (number, &step) in steps.iter().rev().enumerate() {
            let corrected = self.correct(self.part(step.stage), &ahead[number % AHEAD], target);
            target = step.reward as f32 + lambda * target + (1.0 - lambda) * corrected;
            if let Some(later) = steps.len().checked_sub(number + 1 + AHEAD) {
                ahead[number % AHEAD] = self.places(packing, steps[later]);
            }
        }
    }

    /// Moves the value of the afterstate whose features lie at `places` towards `target` and returns the new value.
    #[inline(always)]
    pub(crate) fn correct(&self, part: Part<'_>, places: &[u32], target: f32) -> f32 {
        let error = target - total(part.values, places);
        let step = self.alpha / places.len() as f32 * error;
        let mut lanes = [0.0; 8];
        for of_tuple in places.as_chunks::<8>().0 {
            for (lane, &place) in lanes.iter_mut().zip(of_tuple) {
                let weight = part.values.word(place);
                let share = part.coherence.map_or(1.0, |coherence| cohere(coherence, place, error));
                let corrected = load(weight) + share * step;
                store(weight, corrected);
                *lane += corrected;
            }
        }
        part.values.value(lanes)
    }

    /// [`Self::correct`] for one afterstate.
    #[cfg(test)]
    pub(crate) fn correct_step(&self, step: Step, target: f32) -> f32 {
        let places = self.places(super::index::Portable, step);
        self.correct(self.part(step.stage), &places, target)
    }
}

impl Part<'_> {
    /// Starts fetching what is known about the coherence of these weights.
    #[inline(always)]
    pub(crate) fn prefetch_coherence(&self, places: &[u32]) {
        if let Some(coherence) = self.coherence {
            places.iter().for_each(|&place| prefetch_item(coherence, 2 * place as usize));
        }
    }
}

/// The coherence of a weight before this error, which is added to it.
#[inline(always)]
fn cohere(coherence: &[AtomicU32], place: u32, error: f32) -> f32 {
    let [errors, sizes] = [2 * place as usize, 2 * place as usize + 1].map(|index| &coherence[index]);
    let (sum, size) = (load(errors), load(sizes));
    store(errors, sum + error);
    store(sizes, size + error.abs());
    if size == 0.0 { 1.0 } else { sum.abs() / size }
}

#[cfg(test)]
mod tests {
    use afterstate_twenty48::Board;

    use super::*;
    use crate::ntuple::Design;

    #[test]
    fn a_correction_with_full_rate_reaches_the_target() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 0.0).unwrap();
        let rule = Rule::new(&network, None, Rate::Constant(1.0), Credit::Online);
        // No two features of this board share a weight.
        let board = Board::from_nibbles(0x0123_4567_89ab_cdef);
        let corrected = rule.correct_step(Step { board: board.nibbles(), stage: 0, reward: 0 }, 640.0);
        assert_eq!((corrected, network.value(board)), (640.0, 640.0));
    }

    #[test]
    fn coherence_slows_a_weight_whose_errors_cancel() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 0.0).unwrap();
        let coherence = Coherence::new(&network).unwrap();
        let rule = Rule::new(&network, Some(&coherence), Rate::Coherent(1.0), Credit::Online);
        let step = Step { board: 0x0123_4567_89ab_cdef, stage: 0, reward: 0 };
        assert_eq!(rule.correct_step(step, 100.0), 100.0);
        // The next error is -100: still coherent; after it the sum is 0 and the weight stands still.
        assert_eq!(rule.correct_step(step, 0.0), 0.0);
        assert_eq!(rule.correct_step(step, 50.0), 0.0);
    }

    #[test]
    fn a_game_is_corrected_backward_as_if_its_places_were_found_one_by_one() {
        let networks = [0, 1].map(|_| Network::new(&Design::built_in("4x4").unwrap(), 100.0).unwrap());
        let steps: Vec<Step> = (0..11).map(|i| Step { board: 0x1234 << (4 * i), stage: 0, reward: 4 * i }).collect();
        let rules = [0, 1].map(|i: usize| Rule::new(&networks[i], None, Rate::Constant(0.5), Credit::Backward(0.5)));
        for length in 0..=steps.len() {
            let steps = &steps[..length];
            rules[0].correct_backward(super::super::index::Portable, steps, 90.0, 0.5);
            let mut target = 90.0;
            for &step in steps.iter().rev() {
                let corrected = rules[1].correct_step(step, target);
                target = step.reward as f32 + 0.5 * target + 0.5 * corrected;
            }
        }
        let weights = |network: &Network| network.values.read(0..network.values.len());
        assert!(weights(&networks[0]) == weights(&networks[1]));
    }
}
