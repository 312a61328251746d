//! The board: sixteen tiles in 80 bits.

use std::fmt;

use crate::line::Line;
use crate::{Cell, Tile};

/// Sixteen cells, each empty or holding a tile from 2 to 131072.
///
/// The exponent of cell `i` is nibble `i` of `cells`, plus 16 where bit `i` of `high` is set. Play below 65536 keeps
/// `high` at 0, so the common case works on one register, and tiles from 65536 on are still exact.
///
/// Equality and hashing compare the tiles cell by cell; symmetric boards are different boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Board {
    cells: u64,
    /// Set only where the nibble is 0 (65536) or 1 (131072); every constructor keeps this.
    high: u16,
}

/// The lowest bit of every nibble.
pub(crate) const ONES: u64 = 0x1111_1111_1111_1111;

impl Board {
    /// The board without tiles.
    pub const EMPTY: Self = Self { cells: 0, high: 0 };

    /// A board of tiles below 65536 from its packed form: nibble `i` is the exponent of cell `i`.
    #[inline]
    #[must_use]
    pub const fn from_nibbles(cells: u64) -> Self {
        Self { cells, high: 0 }
    }

    /// The board with these exponents, row by row from the top left, 0 for empty cells; `None` if one is above 17. The
    /// inverse of [`Self::exponents`].
    #[must_use]
    pub fn from_exponents(exponents: [u8; 16]) -> Option<Self> {
        Cell::all().zip(exponents).try_fold(Self::EMPTY, |board, (cell, exponent)| {
            if exponent == 0 { Some(board) } else { Some(board.with(cell, Some(Tile::from_exponent(exponent)?))) }
        })
    }

    /// A board from packed parts that are known to keep the invariant of `high`.
    #[inline]
    pub(crate) const fn from_parts(cells: u64, high: u16) -> Self {
        Self { cells, high }
    }

    /// The low four bits of all exponents: nibble `i` belongs to cell `i`, row by row from the top left.
    #[inline]
    #[must_use]
    pub const fn nibbles(self) -> u64 {
        self.cells
    }

    /// The cells whose exponent is 16 more than their nibble: bit `i` belongs to cell `i`.
    #[inline]
    #[must_use]
    pub const fn high_bits(self) -> u16 {
        self.high
    }

    /// The exponent in a cell, 0 if it is empty.
    #[inline]
    #[must_use]
    pub const fn exponent(self, cell: Cell) -> u8 {
        let index = cell.index();
        (self.cells >> (4 * index) & 15) as u8 | ((self.high >> index & 1) << 4) as u8
    }

    /// What lies in a cell.
    #[inline]
    #[must_use]
    pub const fn get(self, cell: Cell) -> Option<Tile> {
        Tile::from_exponent(self.exponent(cell))
    }

    /// The board with the cell's content replaced.
    #[inline]
    #[must_use]
    pub const fn with(self, cell: Cell, tile: Option<Tile>) -> Self {
        let index = cell.index();
        let exponent = match tile {
            Some(tile) => tile.exponent(),
            None => 0,
        };
        Self {
            cells: self.cells & !(15 << (4 * index)) | (exponent as u64 & 15) << (4 * index),
            high: self.high & !(1 << index) | (exponent as u16 >> 4) << index,
        }
    }

    /// The exponents of all cells, row by row from the top left, 0 where empty.
    #[must_use]
    pub fn exponents(self) -> [u8; 16] {
        let mut exponents = [0; 16];
        for cell in Cell::all() {
            exponents[cell.index()] = self.exponent(cell);
        }
        exponents
    }

    /// One bit per cell at the lowest bit of its nibble, set where the cell is empty.
    #[inline]
    pub(crate) const fn empty_mask(self) -> u64 {
        let low_bits = self.cells | self.cells >> 2;
        let taken = low_bits | low_bits >> 1;
        let mask = !taken & ONES;
        if self.high == 0 { mask } else { mask & !spread(self.high) }
    }

    /// Whether there are high bits or a slide may make some: there are two tiles of 32768.
    #[inline]
    pub(crate) const fn may_exceed_nibbles(self) -> bool {
        let pairs = self.cells & self.cells >> 2;
        let largest = pairs & pairs >> 1 & ONES;
        self.high != 0 || largest & largest.wrapping_sub(1) != 0
    }

    /// The number of empty cells.
    #[inline]
    #[must_use]
    pub const fn count_empty(self) -> u32 {
        count_places(self.empty_mask())
    }

    /// The empty cells, row by row from the top left.
    pub fn empty_cells(self) -> impl Iterator<Item = Cell> {
        let mut mask = self.empty_mask();
        std::iter::from_fn(move || {
            let cell = Cell::new(mask.trailing_zeros() as usize / 4)?;
            mask &= mask - 1;
            Some(cell)
        })
    }

    /// The largest tile, or `None` on an empty board.
    #[must_use]
    pub fn max_tile(self) -> Option<Tile> {
        Cell::all().filter_map(|cell| self.get(cell)).max()
    }

    /// The cells that hold this tile or a larger one: bit `i` belongs to cell `i`.
    #[inline]
    #[must_use]
    pub const fn cells_from(self, tile: Tile) -> u16 {
        if tile.exponent() > 15 {
            return self.cells_from_huge(tile);
        }
        const EVEN: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const BYTES: u64 = 0x0101_0101_0101_0101;
        // Two nibbles of room each: the sum of a large exponent and what it lacks to 16 carries into the second.
        let lacking = (16 - tile.exponent() as u64) * BYTES;
        let even = ((self.cells & EVEN) + lacking) >> 4 & BYTES;
        let odd = ((self.cells >> 4 & EVEN) + lacking) >> 4 & BYTES;
        gather(even | odd << 4) | self.high
    }

