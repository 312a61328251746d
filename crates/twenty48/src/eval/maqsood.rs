//! The evaluation of the `maqsood` thesis: order, smoothness and empty cells.
//!
//! Empty cells take part in order and smoothness as tiles of value 0. The listings stop one pair short of the end of each
//! line if their indices are taken by the letter; the text and the figures want every pair, and so it is here.

use super::{ByLines, count_empty, differences};

/// `0.5 * monotonicity + smoothness / log2(largest tile) + 10 * empty cells`.
///
/// Monotonicity counts the neighbouring pairs that are in order, for the best of the four corners to grow from; equal
/// neighbours are in order both ways. Smoothness is minus the sum of the differences of neighbouring values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Maqsood {
    /// Earned for each ordered pair.
    pub monotonicity: f32,
    /// Earned for smoothness, before it is divided by the binary logarithm of the largest tile.
    pub smoothness: f32,
    /// Earned for each empty cell.
    pub empty: f32,
}

impl Default for Maqsood {
    fn default() -> Self {
        Self { monotonicity: 0.5, smoothness: 1.0, empty: 10.0 }
    }
}

/// What is known about a line, packed so that four lines are combined by three additions and three ORs:
/// bits 0-7 pairs that fall or are equal, 8-15 pairs that rise or are equal, 16-23 empty cells, 24-45 half the
/// differences (values are even), and from bit 46 on one bit for the largest exponent.
#[derive(Clone, Copy, Debug)]
pub struct MaqsoodLine(u64);

const RISES: u32 = 8;
const EMPTY: u32 = 16;
const DIFFERENCES: u32 = 24;
const LARGEST: u32 = 46;

/// The four lines of one direction, combined.
struct Totals {
    added: u64,
    seen: u64,
}

impl Totals {
    #[inline]
    fn new([a, b, c, d]: [MaqsoodLine; 4]) -> Self {
        // Additions overflow only into and out of the highest field, which is read from the OR.
        let added = a.0.wrapping_add(b.0).wrapping_add(c.0.wrapping_add(d.0));
        Self { added, seen: a.0 | b.0 | c.0 | d.0 }
    }

    /// The ordered pairs of the better direction.
    #[inline]
    fn ordered_pairs(&self) -> u32 {
        (self.added as u32 & 0xff).max(self.added as u32 >> RISES & 0xff)
    }

    #[inline]
    fn count_empty(&self) -> u32 {
        self.added as u32 >> EMPTY & 0xff
    }

    #[inline]
    fn differences(&self) -> u32 {
        2 * ((self.added >> DIFFERENCES) as u32 & ((1 << (LARGEST - DIFFERENCES)) - 1))
    }

    /// The largest exponent, at least 1: an empty board is perfectly smooth, whatever that is divided by.
    #[inline]
    fn largest(&self) -> u32 {
        (self.seen >> LARGEST | 2).ilog2()
    }
}

impl ByLines for Maqsood {
    type Judgement = MaqsoodLine;
    const KINDS: usize = 1;
    const ROWS: [usize; 4] = [0; 4];
    const COLUMNS: [usize; 4] = [0; 4];

    fn judge(&self, _kind: usize, line: [u8; 4]) -> MaqsoodLine {
        let pairs = |in_order: fn(&[u8; 2]) -> bool| line.array_windows().filter(|pair| in_order(pair)).count() as u64;
        let largest = line.into_iter().fold(0, u8::max);
        MaqsoodLine(
            pairs(|[a, b]| a >= b)
                | pairs(|[a, b]| a <= b) << RISES
                | u64::from(count_empty(line)) << EMPTY
                | (differences(line) as u64 / 2) << DIFFERENCES
                | 1 << (LARGEST + u32::from(largest)),
        )
    }

    #[inline]
    fn combine(&self, rows: [MaqsoodLine; 4], columns: [MaqsoodLine; 4]) -> f32 {
        let (rows, columns) = (Totals::new(rows), Totals::new(columns));
        let ordered = rows.ordered_pairs() + columns.ordered_pairs();
        let differences = rows.differences() + columns.differences();
        self.monotonicity * ordered as f32 - self.smoothness * differences as f32 / rows.largest() as f32
            + self.empty * rows.count_empty() as f32
    }
}
