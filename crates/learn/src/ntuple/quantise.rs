//! How exactly each weight of a model is stored.
//!
//! A file has room for a few bits per weight. They are spent where play notices them: the step to which a weight is rounded
//! doubles whenever the weight is looked up a quarter as often, so that every weight adds about as much error to a game.
//! Where there is room for more, fewer steps are doubled; where there is less, weights that are never looked up are left out.
//!
//! A network that learns on after rounding makes up for coarse weights with those that are looked up often. Then the coarse
//! ones may be coarser still, and the bits go to the others.
//!
//! A stage that resembles an earlier one, its *base*, is stored as the difference to it, and what is left out of it is as in its
//! base.

use super::network::Network;
use super::places::Places;
use super::resemblance::bases;
use super::weights::PAGE;
use crate::parallel::map_all;

/// How the weights of a network are rounded, page by page.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantiser {
    /// The smallest step, in points.
    pub(crate) unit: f32,
    /// Which weights of each page are kept: one bit each.
    pub(crate) masks: Vec<u32>,
    /// How often the step of each page was doubled.
    pub(crate) classes: Vec<u8>,
    /// The base of each stage, if it has one.
    pub(crate) bases: Vec<Option<usize>>,
    /// Where the weights of each stage lie.
    pub(crate) places: Places,
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
            Self::LearnedAround => FINE,
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

/// A step that costs nothing that play shows, in points.
const FINE: f32 = 4.0;

/// Weights that are looked up this often get the smallest step of all.
const ALWAYS: u64 = 1 << 20;
/// Weights that are looked up this often learn on when the others are fixed.
const OFTEN: u64 = 1 << 10;
/// How much coarser than others weights are that are learned around, in doublings of their step.
const GAP: u32 = 2;
/// From this step on, in points, of weights that are looked up often, there is no room for weights that are not looked up.
const CROWDED: f32 = 8.0;

impl Quantiser {
    /// Keeps all weights but zeros, as multiples of one step.
    #[must_use]
    pub fn uniform(network: &Network, step: f32) -> Self {
        Self::new(network, representable(network, step), |_| true, |_| 0)
    }

    /// Keeps weights the more exactly the more often they were looked up in play. `step` is asked for those that were looked
    /// up most; where it is finer than is worth storing, the others get the steps that they would have beside it.
    #[must_use]
    pub fn by_visits(network: &Network, visits: &[u32], step: f32, keep: Keep, rounding: Rounding) -> Self {
        let unit = representable(network, step.max(FINEST));
        let spared = rounding.spared(step, unit);
        let seen = |place: usize| visits.get(place).copied().unwrap_or(0);
        Self::new(
            network,
            unit,
            |place| keep == Keep::All || seen(place) > 0,
            |kept| {
                let (count, total) =
                    kept.fold((0, 0), |(count, total), place| (count + 1, total + u64::from(seen(place))));
                rounding.class(total / u64::max(count, 1)).saturating_sub(spared)
            },
        )
    }

    /// Keeps the weights that are `wanted`, those of a page in the class that `class` says.
    fn new(
        network: &Network,
        unit: f32,
        wanted: impl Fn(usize) -> bool + Sync,
        class: impl Fn(&mut dyn Iterator<Item = usize>) -> u8 + Sync,
    ) -> Self {
        let (bases, places) = (bases(network, &wanted), network.places());
        let weight = |place| network.values.get(place);
        // A zero is kept where the base is something else.
        let is_something = |place: usize| {
            weight(place) != 0.0 || base_place(&bases, places, place).is_some_and(|base| weight(base) != 0.0)
        };
        let len = network.values.len();
        let page = |page: usize| {
            let on_page = PAGE * page..len.min(PAGE * (page + 1));
            let kept = on_page.clone().filter(|&place| wanted(place) && is_something(place));
            let mask = kept.fold(0, |mask, place| mask | 1 << (place % PAGE));
            (mask, class(&mut on_page.filter(|place| mask >> (place % PAGE) & 1 != 0)))
        };
        let pages = len.div_ceil(PAGE);
        let parts =
            map_all(pages.div_ceil(PART), |part| (PART * part..pages.min(PART * (part + 1))).map(page).collect());
        let (masks, classes) = parts.into_iter().flat_map(|part: Vec<(u32, u8)>| part).unzip();
        Self { unit, masks, classes, bases, places }
    }

    /// The stage that a stage is stored beside.
    #[must_use]
    pub fn base_of(&self, stage: usize) -> Option<usize> {
        self.bases.get(stage).copied().flatten()
    }

    /// The place of the base that belongs to a place.
    pub(crate) fn base_place(&self, place: usize) -> Option<usize> {
        base_place(&self.bases, self.places, place)
    }

    pub(crate) fn is_kept(&self, place: usize) -> bool {
        self.masks[place / PAGE] >> (place % PAGE) & 1 != 0
    }

