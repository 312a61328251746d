//! Patterns: which cells hold a chain of large tiles, and which tile is to be built in the others to go on with it.

use std::fmt;
use std::str::FromStr;

use afterstate_game::{Symmetric, Symmetry};
use afterstate_twenty48::{Board, Cell, State, Tile};

/// A chain of different tiles on the locked cells of the board. Its *end* is the smallest of them, on one of the cells of the
/// last row; another tile like it is to be built on the free cells and merged with it.
///
/// Written as four digits and the tile, `0144-512`: the number of free cells in each row from the top, the locked ones to
/// the left of them. By symmetry this stands for eight arrangements of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The free cells of each row from the top.
    rows: [u8; 4],
    target: Tile,
}

/// Why something is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is not written as four digits, a dash and a tile.
    #[error("`{0}` is no pattern: expected the free cells of each row and the tile to build, such as 0144-512")]
    Text(String),
    /// No cells to build on, or too many for a table.
    #[error("{0} has {1} free cells; there must be at least 2 and at most 12")]
    FreeCells(String, usize),
    /// Spawns build the tile by themselves, or it cannot be the smallest of a chain that lies on the locked cells.
    #[error(
        "{pattern} builds {target} beside {locked} different tiles that are at least as large; it must be from 8 to 512, \
         and from {target} to 32768 there are only {larger}"
    )]
    Target {
        /// The pattern.
        pattern: String,
        /// The tile to build.
        target: u32,
        /// How many cells are locked.
        locked: usize,
        /// How many different tiles there are from the target up to 32768.
        larger: usize,
    },
}

/// The exponent of the largest tile to build.
const LARGEST: u8 = 9;

/// How a pattern sees a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    /// What brings the chain onto the locked cells.
    pub(crate) symmetry: Symmetry,
    /// On which of the pattern's ends the end of the chain lies then.
    pub(crate) end: usize,
    /// Where it lies on the board.
    pub(crate) cell: Cell,
}

impl Pattern {
    /// A pattern with this many free cells in each row from the top.
    pub fn new(rows: [u8; 4], target: Tile) -> Result<Self, PatternError> {
        let pattern = Self { rows, target };
        let free = pattern.free_cells().len();
        if !(2..=12).contains(&free) || rows.iter().any(|&row| row > 4) {
            return Err(PatternError::FreeCells(pattern.to_string(), free));
        }
        let (locked, larger) = (16 - free, 16usize.saturating_sub(usize::from(target.exponent())));
        if target <= Tile::FOUR || target.exponent() > LARGEST || locked > larger {
            return Err(PatternError::Target { pattern: pattern.to_string(), target: target.value(), locked, larger });
        }
        Ok(pattern)
    }

    /// The tile that is to be built.
    #[must_use]
    pub fn target(&self) -> Tile {
        self.target
    }

    /// The cells on which it is built, row by row from the top left.
    #[must_use]
    pub fn free_cells(&self) -> Vec<Cell> {
        Cell::all().filter(|cell| cell.column() + usize::from(self.rows[cell.row()]) >= 4).collect()
    }

    /// The locked cells as bits, numbered like the cells.
    #[must_use]
    pub fn locked_mask(&self) -> u16 {
        self.free_cells().iter().fold(u16::MAX, |mask, cell| mask & !(1 << cell.index()))
    }

    /// The locked cells on which the smallest tile may lie: those of the last row that has any.
    #[must_use]
    pub(crate) fn ends(&self) -> Vec<Cell> {
        let locked = || Cell::all().filter(|cell| self.locked_mask() >> cell.index() & 1 == 1);
        let last = locked().map(Cell::row).max();
        locked().filter(|cell| Some(cell.row()) == last).collect()
    }

    /// For every set of cells, as bits, the ways to see the tiles of a chain on it, all but the end. Each has the end on another
    /// cell; where the chain is already in place, that comes first.
    #[must_use]
    pub(crate) fn sights(&self) -> Vec<Vec<Sight>> {
        let mut sights: Vec<Vec<Sight>> = vec![Vec::new(); 1 << 16];
        for symmetry in State::symmetries() {
            let there = |mask: u16| mask_image(mask, State::inverse(symmetry));
            for (end, at) in self.ends().into_iter().enumerate() {
                let known = &mut sights[usize::from(there(self.locked_mask() & !(1 << at.index())))];
                let cell = Cell::new(there(1 << at.index()).trailing_zeros() as usize);
                if let Some(cell) = cell.filter(|&cell| known.iter().all(|sight| sight.cell != cell)) {
                    known.push(Sight { symmetry, end, cell });
                }
            }
        }
        sights
    }

