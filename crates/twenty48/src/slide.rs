//! Slides: all tiles move one way, equal neighbours merge once.
//!
//! A line of four tiles below 32768 slides by one look-up in a table of 65,536 entries. Lines in which 65536 or more is
//! or comes to be are worked out tile by tile; everything else on the board still goes through the table.
//!
//! Two tiles of 131072 do not merge. Play cannot bring two of them together (sixteen cells are too few), but a board read
//! from text may hold them; they are then like two different tiles.

use std::hint::select_unpredictable;

use crate::board::{Line, ONES};
use crate::symmetry::transpose;
use crate::{Board, Direction, Tile};

/// What a slide leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The board after the slide; equal to the board before it exactly when the slide is not a legal move.
    pub board: Board,
    /// The sum of the tiles that were made.
    pub reward: u32,
}

/// A line slid by table: the slid line in the low half, a quarter of the reward (which merges make a multiple of 4) in
/// the next 15 bits, and [`EXCEEDS`] at the top.
type Entry = u32;

/// Marks a line in which two tiles of 32768 merge: the result does not fit into nibbles.
const EXCEEDS: Entry = 1 << 31;

const FORWARD: usize = 0;
const BACKWARD: usize = 1;

/// One table per sense, 256 KiB each: forward slides towards the low nibble (left, up), backward towards the high one.
static TABLES: [[Entry; 1 << 16]; 2] = {
    let mut tables = [[0; 1 << 16]; 2];
    let mut nibbles = 0;
    while nibbles < 1 << 16 {
        let exponents = Line { nibbles: nibbles as u16, high: 0 }.exponents();
        let (slid, reward) = slide_line(exponents);
        let forward = Line::from_exponents(slid);
        let reward = (reward / 4) << 16;
        let [a, b, c, d] = slid;
        let backward = Line::from_exponents([d, c, b, a]);
        let exceeds = if forward.high == 0 { 0 } else { EXCEEDS };
        tables[FORWARD][nibbles] = if exceeds == 0 { forward.nibbles as u32 | reward } else { exceeds };
        let [a, b, c, d] = exponents;
        let reversed = Line::from_exponents([d, c, b, a]).nibbles as usize;
        tables[BACKWARD][reversed] = if exceeds == 0 { backward.nibbles as u32 | reward } else { exceeds };
        nibbles += 1;
    }
    tables
};

/// Slides four exponents towards the first: gaps close, equal neighbours merge once, front pairs first.
const fn slide_line(line: [u8; 4]) -> ([u8; 4], u32) {
    let mut slid = [0; 4];
    let mut reward = 0;
    // The last tile in place, and whether it may still merge.
    let mut count = 0;
    let mut open = false;
    let mut i = 0;
    while i < 4 {
        let tile = line[i];
        i += 1;
        if tile == 0 {
            continue;
        }
        if open && slid[count - 1] == tile && tile < Tile::MAX.exponent() {
            slid[count - 1] = tile + 1;
            reward += 2 << tile;
            open = false;
        } else {
            slid[count] = tile;
            count += 1;
            open = true;
        }
    }
    (slid, reward)
}

impl Board {
    /// Slides all tiles in a direction.
    #[inline]
    #[must_use]
    pub fn slide(self, direction: Direction) -> Slide {
        if self.high_bits() == 0
            && let Some(slide) = slide_nibbles(self.nibbles(), direction)
        {
            return slide;
        }
        self.slide_exactly(direction)
    }

    /// Whether the slide changes anything.
    #[inline]
    #[must_use]
    pub fn can_slide(self, direction: Direction) -> bool {
        self.slide(direction).board != self
    }

    /// Whether any slide changes anything: whether the game goes on.
    #[inline]
    #[must_use]
    pub fn can_slide_somewhere(self) -> bool {
        if self.high_bits() != 0 {
            return Direction::ALL.into_iter().any(|direction| self.can_slide(direction));
        }
        let cells = self.nibbles();
        if self.empty_mask() != 0 {
            // Some line has both a tile and a gap, and slides at least one way.
            return cells != 0;
        }
        // Two equal neighbours leave a zero nibble in the difference; the last row and column have no next one.
        let right = cells ^ cells >> 4 | 0xf000_f000_f000_f000;
        let down = cells ^ cells >> 16 | 0xffff_0000_0000_0000;
        has_zero_nibble(right) || has_zero_nibble(down)
    }

    /// The slide of any tiles: by table for ordinary lines, tile by tile for the others.
    #[cold]
    fn slide_exactly(self, direction: Direction) -> Slide {
        let backward = direction.is_backward();
        let lines = if direction.is_vertical() { self.transposed() } else { self };
        let mut cells = 0;
        let mut high = 0;
        let mut reward = 0;
        for row in 0..4 {
            let (slid, points) = slide_line_packed(lines.row(row), backward);
            cells |= u64::from(slid.nibbles) << (16 * row);
            high |= u16::from(slid.high) << (4 * row);
            reward += points;
        }
        let board = Self::from_parts(cells, high);
        Slide { board: if direction.is_vertical() { board.transposed() } else { board }, reward }
    }
}

/// The slide of a board without high bits, or `None` if it makes a tile that needs one.
#[inline]
fn slide_nibbles(cells: u64, direction: Direction) -> Option<Slide> {
    // Random play would mispredict a branch on the direction every other time.
    let vertical = direction.is_vertical();
    let lines = select_unpredictable(vertical, transpose(cells), cells);
    let table = &TABLES[usize::from(direction.is_backward())];
    let [a, b, c, d] = [0, 16, 32, 48].map(|shift| u64::from(table[usize::from((lines >> shift) as u16)]));
    if (a | b | c | d) & u64::from(EXCEEDS) != 0 {
        return None;
    }
    let low = 0xffff;
    let slid = a & low | (b & low) << 16 | (c & low) << 32 | d << 48;
    let reward = 4 * ((a >> 16) + (b >> 16) + (c >> 16) + (d >> 16)) as u32;
    Some(Slide { board: Board::from_nibbles(select_unpredictable(vertical, transpose(slid), slid)), reward })
}

#[inline]
const fn has_zero_nibble(x: u64) -> bool {
    let pairs = x | x >> 2;
    !(pairs | pairs >> 1) & ONES != 0
}

fn slide_line_packed(line: Line, backward: bool) -> (Line, u32) {
    let entry = TABLES[usize::from(backward)][usize::from(line.nibbles)];
    if line.high == 0 && entry & EXCEEDS == 0 {
        return (Line { nibbles: entry as u16, high: 0 }, 4 * (entry >> 16));
    }
    let mut exponents = line.exponents();
    if backward {
        exponents.reverse();
    }
    let (mut slid, reward) = slide_line(exponents);
    if backward {
        slid.reverse();
    }
    (Line::from_exponents(slid), reward)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_slide_as_in_the_game() {
        let check = |before: [u8; 4], after: [u8; 4], reward| assert_eq!(slide_line(before), (after, reward));
        check([0, 0, 0, 1], [1, 0, 0, 0], 0);
        check([1, 1, 1, 0], [2, 1, 0, 0], 4);
        check([1, 1, 1, 1], [2, 2, 0, 0], 8);
        check([1, 1, 2, 0], [2, 2, 0, 0], 4);
        check([2, 1, 0, 1], [2, 2, 0, 0], 4);
        check([1, 2, 1, 2], [1, 2, 1, 2], 0);
        check([15, 15, 0, 0], [16, 0, 0, 0], 65_536);
        check([16, 0, 16, 15], [17, 15, 0, 0], 131_072);
        check([17, 17, 0, 0], [17, 17, 0, 0], 0);
    }
}
