//! How a network looks at a board: which stage judges it, and which of its largest tiles count as less than they are.

use afterstate_twenty48::Board;

use super::design::Design;

/// How a network looks at boards of one tile sum: all afterstates of a position have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) stage: usize,
    pub(crate) lowering: Lowering,
}

impl Design {
    /// How the network looks at a board without tiles above 32768.
    #[inline]
    pub(crate) fn view(&self, board: u64) -> View {
        if self.has_one_view() { View::default() } else { self.view_of_sum(tile_sum(board)) }
    }

    /// Whether all boards are looked at in the same way.
    #[inline]
    pub(crate) fn has_one_view(&self) -> bool {
        self.stages().is_empty() && self.ceiling().is_none()
    }

    /// How the network looks at boards with this tile sum.
    #[inline]
    pub(crate) fn view_of_sum(&self, sum: u32) -> View {
        match self.ceiling() {
            Some(ceiling) if sum >= ceiling => self.view_above(ceiling, sum),
            _ => View { stage: passed(self.stages(), sum), lowering: Lowering::default() },
        }
    }

    #[cold]
    fn view_above(&self, ceiling: u32, sum: u32) -> View {
        match passed(self.late(), sum) {
            0 => {
                let (lowering, less) = Lowering::above(ceiling, sum);
                View { stage: passed(self.stages(), sum - less), lowering }
            }
            late => View { stage: self.stages().len() + late, lowering: Lowering::default() },
        }
    }
}

/// How many of these sums a sum has come to.
#[inline]
fn passed(begins: &[u32], sum: u32) -> usize {
    begins.iter().take_while(|&&begin| begin <= sum).count()
}

/// Follows how a network looks at a game from tile to tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewCounter {
    sum: u32,
    pub(crate) view: View,
}

impl ViewCounter {
    pub(crate) fn new(design: &Design, board: Board) -> Self {
        let sum = tile_sum(downgraded(board));
        Self { sum, view: design.view_of_sum(sum) }
    }

    /// Counts the tile that appeared; whether a new stage began with it.
    #[inline(always)]
    pub(crate) fn count(&mut self, design: &Design, afterstate: Board, board: Board) -> bool {
        if design.has_one_view() {
            return false;
        }
        // The new nibble is 1 for a two and 2 for a four.
        let spawned = afterstate.nibbles() ^ board.nibbles();
        self.sum += if spawned & 0x1111_1111_1111_1111 != 0 { 2 } else { 4 };
        let view = design.view_of_sum(self.sum);
        let entered = view.stage != self.view.stage;
        self.view = view;
        entered
    }
}

/// The exponent of the largest tile below a ceiling that boards without larger tiles than 32768 can hold.
pub(crate) fn ceiling_tile(ceiling: u32) -> u32 {
    ceiling.ilog2().min(15)
}

/// Which of the largest tiles count as half of what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lowering {
    /// The exponent of the largest lowered tile.
    largest: u8,
    /// How many tile sizes are lowered, from the largest down.
    count: u8,
}

impl Lowering {
    /// The lowering of boards with this tile sum, and what it takes from the sum. From the ceiling on the largest tile
    /// is there; one half of it above the ceiling the next one is there too, and so on: otherwise a tile that is not lowered
    /// would look like the next larger one that is, and as if the two could merge.
    fn above(ceiling: u32, sum: u32) -> (Self, u32) {
        let largest = ceiling_tile(ceiling);
        let mut lowering = Self { largest: largest as u8, count: 0 };
        let (mut above, mut half, mut less) = (ceiling, (1 << largest) / 2, 0);
        while half > 1 && sum >= above {
            lowering.count += 1;
            less += half;
            above += half;
            half /= 2;
        }
        (lowering, less)
    }

    /// The board with the tiles lowered.
    #[inline(always)]
    pub(crate) fn lower(self, board: u64) -> u64 {
        if self.count == 0 { board } else { self.lower_some(board) }
    }

    #[cold]
    fn lower_some(self, board: u64) -> u64 {
        let ones = 0x1111_1111_1111_1111;
        let lowered = |exponent: u64| {
            let different = board ^ (exponent * ones);
            let different = different | different >> 2;
            !(different | different >> 1) & ones
        };
        (0..self.count).fold(board, |result, step| result - lowered(u64::from(self.largest - step)))
    }
}

/// The sum of the tiles of a packed board.
#[inline]
pub(crate) fn tile_sum(board: u64) -> u32 {
    (0..16).map(|cell| (1u32 << (board >> (4 * cell) & 15)) & !1).sum()
}

