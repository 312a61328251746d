//! Lines of four cells: rows and columns, slid tile by tile or by table.

use crate::Tile;

/// Four cells in a row or column, the first at the lowest bits, packed as in [`Board`](crate::Board).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) nibbles: u16,
    pub(crate) high: u8,
}

/// Whether a line slides away from its first cell: an index into the entries of [`SLID`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// Towards the first cell: left or up.
    Forward = 0,
    /// Towards the last cell: right or down.
    Backward = 1,
}

/// Every line without high bits, slid both ways (256 KiB). Where [`QUARTER_REWARD`] says [`EXCEEDS`], the entry is
/// meaningless.
///
/// Both senses lie side by side because judging a position needs both; a table per sense is 12% slower there.
pub(crate) static SLID: [[u16; 2]; 1 << 16] = TABLES.0;

/// A quarter of the points a line earns when it slides, the same both ways (128 KiB): merges make rewards multiples of 4
/// and at most 65536, so a quarter fits beside the mark.
pub(crate) static QUARTER_REWARD: [u16; 1 << 16] = TABLES.1;

/// Marks a line in which two tiles of 32768 merge: the result does not fit into nibbles.
pub(crate) const EXCEEDS: u16 = 1 << 15;

/// Computed while compiling, which takes about a second.
const TABLES: ([[u16; 2]; 1 << 16], [u16; 1 << 16]) = {
    let mut slid = [[0; 2]; 1 << 16];
    let mut quarter_reward = [0; 1 << 16];
    let mut nibbles = 0;
    while nibbles < 1 << 16 {
        let (forward, reward) = slide_forward(widened(nibbles as u16));
        let exceeds = forward & 0x1010_1010 != 0;
        let forward = narrowed(forward);
        slid[nibbles][Sense::Forward as usize] = forward;
        slid[mirrored(nibbles as u16) as usize][Sense::Backward as usize] = mirrored(forward);
        quarter_reward[nibbles] = if exceeds { EXCEEDS } else { (reward / 4) as u16 };
        nibbles += 1;
    }
    (slid, quarter_reward)
};

/// The four rows of a board without high bits.
#[inline]
pub(crate) const fn lines(cells: u64) -> [u16; 4] {
    [cells as u16, (cells >> 16) as u16, (cells >> 32) as u16, (cells >> 48) as u16]
}

/// The board of four rows.
#[inline]
pub(crate) const fn packed([a, b, c, d]: [u16; 4]) -> u64 {
    a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48
}

/// The four rows slid forward, and slid backward.
#[inline]
pub(crate) fn slid_both_ways(cells: u64) -> [[u16; 4]; 2] {
    let [a, b, c, d] = lines(cells);
    let [a, b, c, d] = [SLID[usize::from(a)], SLID[usize::from(b)], SLID[usize::from(c)], SLID[usize::from(d)]];
    [[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]]]
}

impl Line {
    #[inline]
    pub(crate) const fn exponents(self) -> [u8; 4] {
        let mut exponents = [0; 4];
        let mut i = 0;
        while i < 4 {
            exponents[i] = (self.nibbles >> (4 * i) & 15) as u8 | (self.high >> i & 1) << 4;
            i += 1;
        }
        exponents
    }

    const fn from_exponents(exponents: [u8; 4]) -> Self {
        let mut line = Self { nibbles: 0, high: 0 };
        let mut i = 0;
        while i < 4 {
            line.nibbles |= (exponents[i] as u16 & 15) << (4 * i);
            line.high |= (exponents[i] >> 4) << i;
            i += 1;
        }
        line
    }

    /// The line after a slide, and the reward.
    pub(crate) fn slid(self, sense: Sense) -> (Self, u32) {
        let reward = QUARTER_REWARD[usize::from(self.nibbles)];
        if self.high == 0 && reward != EXCEEDS {
            let nibbles = SLID[usize::from(self.nibbles)][sense as usize];
            return (Self { nibbles, high: 0 }, 4 * u32::from(reward));
        }
        self.slid_exactly(sense)
    }

    fn slid_exactly(self, sense: Sense) -> (Self, u32) {
        let bytes = u32::from_le_bytes(self.exponents());
        let (slid, reward) = match sense {
            Sense::Forward => slide_forward(bytes),
            Sense::Backward => {
                let (slid, reward) = slide_forward(bytes.swap_bytes());
                (slid.swap_bytes(), reward)
            }
        };
        (Self::from_exponents(slid.to_le_bytes()), reward)
    }
}

/// Slides four exponents, one per byte, towards the lowest: gaps close, equal neighbours merge once, front pairs first.
const fn slide_forward(line: u32) -> (u32, u32) {
    let mut slid = 0;
    let mut reward = 0;
    // The place of the next tile, and the tile before it if that may still merge.
    let mut shift = 0;
    let mut open = 0;
    let mut rest = line;
    while rest != 0 {
        let tile = rest & 0xff;
        rest >>= 8;
        if tile == 0 {
            continue;
        }
        if tile == open && tile != Tile::MAX.exponent() as u32 {
            slid += 1 << (shift - 8);
            reward += 2 << tile;
            open = 0;
        } else {
            slid |= tile << shift;
            shift += 8;
            open = tile;
        }
    }
    (slid, reward)
}

/// Four nibbles as four bytes.
const fn widened(nibbles: u16) -> u32 {
    let pairs = (nibbles as u32 | (nibbles as u32) << 8) & 0x00ff_00ff;
    (pairs | pairs << 4) & 0x0f0f_0f0f
}

/// The low nibbles of four bytes.
const fn narrowed(bytes: u32) -> u16 {
    let pairs = (bytes & 0x0f0f_0f0f) | (bytes & 0x0f0f_0f0f) >> 4;
    (pairs & 0xff | pairs >> 8 & 0xff00) as u16
}

/// The nibbles in reverse order.
const fn mirrored(nibbles: u16) -> u16 {
    let swapped = nibbles.swap_bytes();
    (swapped & 0x0f0f) << 4 | swapped >> 4 & 0x0f0f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_slide_as_in_the_game() {
        let check = |before, after, reward| {
            let (slid, earned) = slide_forward(u32::from_le_bytes(before));
            assert_eq!((slid.to_le_bytes(), earned), (after, reward));
        };
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

    #[test]
    fn the_reward_is_the_same_both_ways() {
        for nibbles in 0..=u16::MAX {
            let line = Line { nibbles, high: 0 };
            assert_eq!(line.slid(Sense::Forward).1, line.slid(Sense::Backward).1, "{line:?}");
        }
    }
}
