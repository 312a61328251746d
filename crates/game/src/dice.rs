//! The one source of randomness: a seeded generator whose stream is part of the reproducibility contract.

use std::convert::Infallible;

use rand::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded random generator (xoshiro256++). The same seed gives the same stream on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// Dice whose rolls are fixed by `seed`.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`; 0 if `bound` is 0. The bias is below `bound / 2^64`: one multiplication instead of a
    /// rejection loop, because random play spends a good part of its time here.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// `true` with the given probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Puts the items into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// Lets the distributions of `rand` draw from these dice.
impl TryRng for Dice {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// A seed for one part of a larger whole: `derive_seed(experiment, &[pairing, game])`. Different paths give seeds that
/// are unrelated for every practical purpose (each step is a `SplitMix64` finaliser).
#[must_use]
pub fn derive_seed(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(mix(seed), |seed, &step| mix(seed ^ mix(step.wrapping_add(0x9e37_79b9_7f4a_7c15))))
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014): a bijection in which every input bit reaches every output bit.
const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_stays_below_and_reaches_every_number() {
        let mut dice = Dice::seeded(1);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[dice.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        assert_eq!(dice.below(0), 0);
    }

    #[test]
    fn the_stream_of_a_seed_is_fixed() {
        let mut dice = Dice::seeded(2048);
        let rolls: Vec<u32> = (0..8).map(|_| dice.below(100)).collect();
        assert_eq!(rolls, PINNED);
    }

    const PINNED: [u32; 8] = [4, 87, 11, 52, 23, 88, 19, 68];

    #[test]
    fn derived_seeds_differ_by_every_step_of_the_path() {
        let seeds = [
            derive_seed(1, &[]),
            derive_seed(1, &[0]),
            derive_seed(1, &[0, 0]),
            derive_seed(1, &[0, 1]),
            derive_seed(1, &[1, 0]),
            derive_seed(2, &[0, 1]),
        ];
        for (i, a) in seeds.iter().enumerate() {
            assert!(seeds[i + 1..].iter().all(|b| a != b));
        }
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Dice::seeded(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
