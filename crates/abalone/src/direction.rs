//! The six directions in which marbles move.

/// A direction on the hexagonal board, row I being the top. Counter-clockwise, so that the next one is a turn of 60
/// degrees to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// From `e5` to `e6`.
    East = 0,
    /// From `e5` to `f6`.
    NorthEast = 1,
    /// From `e5` to `f5`.
    NorthWest = 2,
    /// From `e5` to `e4`.
    West = 3,
    /// From `e5` to `d4`.
    SouthWest = 4,
    /// From `e5` to `d5`.
    SouthEast = 5,
}

use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};

impl Direction {
    /// The number of directions.
    pub const COUNT: usize = 6;

    /// All directions, counter-clockwise.
    pub const ALL: [Self; Self::COUNT] = [East, NorthEast, NorthWest, West, SouthWest, SouthEast];

    /// The direction `sixths` sixths of a full turn to the left.
    #[inline(always)]
    #[must_use]
    pub const fn turned(self, sixths: u8) -> Self {
        Self::ALL[(self as usize + sixths as usize) % Self::COUNT]
    }

    /// The direction back.
    #[inline(always)]
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turned(3)
    }

    /// The change of row and column that one step makes.
    #[must_use]
    pub const fn step(self) -> (i8, i8) {
        match self {
            East => (0, 1),
            NorthEast => (1, 1),
            NorthWest => (1, 0),
            West => (0, -1),
            SouthWest => (-1, -1),
            SouthEast => (-1, 0),
        }
    }
}

/// The body for every direction, as an array. Written out so that each copy is compiled with its direction known: the
/// shifts of a set of cells then have constant widths. A closure called six times would not be copied.
macro_rules! each_direction {
    (|$direction:ident| $body:expr) => {
        $crate::direction::each_direction!(@ $direction $body; East NorthEast NorthWest West SouthWest SouthEast)
    };
    (@ $direction:ident $body:expr; $($name:ident)*) => {
        [$({
            let $direction = $crate::Direction::$name;
            $body
        }),*]
    };
}
pub(crate) use each_direction;
