//! One cell of the board.

use std::fmt;

use crate::Direction;

/// One of the 61 cells, `a1` (lower left) to `i9` (upper right): rows are letters from bottom to top, columns are the
/// diagonals that rise to the left.
///
/// The index of row `r` and column `c` (both from 0) is `13 r + c` modulo 61. A hexagon with five cells a side tiles the
/// plane in such a way that this gives every cell its own number, and a step in a direction adds the same number
/// everywhere: 1, 13 or 14, modulo 61. Only this module and [`crate::Cells`] know that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// Row and column of every cell.
const PLACES: [(u8, u8); Cell::COUNT] = {
    let mut places = [(0, 0); Cell::COUNT];
    let mut row = 0;
    while row < 9 {
        let mut column = 0;
        while column < 9 {
            if is_on_board(row, column) {
                places[index(row, column) as usize] = (row as u8, column as u8);
            }
            column += 1;
        }
        row += 1;
    }
    places
};

/// The neighbour of every cell in every direction; the index 61 where the board ends.
const NEIGHBOURS: [[Cell; Cell::COUNT]; Direction::COUNT] = {
    let mut neighbours = [[Cell(Cell::COUNT as u8); Cell::COUNT]; Direction::COUNT];
    let mut d = 0;
    while d < Direction::COUNT {
        let (rows, columns) = Direction::ALL[d].step();
        let mut i = 0;
        while i < Cell::COUNT {
            let row = PLACES[i].0 as i8 + rows;
            let column = PLACES[i].1 as i8 + columns;
            if is_on_board(row, column) {
                neighbours[d][i] = Cell(index(row, column));
            }
            i += 1;
        }
        d += 1;
    }
    neighbours
};

const fn is_on_board(row: i8, column: i8) -> bool {
    let diagonal = column - row;
    0 <= row && row < 9 && 0 <= column && column < 9 && -4 <= diagonal && diagonal <= 4
}

const fn index(row: i8, column: i8) -> u8 {
    ((13 * row as u16 + column as u16) % Cell::COUNT as u16) as u8
}

impl Cell {
    /// The number of cells.
    pub const COUNT: usize = 61;

    /// The cell in the middle, `e5`.
    pub const CENTRE: Self = Self(index(4, 4));

    /// The cell in row `0..9` (A to I) and column `0..9` (1 to 9), if the board has it.
    #[must_use]
    pub const fn new(row: u8, column: u8) -> Option<Self> {
        if row < 9 && column < 9 && is_on_board(row as i8, column as i8) {
            Some(Self(index(row as i8, column as i8)))
        } else {
            None
        }
    }

    /// The cell with this name, such as `e5` for the middle, in either case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let &[row, column] = name.as_bytes() else { return None };
        Self::new(row.to_ascii_lowercase().checked_sub(b'a')?, column.checked_sub(b'1')?)
    }

    /// The cell with this index.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The cell whose index is the low six bits of a word, which the caller knows to be below 61.
    #[inline(always)]
    pub(crate) const fn from_low_bits(word: usize) -> Self {
        debug_assert!(word & 63 < Self::COUNT);
        Self((word & 63) as u8)
    }

    /// The cell `count` steps away (at most five). Where the steps leave the board the ring of indices goes on, and the
    /// result means nothing.
    pub(crate) const fn stepped(self, direction: Direction, count: u8) -> Self {
        let (rows, columns) = direction.step();
        let step = 13 * rows as i16 + columns as i16;
        // Five steps are less than two rounds: this keeps the sum positive.
        let index = self.0 as i16 + step * count as i16 + 2 * Self::COUNT as i16;
        Self((index % Self::COUNT as i16) as u8)
    }

    /// A number below [`Self::COUNT`].
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 (A, at the bottom) to 8 (I).
    #[inline]
    #[must_use]
    pub const fn row(self) -> u8 {
        PLACES[self.index()].0
    }

    /// The column, 0 (written 1) to 8.
    #[inline]
    #[must_use]
    pub const fn column(self) -> u8 {
        PLACES[self.index()].1
    }

    /// The next cell in a direction, or `None` at the edge of the board.
    #[inline]
    #[must_use]
    pub const fn neighbour(self, direction: Direction) -> Option<Self> {
        let next = NEIGHBOURS[direction as usize][self.index()];
        if next.index() < Self::COUNT { Some(next) } else { None }
    }

    /// The least number of steps to another cell.
    #[must_use]
    pub const fn distance(self, other: Self) -> u8 {
        let rows = self.row() as i8 - other.row() as i8;
        let columns = self.column() as i8 - other.column() as i8;
        let diagonals = columns - rows;
        let longest = if rows.abs() > columns.abs() { rows.abs() } else { columns.abs() };
        (if longest > diagonals.abs() { longest } else { diagonals.abs() }) as u8
    }

    /// All cells, row by row from `a1` to `i9`.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..9).flat_map(Self::row_cells)
    }

    /// The cells of one row, from left to right.
    pub fn row_cells(row: u8) -> impl DoubleEndedIterator<Item = Self> {
        (0..9).filter_map(move |column| Self::new(row, column))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.row()), self.column() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_own_index() {
        let mut indices: Vec<usize> = Cell::all().map(Cell::index).collect();
        indices.sort_unstable();
        assert_eq!(indices, (0..Cell::COUNT).collect::<Vec<_>>());
        assert!(Cell::all().all(|cell| Cell::new(cell.row(), cell.column()) == Some(cell)));
    }

    #[test]
    fn a_cell_is_found_by_its_name() {
        for cell in Cell::all() {
            assert_eq!(Cell::from_name(&cell.to_string()), Some(cell));
            assert_eq!(Cell::from_name(&cell.to_string().to_uppercase()), Some(cell));
        }
        for name in ["", "e", "e0", "a6", "i4", "j5", "5e", "e55", "é5"] {
            assert_eq!(Cell::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn rows_are_five_to_nine_cells_long() {
        let lengths: Vec<usize> = (0..9).map(|row| Cell::row_cells(row).count()).collect();
        assert_eq!(lengths, [5, 6, 7, 8, 9, 8, 7, 6, 5]);
        assert_eq!(Cell::row_cells(8).map(|cell| cell.to_string()).collect::<String>(), "i5i6i7i8i9");
    }

    #[test]
    fn a_neighbour_is_one_step_away_and_leads_back() {
        for cell in Cell::all() {
            for direction in Direction::ALL {
                if let Some(next) = cell.neighbour(direction) {
                    assert_eq!(cell.distance(next), 1);
                    assert_eq!(next.neighbour(direction.opposite()), Some(cell));
                }
            }
        }
        let inner = |cell: &Cell| Direction::ALL.iter().all(|&direction| cell.neighbour(direction).is_some());
        assert_eq!(Cell::all().filter(inner).count(), 37);
    }

    #[test]
    fn distances_from_the_centre_make_rings_of_six() {
        let ring = |distance| Cell::all().filter(|cell| cell.distance(Cell::CENTRE) == distance).count();
        assert_eq!([0, 1, 2, 3, 4, 5].map(ring), [1, 6, 12, 18, 24, 0]);
    }
}
