//! How exactly each weight of a model is stored.
//!
//! A file has room for a few bits per weight. They are spent where play notices them: the step to which a weight is rounded
//! doubles whenever the weight is looked up a quarter as often, so that every weight adds about as much error to a game.
//! Where there is room for more, fewer steps are doubled; where there is less, weights that are never looked up are left out.
//!
//! A network that learns on after rounding makes up for coarse weights with those that are looked up often. Then the coarse
//! ones may be much coarser, and the bits go to the others.

use super::network::Network;
use super::weights::PAGE;

/// How the weights of a network are rounded, page by page.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantiser {
    /// The smallest step, in points.
    pub(crate) unit: f32,
    /// Which weights of each page are kept: one bit each.
    pub(crate) masks: Vec<u32>,
    /// How often the step of each page was doubled.
    pub(crate) classes: Vec<u8>,
}

/// Steps are doubled less often than this.
pub(crate) const CLASSES: usize = 12;

/// Which weights are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All but zeros.
    All,
    /// Those that were looked up in play.
    Seen,
}

/// What comes after rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Nothing: the network is stored as it is.
    Final,
    /// The coarse weights stay as they are, and the others learn on.
    LearnedAround,
}

impl Rounding {
    /// How often the step is doubled for weights that were looked up this often.
    fn class(self, mean: u64) -> u8 {
        let class = match self {
            Self::Final => doublings(mean, ALWAYS),
            Self::LearnedAround if mean >= OFTEN => 0,
            Self::LearnedAround => doublings(mean, OFTEN).max(1) + GAP,
        };
        class.min(CLASSES as u32 - 1) as u8
    }

    /// The smallest step of weights that are looked up most that is worth a trial. Weights that are looked up seldom are
    /// stored as finely where there is room: then no step is doubled.
    pub(crate) fn finest(self) -> f32 {
        match self {
            Self::Final => FINEST / f32::from(1u16 << (CLASSES - 1)),
            Self::LearnedAround => FINEST,
        }
    }

    /// Whether the bits do not suffice for weights that are looked up often, with this step for those looked up most.
    pub(crate) fn is_crowded(self, unit: f32) -> bool {
        unit * f32::from(1u16 << self.class(OFTEN)) > CROWDED
    }

    /// How many doublings are spared where a step was asked for, and no finer one is stored than `unit`.
    fn spared(self, asked: f32, unit: f32) -> u8 {
        match self {
            Self::Final => (unit / asked).log2().clamp(0.0, CLASSES as f32) as u8,
            Self::LearnedAround => 0,
        }
    }
}

/// The smallest step that any weight gets, in points.
const FINEST: f32 = 0.25;

/// Weights that are looked up this often get the smallest step of all.
const ALWAYS: u64 = 1 << 20;
/// Weights that are looked up this often learn on when the others are fixed.
const OFTEN: u64 = 1 << 10;
/// How much coarser than others weights are that are learned around, in doublings of their step.
const GAP: u32 = 4;
/// From this step on, in points, of weights that are looked up often, there is no room for weights that are not looked up.
const CROWDED: f32 = 8.0;

impl Quantiser {
    /// Keeps all weights but zeros, as multiples of one step.
    #[must_use]
    pub fn uniform(network: &Network, step: f32) -> Self {
        let masks: Vec<u32> = pages(network).map(|page| mask(network, page, |_| true)).collect();
        let classes = vec![0; masks.len()];
        Self { unit: representable(network, step), masks, classes }
    }

    /// Keeps weights the more exactly the more often they were looked up in play. `step` is asked for those that were looked
    /// up most; where it is finer than is worth storing, the others get the steps that they would have beside it.
    #[must_use]
    pub fn by_visits(network: &Network, visits: &[u32], step: f32, keep: Keep, rounding: Rounding) -> Self {
        let unit = representable(network, step.max(FINEST));
        let spared = rounding.spared(step, unit);
        let seen = |place: usize| visits.get(place).copied().unwrap_or(0);
        let wanted = |place| keep == Keep::All || seen(place) > 0;
        let masks: Vec<u32> = pages(network).map(|page| mask(network, page, wanted)).collect();
        let class = |(mask, page): (&u32, std::ops::Range<usize>)| {
            let total: u64 =
                page.enumerate().filter(|(bit, _)| mask >> bit & 1 != 0).map(|(_, place)| u64::from(seen(place))).sum();
            rounding.class(total / u64::from(mask.count_ones()).max(1)).saturating_sub(spared)
        };
        let classes = masks.iter().zip(pages(network)).map(class).collect();
        Self { unit, masks, classes }
    }

    /// The weight of a place in units: a multiple of the step of its page.
    #[inline]
    pub(crate) fn multiple(&self, place: usize, weight: f32) -> i16 {
        let page = place / PAGE;
        if self.masks[page] >> (place % PAGE) & 1 == 0 {
            return 0;
        }
        let largest = i16::MAX >> self.classes[page];
        // A conversion of floats saturates and takes what is not a number as 0.
        ((weight / self.step(page)).round() as i16).clamp(-largest, largest)
    }

    /// The weight of a place as a reader of the model sees it.
    #[must_use]
    pub fn rounded(&self, place: usize, weight: f32) -> f32 {
        f32::from(self.multiple(place, weight)) * self.step(place / PAGE)
    }