    /// A kept weight as a multiple of the step of its page.
    #[inline]
    pub(crate) fn multiple(&self, place: usize, weight: f32) -> i16 {
        let page = place / PAGE;
        let largest = i16::MAX >> self.classes[page];
        // A conversion of floats saturates and takes what is not a number as 0.
        ((weight / self.step(page)).round() as i16).clamp(-largest, largest)
    }

    /// The weight of a place as a reader of the model sees it, whose base has the weight `resembled` (0 without a base).
    #[must_use]
    pub fn rounded(&self, place: usize, weight: f32, resembled: f32) -> f32 {
        let page = place / PAGE;
        if self.is_kept(place) {
            return f32::from(self.multiple(place, weight)) * self.step(page);
        }
        if self.masks[page] == 0 {
            return resembled;
        }
        f32::from(expected((resembled / self.unit).round() as i16, self.classes[page])) * self.step(page)
    }

    /// How much a kept weight is changed at most.
    #[must_use]
    pub fn largest_error(&self, place: usize) -> f32 {
        self.step(place / PAGE) / 2.0
    }

    /// What a weight is fixed at while the others learn on: those that are left out and those with a doubled step at what the
    /// file will say. The others will be rounded so little that they are free.
    #[must_use]
    pub fn fixed(&self, place: usize, weight: f32, resembled: f32) -> Option<f32> {
        let is_free = self.is_kept(place) && self.classes[place / PAGE] == 0;
        (!is_free).then(|| self.rounded(place, weight, resembled))
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

/// The pages that one thread looks through at a time.
const PART: usize = 1 << 16;

fn base_place(bases: &[Option<usize>], places: Places, place: usize) -> Option<usize> {
    let base = bases.get(places.stage(place)).copied().flatten()?;
    places.counterpart(place, base)
}

/// The multiple of a step that is nearest to a weight of the base, which is given in units: what is expected of a weight.
#[inline]
pub(crate) fn expected(units: i16, class: u8) -> i16 {
    let half = 1i32 << class >> 1;
    let largest = i16::MAX >> class;
    // Within the bounds of 16 bits.
    ((i32::from(units) + half) >> class).clamp(-i32::from(largest), i32::from(largest)) as i16
}

/// How often a step doubles from weights that are looked up `often` to those that are looked up `mean` times.
fn doublings(mean: u64, often: u64) -> u32 {
    // Not looked up at all counts as a quarter of once.
    let rarer = (4 * often).checked_div(4 * mean).unwrap_or(4 * often);
    rarer.checked_ilog2().map_or(0, |log| log / 2)
}

/// The step, or the smallest one with which the largest weight still fits into 16 bits.
fn representable(network: &Network, step: f32) -> f32 {
    let parts: Vec<_> = network.values.words().chunks(1 << 22).collect();
    let largest = map_all(parts.len(), |part| {
        let weights = parts[part].iter().map(super::memory::load).filter(|weight| weight.is_finite());
        weights.fold(0.0, |largest: f32, weight| largest.max(weight.abs()))
    });
    let largest = largest.into_iter().fold(0.0, f32::max);
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
        assert_eq!(classes.map(|mean| Rounding::LearnedAround.class(mean)), [8, 7, 6, 5, 3, 3, 3, 0, 0]);
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
                let rounded = quantiser.rounded(place, weight, 0.0);
                if visits[place] == 0 {
                    prop_assert_eq!(rounded, 0.0);
                } else {
                    // Beside half a step, what single precision itself rounds.
                    let bound = quantiser.largest_error(place) + 2.0 * f32::EPSILON * weight.abs();
                    prop_assert!((rounded - weight).abs() <= bound, "{} became {}", weight, rounded);
                    // Rounding once more changes nothing: what is fixed stays as it is.
                    prop_assert_eq!(quantiser.rounded(place, rounded, 0.0), rounded);
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
            (quantiser.fixed(0, 100.0, 0.0), quantiser.fixed(40, 100.0, 0.0), quantiser.fixed(70, 100.0, 0.0)),
            (None, Some(128.0), Some(0.0))
        );
        assert_eq!(quantiser.fixed(40, 200.0, 0.0), Some(192.0), "a step of 64");
        assert_eq!(quantiser.fixed(70, 200.0, 33.0), Some(33.0), "left out: as in the base");
        assert_eq!(quantiser.kept(), 64);
        assert_eq!(Quantiser::by_visits(&network(&[100.0; 96]), &visits, 0.5, Keep::All, around).kept(), 96);
    }

    #[test]
    fn large_weights_widen_the_step() {
        let network = network(&[1e6, -3.0]);
        let quantiser = Quantiser::uniform(&network, 1.0);
        assert!((quantiser.rounded(0, 1e6, 0.0) - 1e6).abs() <= quantiser.largest_error(0) * 1.001);
    }
}
