//! Sets of cells: the bitboard.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Cell, Direction};

/// A set of cells in one 64-bit word, bit `i` being the cell with index `i`.
///
/// Because a step adds the same number to every index modulo 61, moving a whole set one step is a rotation of 61 bits
/// and a mask for the edge: four instructions (two along a row), where a grid with a border needs 81 bits or more in
/// two words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cells(u64);

/// The cells that have a neighbour in the opposite direction, by direction: where a step can arrive.
const ARRIVALS: [Cells; Direction::COUNT] = {
    let mut arrivals = [Cells(0); Direction::COUNT];
    let mut d = 0;
    while d < Direction::COUNT {
        let back = Direction::ALL[d].opposite();
        let mut i = 0;
        while i < Cell::COUNT {
            if let Some(cell) = Cell::from_index(i)
                && cell.neighbour(back).is_some()
            {
                arrivals[d].0 |= 1 << i;
            }
            i += 1;
        }
        d += 1;
    }
    arrivals
};

impl Cells {
    /// No cell.
    pub const EMPTY: Self = Self(0);

    /// The whole board.
    pub const BOARD: Self = Self((1 << Cell::COUNT) - 1);

    /// The set of one cell.
    #[inline(always)]
    #[must_use]
    pub const fn of(cell: Cell) -> Self {
        Self(1 << cell.index())
    }

    /// The cells with the set bits of a word; bits beyond the board are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::BOARD.0)
    }

    /// One bit per cell, by [`Cell::index`].
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many cells there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no cell.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the cell is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// Whether every cell of `other` is in this set.
    #[inline(always)]
    #[must_use]
    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Adds a cell.
    #[inline(always)]
    pub fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.index();
    }

    /// Every cell moved one step; those that would leave the board are gone.
    #[inline(always)]
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let bits = self.0;
        let moved = match direction {
            // Rows never wrap round the ring: the cells of a row have consecutive indices.
            Direction::East => bits << 1,
            Direction::West => bits >> 1,
            Direction::NorthWest => bits << 13 | bits >> 48,
            Direction::SouthEast => bits >> 13 | bits << 48,
            Direction::NorthEast => bits << 14 | bits >> 47,
            Direction::SouthWest => bits >> 14 | bits << 47,
        };
        Self(moved & ARRIVALS[direction as usize].0)
    }

    /// The cells whose neighbour in this direction is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn facing(self, direction: Direction) -> Self {
        self.step(direction.opposite())
    }

    /// The cells at the edge of the board in this direction: a step from there leaves it.
    #[inline(always)]
    #[must_use]
    pub const fn edge(direction: Direction) -> Self {
        Self(Self::BOARD.0 & !ARRIVALS[direction.opposite() as usize].0)
    }

    /// The cells at this distance from the centre.
    #[must_use]
    pub const fn ring(distance: u8) -> Self {
        let mut ring = 0;
        let mut i = 0;
        while i < Cell::COUNT {
            if let Some(cell) = Cell::from_index(i)
                && cell.distance(Cell::CENTRE) == distance
            {
                ring |= 1 << i;
            }
            i += 1;
        }
        Self(ring)
    }
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        // The word has no bit from 61 on, so only the empty set has that many trailing zeros.
        let cell = Cell::from_index(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = Self::len(*self) as usize;
        (len, Some(len))
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, |set, cell| set | Self::of(cell))
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Cell::all().filter(|&cell| self.contains(cell))).finish()
    }
}

impl BitAnd for Cells {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Cells {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Cells {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Cells {
    type Output = Self;

    /// The rest of the board.
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0 ^ Self::BOARD.0)
    }
}

impl BitAndAssign for Cells {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Cells {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Cells {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_a_set_is_the_step_of_its_cells() {
        for direction in Direction::ALL {
            for cell in Cell::all() {
                let stepped: Vec<Cell> = Cells::of(cell).step(direction).collect();
                assert_eq!(stepped, cell.neighbour(direction).into_iter().collect::<Vec<_>>(), "{cell} {direction:?}");
            }
            let moved = Cells::BOARD.filter_map(|cell| cell.neighbour(direction)).collect();
            assert_eq!(Cells::BOARD.step(direction), moved);
            assert_eq!(Cells::edge(direction).len(), 9);
            assert_eq!(Cells::edge(direction).step(direction), Cells::EMPTY);
        }
    }

    #[test]
    fn the_rest_of_the_board_has_no_cell_beyond_it() {
        assert_eq!(!Cells::EMPTY, Cells::BOARD);
        assert_eq!((!Cells::of(Cell::CENTRE)).len(), 60);
        assert_eq!(Cells::from_bits(u64::MAX), Cells::BOARD);
    }
}