    /// How much a kept weight is changed at most.
    #[must_use]
    pub fn largest_error(&self, place: usize) -> f32 {
        self.step(place / PAGE) / 2.0
    }

    /// What a weight is fixed at while the others learn on: those that are left out at 0, those with a doubled step at what
    /// the file will say. The others will be rounded so little that they are free.
    #[must_use]
    pub fn fixed(&self, place: usize, weight: f32) -> Option<f32> {
        let page = place / PAGE;
        let kept = self.masks[page] >> (place % PAGE) & 1 != 0;
        (!kept || self.classes[page] > 0).then(|| self.rounded(place, weight))
    }

    /// The weights that are kept.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.masks.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    #[inline]
    fn step(&self, page: usize) -> f32 {
        self.unit * f32::from(1u16 << self.classes[page])
    }
}

/// The places of each page.
fn pages(network: &Network) -> impl Iterator<Item = std::ops::Range<usize>> {
    let len = network.values.len();
    (0..len).step_by(PAGE).map(move |begin| begin..(begin + PAGE).min(len))
}

fn mask(network: &Network, page: std::ops::Range<usize>, wanted: impl Fn(usize) -> bool) -> u32 {
    let kept = page.enumerate().filter(|&(_, place)| network.values.get(place) != 0.0 && wanted(place));
    kept.fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// How often a step doubles from weights that are looked up `often` to those that are looked up `mean` times.
fn doublings(mean: u64, often: u64) -> u32 {
    // Not looked up at all counts as a quarter of once.
    let rarer = (4 * often).checked_div(4 * mean).unwrap_or(4 * often);
    rarer.checked_ilog2().map_or(0, |log| log / 2)
}

/// The step, or the smallest one with which the largest weight still fits into 16 bits.
fn representable(network: &Network, step: f32) -> f32 {
    let weights = network.values.words().iter().map(super::memory::load);
    let largest =
        weights.filter(|weight| weight.is_finite()).fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
    // Room for the largest multiple of the coarsest step.
    step.max(largest / f32::from(i16::MAX - (1 << (CLASSES - 1)) + 1)).max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ntuple::Design;

    #[test]
    fn the_step_doubles_when_visits_are_a_quarter() {
        let classes = [0, 1, 4, 16, 255, 256, 1023, 1024, 4096, 1 << 18, 1 << 20, 1 << 40];
        assert_eq!(classes.map(|mean| Rounding::Final.class(mean)), [11, 10, 9, 8, 6, 6, 5, 5, 4, 1, 0, 0]);
        let classes = [0, 1, 4, 16, 255, 256, 1023, 1024, 4096];
        assert_eq!(classes.map(|mean| Rounding::LearnedAround.class(mean)), [10, 9, 8, 7, 5, 5, 5, 0, 0]);
    }

    fn network(weights: &[f32]) -> Network {
        let network = Network::new(&Design::new("x", &["a1 b1"], &[]).unwrap(), 0.0).unwrap();
        weights.iter().enumerate().for_each(|(place, &weight)| network.values.set(place, weight));
        network
    }

    proptest! {
        #[test]
        fn a_kept_weight_changes_by_half_a_step_at_most(
            weights in prop::collection::vec(-30_000.0f32..30_000.0, 256),
            visits in prop::collection::vec(0u32..5000, 256),
            unit in 1.0f32..64.0,
            rounding in prop_oneof![Just(Rounding::Final), Just(Rounding::LearnedAround)],
        ) {
            let network = network(&weights);
            let quantiser = Quantiser::by_visits(&network, &visits, unit, Keep::Seen, rounding);
            for (place, &weight) in weights.iter().enumerate() {
                let rounded = quantiser.rounded(place, weight);
                if visits[place] == 0 {
                    prop_assert_eq!(rounded, 0.0);
                } else {
                    // Beside half a step, what single precision itself rounds.
                    let bound = quantiser.largest_error(place) + 2.0 * f32::EPSILON * weight.abs();
                    prop_assert!((rounded - weight).abs() <= bound, "{} became {}", weight, rounded);
                    // Rounding once more changes nothing: what is fixed stays as it is.
                    prop_assert_eq!(quantiser.rounded(place, rounded), rounded);
                }
            }
        }
    }

    #[test]
    fn what_is_coarse_or_left_out_is_fixed() {
        let visits = [[2000; 32], [1; 32], [0; 32]].concat();
        let around = Rounding::LearnedAround;
        let quantiser = Quantiser::by_visits(&network(&[100.0; 96]), &visits, 0.5, Keep::Seen, around);
        assert_eq!(
            (quantiser.fixed(0, 100.0), quantiser.fixed(40, 100.0), quantiser.fixed(70, 100.0)),
            (None, Some(0.0), Some(0.0))
        );
        assert_eq!(quantiser.fixed(40, 200.0), Some(256.0), "a step of 256");
        assert_eq!(quantiser.kept(), 64);
        assert_eq!(Quantiser::by_visits(&network(&[100.0; 96]), &visits, 0.5, Keep::All, around).kept(), 96);
    }

    #[test]
    fn large_weights_widen_the_step() {
        let network = network(&[1e6, -3.0]);
        let quantiser = Quantiser::uniform(&network, 1.0);
        assert!((quantiser.rounded(0, 1e6) - 1e6).abs() <= quantiser.largest_error(0) * 1.001);
    }
}
