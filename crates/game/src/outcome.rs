//! Who plays, and how a game ended.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// One of at most two players. A game for one player only ever shows [`Side::First`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// The player who makes the first move.
    First = 0,
    /// The opponent of [`Side::First`].
    Second = 1,
}

impl Side {
    /// Both sides, in the order in which they move.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];
}

impl Not for Side {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// One value for each side, indexed by [`Side`], so that the two can never be swapped by a wrong integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PerSide<T>(pub [T; 2]);

impl<T> Index<Side> for PerSide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for PerSide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A game without an opponent is over; its points are its result.
    Over,
    /// One side won.
    Won(Side),
    /// Nobody won.
    Drawn,
}

impl Outcome {
    /// `+1` if `side` won, `-1` if it lost, `0` otherwise.
    #[inline]
    #[must_use]
    pub fn sign_for(self, side: Side) -> i32 {
        match self {
            Self::Won(winner) if winner == side => 1,
            Self::Won(_) => -1,
            Self::Over | Self::Drawn => 0,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Over => "over",
            Self::Won(Side::First) => "first side won",
            Self::Won(Side::Second) => "second side won",
            Self::Drawn => "drawn",
        })
    }
}
