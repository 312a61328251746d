//! Patterns: which cells hold large tiles that stay where they are, and which tile is to be built in the others.

use std::fmt;
use std::str::FromStr;

use afterstate_game::{Symmetric, Symmetry};
use afterstate_twenty48::{Board, Cell, State, Tile};

/// Large tiles locked on some cells of the board, and a tile to be built on the free ones.
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
        "{pattern} builds {target} beside {locked} different tiles that are at least as large; it must be at least 8, and \
         from {target} to 32768 there are only {larger}"
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

impl Pattern {
    /// A pattern with this many free cells in each row from the top.
    pub fn new(rows: [u8; 4], target: Tile) -> Result<Self, PatternError> {
        let pattern = Self { rows, target };
        let free = pattern.free_cells().len();
        if !(2..=12).contains(&free) || rows.iter().any(|&row| row > 4) {
            return Err(PatternError::FreeCells(pattern.to_string(), free));
        }
        let (locked, larger) = (16 - free, 16usize.saturating_sub(usize::from(target.exponent())));
        if target <= Tile::FOUR || locked > larger {
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

    /// For every set of cells, as bits, the symmetry that brings it onto the locked cells, if there is one. Where the locked
    /// cells are already in place, that is the identity.
    #[must_use]
    pub(crate) fn images(&self) -> Vec<Option<Symmetry>> {
        let mut images = vec![None; 1 << 16];
        // The identity comes first, and stays.
        for symmetry in State::symmetries() {
            let image = self.locked_board().transformed(State::inverse(symmetry)).cells_from(Tile::TWO);
            images[usize::from(image)].get_or_insert(symmetry);
        }
        images
    }

    /// The board with nothing on the free cells. The locked ones hold different tiles, the last one that which is to be built:
    /// which the others are does not matter, because they do not merge.
    #[must_use]
    pub fn locked_board(&self) -> Board {
        let locked = Cell::all().filter(|cell| self.locked_mask() >> cell.index() & 1 == 1).rev();
        let (target, larger) = (self.target.exponent(), 16 - self.locked_mask().count_ones() as u8);
        locked
            .zip(std::iter::once(target).chain(larger + 1..))
            .fold(Board::EMPTY, |board, (cell, exponent)| board.with(cell, Tile::from_exponent(exponent)))
    }
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
    fn locked_cells_stand_to_the_left_and_hold_different_tiles() {
        let pattern: Pattern = "0144-512".parse().unwrap();
        assert_eq!(pattern.locked_mask(), 0b0000_0000_0111_1111);
        assert_eq!(pattern.locked_board().to_string(), "32768 16384 8192 4096/2048 1024 512 0/0 0 0 0/0 0 0 0");
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
        check("0144-4", "it must be at least 8");
    }
}