    /// The sets of cells, as bits, that are symmetric to the locked ones.
    pub(crate) fn images(&self) -> impl Iterator<Item = u16> {
        let locked = self.locked_mask();
        State::symmetries().map(move |symmetry| mask_image(locked, symmetry))
    }

    /// The board with nothing on the free cells and the tile to build on this end. The next larger tiles stand for the rest of
    /// the chain, all different, so that no slide merges them.
    #[must_use]
    pub(crate) fn locked_board(&self, end: Cell) -> Board {
        let locked = Cell::all().filter(|&cell| self.locked_mask() >> cell.index() & 1 == 1 && cell != end);
        let larger = (self.target.exponent() + 1..).map(Tile::from_exponent);
        locked.zip(larger).fold(Board::EMPTY.with(end, Some(self.target)), |board, (cell, tile)| board.with(cell, tile))
    }
}

/// Where a symmetry brings cells.
fn mask_image(mask: u16, symmetry: Symmetry) -> u16 {
    let cells = Cell::all().filter(|cell| mask >> cell.index() & 1 == 1);
    let board = cells.fold(Board::EMPTY, |board, cell| board.with(cell, Some(Tile::TWO)));
    board.transformed(symmetry).cells_from(Tile::TWO)
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.rows;
        write!(f, "{a}{b}{c}{d}-{}", self.target)
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let error = || PatternError::Text(text.to_owned());
        let (rows, target) = text.split_once('-').ok_or_else(error)?;
        let &[a @ b'0'..=b'4', b @ b'0'..=b'4', c @ b'0'..=b'4', d @ b'0'..=b'4'] = rows.as_bytes() else {
            return Err(error());
        };
        let target = target.parse().ok().and_then(Tile::from_value).ok_or_else(error)?;
        Self::new([a, b, c, d].map(|digit| digit - b'0'), target)
    }
}

impl serde::Serialize for Pattern {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Pattern {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_written_as_it_is_read() {
        for text in ["0144-512", "0333-256", "0044-16", "2222-64"] {
            assert_eq!(text.parse::<Pattern>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn locked_cells_stand_to_the_left_and_the_end_in_their_last_row() {
        let pattern: Pattern = "0144-512".parse().unwrap();
        assert_eq!(pattern.locked_mask(), 0b0000_0000_0111_1111);
        assert_eq!(pattern.ends().iter().map(|cell| cell.index()).collect::<Vec<_>>(), [4, 5, 6]);
        let board = pattern.locked_board(pattern.ends()[1]);
        assert_eq!(board.to_string(), "1024 2048 4096 8192/16384 512 32768 0/0 0 0 0/0 0 0 0");
    }

    #[test]
    fn a_row_that_slid_to_the_other_side_is_seen_from_there() {
        let pattern: Pattern = "0144-512".parse().unwrap();
        let sights = pattern.sights();
        // All but the end on c2, and on a2: the end may also lie on d2 then.
        assert_eq!(sights[0b0011_1111].iter().map(|sight| sight.end).collect::<Vec<_>>(), [2]);
        let ends: Vec<_> = sights[0b0110_1111].iter().map(|sight| (sight.end, sight.cell.index())).collect();
        assert_eq!(ends, [(0, 4), (0, 7)]);
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_a_reason() {
        let check = |text: &str, reason: &str| {
            let error = text.parse::<Pattern>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        };
        check("", "is no pattern");
        check("0144", "is no pattern");
        check("0154-512", "is no pattern");
        check("014-512", "is no pattern");
        check("0144-500", "is no pattern");
        check("0144-512-", "is no pattern");
        check("4444-512", "16 free cells");
        check("0001-16", "1 free cells");
        check("0144-1024", "from 1024 to 32768 there are only 6");
        check("0144-4", "it must be from 8 to 512");
        check("0344-1024", "it must be from 8 to 512");
    }
}
