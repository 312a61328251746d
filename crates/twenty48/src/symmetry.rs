//! The eight symmetries of the square, on packed boards.
//!
//! Bits of a symmetry's number: 4 transposes, then 1 mirrors left and right, then 2 mirrors top and bottom.

use afterstate_game::{Symmetric, Symmetry};

use crate::board::{Board, gather, spread};
use crate::{Direction, State};

impl Board {
    /// The board mirrored at its main diagonal: rows become columns.
    #[inline]
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self::from_parts(transpose(self.nibbles()), self.high_moved(Moved::Transposed))
    }

    /// The board mirrored left to right.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::from_parts(mirror(self.nibbles()), self.high_moved(Moved::Mirrored))
    }

    /// The board mirrored top to bottom.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::from_parts(flip(self.nibbles()), self.high_moved(Moved::Flipped))
    }

    /// The board as seen through a symmetry; numbers from 8 on repeat the first eight.
    #[inline]
    #[must_use]
    pub const fn transformed(self, symmetry: Symmetry) -> Self {
        let mut board = self;
        if symmetry.0 & 4 != 0 {
            board = board.transposed();
        }
        if symmetry.0 & 1 != 0 {
            board = board.mirrored();
        }
        if symmetry.0 & 2 != 0 {
            board = board.flipped();
        }
        board
    }

    /// The smallest of the eight symmetric boards: equal for boards that differ only by a symmetry.
    #[inline]
    #[must_use]
    pub fn canonical(self) -> Self {
        if self.high_bits() != 0 {
            return self.canonical_with_large_tiles();
        }
        let least_mirror = |cells: u64| {
            let mirrored = mirror(cells);
            cells.min(flip(cells)).min(mirrored.min(flip(mirrored)))
        };
        Self::from_nibbles(least_mirror(self.nibbles()).min(least_mirror(transpose(self.nibbles()))))
    }

    #[cold]
    fn canonical_with_large_tiles(self) -> Self {
        State::symmetries().fold(self, |least, symmetry| least.min(self.transformed(symmetry)))
    }

    /// The high bits, moved as the nibbles are.
    #[inline]
    const fn high_moved(self, moved: Moved) -> u16 {
        if self.high_bits() == 0 { 0 } else { high_moved(self.high_bits(), moved) }
    }
}

/// How the cells of a board move.
#[derive(Clone, Copy)]
enum Moved {
    Transposed,
    Mirrored,
    Flipped,
}

/// Out of line: otherwise every move of a board without high bits would pay for them.
#[cold]
const fn high_moved(high: u16, moved: Moved) -> u16 {
    let nibbles = spread(high);
    gather(match moved {
        Moved::Transposed => transpose(nibbles),
        Moved::Mirrored => mirror(nibbles),
        Moved::Flipped => flip(nibbles),
    })
}

/// Swaps rows and columns of nibbles: first within 2x2 blocks, then the blocks.
#[inline]
pub(crate) const fn transpose(x: u64) -> u64 {
    let within = (x ^ x >> 12) & 0x0000_f0f0_0000_f0f0;
    let x = x ^ within ^ within << 12;
    let blocks = (x ^ x >> 24) & 0x0000_0000_ff00_ff00;
    x ^ blocks ^ blocks << 24
}

/// Reverses the nibbles of every row.
#[inline]
const fn mirror(x: u64) -> u64 {
    let pairs = (x & 0x00ff_00ff_00ff_00ff) << 8 | x >> 8 & 0x00ff_00ff_00ff_00ff;
    (pairs & 0x0f0f_0f0f_0f0f_0f0f) << 4 | pairs >> 4 & 0x0f0f_0f0f_0f0f_0f0f
}

/// Reverses the order of the rows.
#[inline]
const fn flip(x: u64) -> u64 {
    let halves = x.rotate_left(32);
    (halves & 0x0000_ffff_0000_ffff) << 16 | halves >> 16 & 0x0000_ffff_0000_ffff
}

impl Symmetric for State {
    const SYMMETRIES: u8 = 8;

    fn inverse(symmetry: Symmetry) -> Symmetry {
        // A transposition exchanges the two mirrors that follow it; without one every symmetry undoes itself.
        let Symmetry(bits) = symmetry;
        if bits & 4 == 0 { symmetry } else { Symmetry(4 | (bits & 1) << 1 | (bits & 2) >> 1) }
    }

    #[inline]
    fn transformed(&self, symmetry: Symmetry) -> Self {
        Self(self.0.transformed(symmetry))
    }

    fn transformed_move(mv: Direction, symmetry: Symmetry) -> Direction {
        use Direction::{Down, Left, Right, Up};
        let mut mv = mv;
        if symmetry.0 & 4 != 0 {
            mv = match mv {
                Up => Left,
                Left => Up,
                Down => Right,
                Right => Down,
            };
        }
        match (mv, symmetry.0 & 1 != 0, symmetry.0 & 2 != 0) {
            (Left, true, _) => Right,
            (Right, true, _) => Left,
            (Up, _, true) => Down,
            (Down, _, true) => Up,
            _ => mv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Tile};

    #[test]
    fn symmetries_move_cells_as_their_names_say() {
        for cell in Cell::all() {
            for tile in [Tile::TWO, Tile::MAX] {
                let board = Board::EMPTY.with(cell, Some(tile));
                let at = |row, column| Board::EMPTY.with(Cell::at(row, column).unwrap(), Some(tile));
                assert_eq!(board.transposed(), at(cell.column(), cell.row()));
                assert_eq!(board.mirrored(), at(cell.row(), 3 - cell.column()));
                assert_eq!(board.flipped(), at(3 - cell.row(), cell.column()));
            }
        }
    }

    #[test]
    fn symmetric_boards_have_one_canonical_form() {
        let board = Board::from_nibbles(0x0123_4567_89ab_cdef);
        let large = board.with(Cell::all().next().unwrap(), Some(Tile::MAX));
        for board in [board, large] {
            for symmetry in State::symmetries() {
                assert_eq!(board.transformed(symmetry).canonical(), board.canonical());
            }
            assert!(State::symmetries().any(|symmetry| board.transformed(symmetry) == board.canonical()));
        }
    }
}
