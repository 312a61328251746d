//! Slides: all tiles move one way, equal neighbours merge once.
//!
//! A line of four tiles below 32768 slides by one look-up in a table of 65,536 entries. Lines in which 65536 or more is
//! or comes to be are worked out tile by tile; everything else on the board still goes through the table.
//!
//! Two tiles of 131072 do not merge. Play cannot bring two of them together (sixteen cells are too few), but a board read
//! from text may hold them; they are then like two different tiles.

use std::hint::select_unpredictable;

use crate::board::ONES;
use crate::line::{EXCEEDS, QUARTER_REWARD, SLID, lines, packed, slid_both_ways};
use crate::symmetry::transpose;
use crate::{Board, Direction};

/// What a slide leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The board after the slide; equal to the board before it exactly when the slide is not a legal move.
    pub board: Board,
    /// The sum of the tiles that were made.
    pub reward: u32,
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

    /// All four slides, in the order of [`Direction::ALL`]: one look-up gives both ways of a line.
    #[inline(always)]
    pub(crate) fn slides(self) -> [Slide; 4] {
        if self.may_exceed_nibbles() {
            return Direction::ALL.map(|direction| self.slide_exactly(direction));
        }
        let rows = self.nibbles();
        let columns = transpose(rows);
        let [left, right] = slid_both_ways(rows);
        let [up, down] = slid_both_ways(columns);
        let horizontal = |lines| Slide { board: Self::from_nibbles(packed(lines)), reward: reward(rows) };
        let vertical = |lines| Slide { board: Self::from_nibbles(transpose(packed(lines))), reward: reward(columns) };
        [vertical(up), horizontal(right), vertical(down), horizontal(left)]
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
        let lines = if direction.is_vertical() { self.transposed() } else { self };
        let mut cells = 0;
        let mut high = 0;
        let mut reward = 0;
        for row in 0..4 {
            let (slid, points) = lines.row(row).slid(direction.sense());
            cells |= u64::from(slid.nibbles) << (16 * row);
            high |= u16::from(slid.high) << (4 * row);
            reward += points;
        }
        let board = Self::from_parts(cells, high);
        Slide { board: if direction.is_vertical() { board.transposed() } else { board }, reward }
    }
}

/// The slide of a board without high bits, or `None` if it makes a tile that needs one.
///
/// Always inlined: where the compiler called it instead, passing the result through memory made judging four slides
/// eight times as slow.
#[inline(always)]
fn slide_nibbles(cells: u64, direction: Direction) -> Option<Slide> {
    // Random play would mispredict a branch on the direction every other time.
    let vertical = direction.is_vertical();
    let [a, b, c, d] = lines(select_unpredictable(vertical, transpose(cells), cells));
    let [a, b, c, d] = [usize::from(a), usize::from(b), usize::from(c), usize::from(d)];
    let rewards = [QUARTER_REWARD[a], QUARTER_REWARD[b], QUARTER_REWARD[c], QUARTER_REWARD[d]];
    if (rewards[0] | rewards[1] | rewards[2] | rewards[3]) & EXCEEDS != 0 {
        return None;
    }
    let sense = direction.sense() as usize;
    let slid = packed([SLID[a][sense], SLID[b][sense], SLID[c][sense], SLID[d][sense]]);
    let board = Board::from_nibbles(select_unpredictable(vertical, transpose(slid), slid));
    let [a, b, c, d] = rewards;
    Some(Slide { board, reward: 4 * (u32::from(a) + u32::from(b) + u32::from(c) + u32::from(d)) })
}

/// What four lines earn when they slide, either way. They stay within the table.
#[inline(always)]
fn reward(cells: u64) -> u32 {
    let [a, b, c, d] = lines(cells);
    let quarter = |line: u16| u32::from(QUARTER_REWARD[usize::from(line)]);
    4 * (quarter(a) + quarter(b) + quarter(c) + quarter(d))
}

#[inline]
const fn has_zero_nibble(x: u64) -> bool {
    let pairs = x | x >> 2;
    !(pairs | pairs >> 1) & ONES != 0
}
