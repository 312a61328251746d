//! The sixteen cells of the board.

use std::fmt;

/// A cell of the board, named by a column `a`..`d` from the left and a row `1`..`4` from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The number of cells.
    pub const COUNT: usize = 16;

    /// The cell with this number, counted row by row from the top left; `None` from 16 on.
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The cell in this row and column, both counted from 0 at the top left.
    #[inline]
    #[must_use]
    pub const fn at(row: usize, column: usize) -> Option<Self> {
        if row < 4 && column < 4 { Some(Self((4 * row + column) as u8)) } else { None }
    }

    /// The number of the cell, counted row by row from the top left; below 16.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize & 15
    }

    /// The row, 0 at the top.
    #[inline]
    #[must_use]
    pub const fn row(self) -> usize {
        self.index() / 4
    }

    /// The column, 0 at the left.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        self.index() % 4
    }

    /// The cell with this name, such as `a1` for the top left.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let &[column @ b'a'..=b'd', row @ b'1'..=b'4'] = name.as_bytes() else { return None };
        Self::at(usize::from(row - b'1'), usize::from(column - b'a'))
    }

    /// All cells, row by row from the top left.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_found_by_its_name_and_place() {
        for cell in Cell::all() {
            assert_eq!(Cell::from_name(&cell.to_string()), Some(cell));
            assert_eq!(Cell::at(cell.row(), cell.column()), Some(cell));
            assert_eq!(Cell::new(cell.index()), Some(cell));
        }
        assert_eq!(Cell::all().map(|cell| cell.to_string()).collect::<String>().get(..10), Some("a1b1c1d1a2"));
        for name in ["", "a", "a0", "a5", "e1", "A1", "1a", "a11", "ä1"] {
            assert_eq!(Cell::from_name(name), None, "{name}");
        }
    }
}
