//! Slides: all tiles move one way, equal neighbours merge once.
//!
//! A line of four tiles below 32768 slides by one look-up in a table of 65,536 entries. Lines in which 65536 or more is
//! or comes to be are worked out tile by tile; everything else on the board still goes through the table.
//!
//! Two tiles of 131072 do not merge. Play cannot bring two of them together (sixteen cells are too few), but a board read
//! from text may hold them; they are then like two different tiles.

use crate::board::Line;
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

/// One table per sense, 256 KiB each: forward slides towards the low nibble (left, up), backward towards the high one.
struct Tables {
    forward: [Entry; 1 << 16],
    backward: [Entry; 1 << 16],
}

static TABLES: Tables = {
    let mut tables = Tables { forward: [0; 1 << 16], backward: [0; 1 << 16] };
    let mut nibbles = 0;
    while nibbles < 1 << 16 {
        let exponents = Line { nibbles: nibbles as u16, high: 0 }.exponents();
        let (slid, reward) = slide_line(exponents);
        let forward = Line::from_exponents(slid);
        let reward = (reward / 4) << 16;
        let [a, b, c, d] = slid;
        let backward = Line::from_exponents([d, c, b, a]);
        let exceeds = if forward.high == 0 { 0 } else { EXCEEDS };
        tables.forward[nibbles] = if exceeds == 0 { forward.nibbles as u32 | reward } else { exceeds };
        let [a, b, c, d] = exponents;
        let reversed = Line::from_exponents([d, c, b, a]).nibbles as usize;
        tables.backward[reversed] = if exceeds == 0 { backward.nibbles as u32 | reward } else { exceeds };
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
        if direction.is_vertical() {
            let Slide { board, reward } = self.transposed().slide_rows(direction.is_backward());
            Slide { board: board.transposed(), reward }
        } else {
            self.slide_rows(direction.is_backward())
        }
    }

    /// Whether the slide changes anything.
    #[inline]
    #[must_use]
    pub fn can_slide(self, direction: Direction) -> bool {
        self.slide(direction).board != self
    }

    #[inline]
    fn slide_rows(self, backward: bool) -> Slide {
        let table = if backward { &TABLES.backward } else { &TABLES.forward };
        let cells = self.nibbles();
        let [a, b, c, d] = [0, 16, 32, 48].map(|shift| table[usize::from((cells >> shift) as u16)]);
        if self.high_bits() != 0 || (a | b | c | d) & EXCEEDS != 0 {
            return self.slide_rows_exactly(backward);
        }
        let [a, b, c, d] = [a, b, c, d].map(u64::from);
        let low = 0xffff;
        let slid = a & low | (b & low) << 16 | (c & low) << 32 | d << 48;
        let reward = 4 * ((a >> 16) + (b >> 16) + (c >> 16) + (d >> 16)) as u32;
        Slide { board: Self::from_nibbles(slid), reward }
    }

    /// The same for any tiles: table for ordinary rows, tile by tile for the others.
    #[cold]
    fn slide_rows_exactly(self, backward: bool) -> Slide {
        let table = if backward { &TABLES.backward } else { &TABLES.forward };
        let mut cells = 0;
        let mut high = 0;
        let mut reward = 0;
        for row in 0..4 {
            let line = self.row(row);
            let entry = table[usize::from(line.nibbles)];
            let (slid, points) = if line.high != 0 || entry & EXCEEDS != 0 {
                let mut exponents = line.exponents();
                if backward {
                    exponents.reverse();
                }
                let (mut slid, points) = slide_line(exponents);
                if backward {
                    slid.reverse();
                }
                (Line::from_exponents(slid), points)
            } else {
                (Line { nibbles: entry as u16, high: 0 }, 4 * (entry >> 16))
            };
            cells |= u64::from(slid.nibbles) << (16 * row);
            high |= u16::from(slid.high) << (4 * row);
            reward += points;
        }
        Slide { board: Self::from_parts(cells, high), reward }
    }
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