    #[cold]
    const fn cells_from_huge(self, tile: Tile) -> u16 {
        if tile.exponent() == 16 { self.high } else { self.high & gather(self.cells & ONES) }
    }

    /// The number of different tiles on the board.
    #[inline]
    #[must_use]
    pub fn count_distinct(self) -> u32 {
        let mut seen = 0u32;
        let mut rest = self.cells;
        while rest != 0 {
            seen |= 1 << (rest & 15);
            rest >>= 4;
        }
        if self.high != 0 {
            seen = self.exponents().iter().fold(0, |seen, exponent| seen | 1 << exponent);
        }
        (seen >> 1).count_ones()
    }

    /// The sum of all tiles.
    #[must_use]
    pub fn sum(self) -> u32 {
        Cell::all().filter_map(|cell| self.get(cell)).map(Tile::value).sum()
    }

    /// A row, 0 at the top; rows beyond the last count from the top again.
    #[inline]
    pub(crate) const fn row(self, row: usize) -> Line {
        let row = row & 3;
        Line { nibbles: (self.cells >> (16 * row)) as u16, high: (self.high >> (4 * row)) as u8 & 15 }
    }

    /// A 64-bit hash, a bijection of the tiles as long as all are below 65536.
    #[inline]
    #[must_use]
    pub const fn key(self) -> u64 {
        let mut z = self.cells ^ (self.high as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        z = (z ^ z >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        z ^ z >> 32
    }
}

/// The number of bits in a mask that has one bit per nibble. A multiplication adds up all nibbles but the last, which
/// would overflow; the instruction that counts bits is not part of the oldest processors this runs on.
#[inline]
pub(crate) const fn count_places(mask: u64) -> u32 {
    ((places_before(mask) >> 60) + (mask >> 60)) as u32
}

/// For each nibble the number of mask bits in the nibbles below it.
#[inline]
pub(crate) const fn places_before(mask: u64) -> u64 {
    (mask << 4).wrapping_mul(ONES)
}

/// Moves bit `i` of sixteen to bit `4 * i`.
pub(crate) const fn spread(bits: u16) -> u64 {
    let mut x = bits as u64;
    x = (x | x << 24) & 0x0000_00ff_0000_00ff;
    x = (x | x << 12) & 0x000f_000f_000f_000f;
    x = (x | x << 6) & 0x0303_0303_0303_0303;
    (x | x << 3) & ONES
}

/// The inverse of [`spread`].
pub(crate) const fn gather(mask: u64) -> u16 {
    let mut x = mask & ONES;
    x = (x | x >> 3) & 0x0303_0303_0303_0303;
    x = (x | x >> 6) & 0x000f_000f_000f_000f;
    x = (x | x >> 12) & 0x0000_00ff_0000_00ff;
    (x | x >> 24) as u16
}

/// The text form without the quotes of a string: `4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::all() {
            let separator = match (cell.row(), cell.column()) {
                (0, 0) => "",
                (_, 0) => "/",
                _ => " ",
            };
            write!(f, "{separator}{}", self.get(cell).map_or(0, Tile::value))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_into_a_cell_is_found_there_and_nowhere_else() {
        for cell in Cell::all() {
            for tile in Tile::all() {
                let board = Board::EMPTY.with(cell, Some(tile));
                assert_eq!(board.get(cell), Some(tile));
                assert_eq!(board.count_empty(), 15);
                assert!(board.empty_cells().all(|empty| empty != cell));
                assert_eq!((board.max_tile(), board.sum(), board.count_distinct()), (Some(tile), tile.value(), 1));
                assert_eq!(board.with(cell, None), Board::EMPTY);
            }
        }
        assert_eq!(Board::EMPTY.empty_cells().count(), 16);
        assert_eq!(Board::EMPTY.max_tile(), None);
    }

    #[test]
    fn the_cells_from_a_tile_on_are_those_that_hold_as_much() {
        let exponents: [u8; 16] = std::array::from_fn(|index| index as u8);
        for exponents in [exponents, exponents.map(|exponent| (exponent * 7 + 3) % 18)] {
            let board = Board::from_exponents(exponents).unwrap();
            assert_eq!(board.exponents(), exponents);
            for tile in Tile::all() {
                let expected = Cell::all().filter(|&cell| board.get(cell) >= Some(tile));
                let expected = expected.fold(0, |mask, cell| mask | 1 << cell.index());
                assert_eq!(board.cells_from(tile), expected, "{board} {tile}");
            }
        }
    }

    #[test]
    fn a_tile_above_131072_makes_no_board() {
        for exponent in 0..=u8::MAX {
            let board = Board::from_exponents([exponent; 16]);
            assert_eq!(board.is_some(), exponent <= Tile::MAX.exponent(), "{exponent}");
        }
    }

    #[test]
    fn masks_spread_gather_and_count() {
        for bits in 0..=u16::MAX {
            assert_eq!(gather(spread(bits)), bits);
            assert_eq!(count_places(spread(bits)), bits.count_ones());
        }
        assert_eq!(spread(0b1000_0000_0000_0101), 0x1000_0000_0000_0101);
    }
}