/// The packed board on which a network judges: itself, as long as no tile is above 32768.
///
/// Larger tiles are *downgraded*: with the largest tile size that is missing below the largest one taken as a gap, every
/// tile above the gap counts as half of what it is. What was learned with 32768 then serves for 65536.
#[inline(always)]
pub(crate) fn downgraded(board: Board) -> u64 {
    if board.high_bits() == 0 { board.nibbles() } else { downgrade(board.exponents()) }
}

/// Whether there are tiles above 32768, or a slide may make one: such boards are judged one by one.
#[inline(always)]
pub(crate) fn may_exceed(board: Board) -> bool {
    let pairs = board.nibbles() & board.nibbles() >> 2;
    let largest = pairs & pairs >> 1 & 0x1111_1111_1111_1111;
    board.high_bits() != 0 || largest & largest.wrapping_sub(1) != 0
}

#[cold]
fn downgrade(mut exponents: [u8; 16]) -> u64 {
    while let Some(largest) = exponents.iter().copied().max().filter(|&largest| largest > 15) {
        let gap = (1..largest).rev().find(|size| !exponents.contains(size)).unwrap_or(0);
        for exponent in &mut exponents {
            *exponent -= u8::from(*exponent > gap);
        }
    }
    exponents.iter().rev().fold(0, |board, &exponent| board << 4 | u64::from(exponent))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn above_the_ceiling_the_largest_tiles_count_as_their_halves() {
        let check = |board: u64, lowered: u64, less: u32| {
            let (lowering, taken) = Lowering::above(32_832, tile_sum(board));
            assert_eq!((lowering.lower(board), taken), (lowered, less), "{board:x}");
        };
        check(0xed_cba9_8765, 0xed_cba9_8765, 0);
        check(0x50_0000_00f1, 0x50_0000_00f1, 0);
        check(0xf7, 0xe7, 16_384);
        check(0xfd_cba9, 0xed_cba9, 16_384);
        check(0xfe7, 0xed7, 24_576);
        check(0xfed7, 0xedc7, 28_672);
        check(0xfedc7, 0xedcb7, 30_720);
        check(0xfe_dcba_9876, 0xed_cba9_8766, 32_704);
    }

    #[test]
    fn a_stage_begins_at_its_sum_and_late_ones_see_tiles_as_they_are() {
        let design = Design::new("x", &["a1"], &[100, 200]).unwrap();
        let stages = |design: &Design, sums: &[u32]| -> Vec<(usize, u8)> {
            let view = |&sum: &u32| design.view_of_sum(sum);
            sums.iter().map(view).map(|View { stage, lowering }| (stage, lowering.count)).collect()
        };
        assert_eq!(stages(&design, &[0, 99, 100, 199, 200, u32::MAX]), [0, 0, 1, 1, 2, 2].map(|stage| (stage, 0)));
        let design = design.with_ceiling(Some(260)).unwrap().with_late(&[388, 460]).unwrap();
        // From 260 on 256 counts as 128.
        assert_eq!(stages(&design, &[259, 260, 330, 387]), [(2, 0), (1, 1), (2, 1), (2, 1)]);
        assert_eq!(stages(&design, &[388, 459, 460, u32::MAX]), [(3, 0), (3, 0), (4, 0), (4, 0)]);
    }

    #[test]
    fn tiles_above_32768_are_downgraded_to_the_gap_below_them() {
        let check = |before: [u8; 4], after: [u8; 4]| {
            let widen = |row: [u8; 4]| {
                let mut exponents = [0; 16];
                exponents[..4].copy_from_slice(&row);
                exponents
            };
            let expected = after.iter().rev().fold(0, |board, &exponent| board << 4 | u64::from(exponent));
            assert_eq!(downgrade(widen(before)), expected, "{before:?}");
        };
        check([16, 14, 13, 1], [15, 14, 13, 1]);
        check([16, 15, 13, 1], [15, 14, 13, 1]);
        check([17, 16, 15, 1], [15, 14, 13, 1]);
        check([16, 16, 2, 2], [15, 15, 2, 2]);
        let full: [u8; 16] = std::array::from_fn(|i| 17 - i as u8);
        let may = |text: &str| may_exceed(text.parse().unwrap());
        assert!(may("65536 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0") && may("32768 0 0 0/0 0 0 0/0 0 0 0/0 0 0 32768"));
        assert!(!may("32768 16384 8192 2/0 0 0 0/0 0 0 0/0 0 0 0"));
        assert!(downgrade(full) != 0);
    }

    proptest! {
        #[test]
        fn the_sum_of_tiles_is_that_of_the_board(cells: u64) {
            prop_assert_eq!(tile_sum(cells), Board::from_nibbles(cells).sum());
        }
    }
}
