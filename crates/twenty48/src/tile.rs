//! Tiles: powers of two from 2 to 131072.

use std::fmt;
use std::num::NonZeroU8;

/// A tile on the board. An empty cell is `None` of an `Option<Tile>`, which is as small as the tile itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(NonZeroU8);

impl Tile {
    /// The tile that appears nine times out of ten.
    pub const TWO: Self = Self(NonZeroU8::MIN);
    /// The tile that appears otherwise.
    pub const FOUR: Self = Self(NonZeroU8::MIN.saturating_add(1));
    /// 131072, the largest tile that play from an empty board can reach: sixteen cells hold at most the chain
    /// 4, 8, ..., 131072.
    pub const MAX: Self = Self(NonZeroU8::MIN.saturating_add(16));

    /// The tile with this exponent: 1 is the tile 2, 17 the tile 131072.
    #[inline]
    #[must_use]
    pub const fn from_exponent(exponent: u8) -> Option<Self> {
        match NonZeroU8::new(exponent) {
            Some(exponent) if exponent.get() <= Self::MAX.0.get() => Some(Self(exponent)),
            _ => None,
        }
    }

    /// The tile with this number on it.
    #[inline]
    #[must_use]
    pub const fn from_value(value: u32) -> Option<Self> {
        if value.is_power_of_two() { Self::from_exponent(value.trailing_zeros() as u8) } else { None }
    }

    /// The binary logarithm of [`Self::value`].
    #[inline]
    #[must_use]
    pub const fn exponent(self) -> u8 {
        self.0.get()
    }

    /// The number on the tile.
    #[inline]
    #[must_use]
    pub const fn value(self) -> u32 {
        1 << self.0.get()
    }

    /// All tiles from 2 to 131072.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=Self::MAX.exponent()).filter_map(Self::from_exponent)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tiles_are_the_powers_of_two_from_2_to_131072() {
        let values: Vec<u32> = Tile::all().map(Tile::value).collect();
        assert_eq!(values.first(), Some(&2));
        assert_eq!(values.last(), Some(&131_072));
        assert_eq!(values.len(), 17);
        assert!(Tile::all().all(|tile| Tile::from_value(tile.value()) == Some(tile)));
        assert!([0, 1, 3, 6, 262_144, u32::MAX].iter().all(|&value| Tile::from_value(value).is_none()));
        assert_eq!((Tile::TWO.value(), Tile::FOUR.value(), Tile::MAX.value()), (2, 4, 131_072));
    }
}
