//! Where a board's features lie in the tables.
//!
//! The index of a tuple is the content of its cells, packed: on x86 with BMI2 one instruction per look-up, elsewhere a
//! shift and a mask for every run of neighbouring cells. Both give the same number; which is used is chosen at run time.

use afterstate_twenty48::Board;

use super::design::Design;

/// How the nibbles of a tuple are packed together.
pub(crate) trait Packing: Copy {
    /// The nibbles of `board` that belong to the tuple, lowest cell first.
    fn pack(self, board: u64, tuple: &Tuple) -> usize;
}

/// One tuple, prepared for look-ups.
#[derive(Clone, Debug)]
pub(crate) struct Tuple {
    /// The nibbles that belong to it.
    pub(crate) mask: u64,
    /// Where its weights begin within a stage.
    pub(crate) offset: usize,
    /// Runs of neighbouring cells: mask on the board, and how far to the right it moves.
    pub(crate) runs: Vec<(u64, u32)>,
}

impl Tuple {
    /// The tuples of a design, their tables one after the other.
    pub(crate) fn all(design: &Design) -> Vec<Self> {
        let mut offset = 0;
        let mut tuples = Vec::new();
        for shape in design.shapes() {
            let mask = shape.mask();
            tuples.push(Self { mask, offset, runs: runs(mask) });
            offset += shape.weights();
        }
        tuples
    }
}

fn runs(mask: u64) -> Vec<(u64, u32)> {
    let mut runs = Vec::new();
    let mut rest = mask;
    let mut packed = 0;
    while rest != 0 {
        let begin = rest.trailing_zeros();
        let len = (!(rest >> begin)).trailing_zeros();
        let run = (u64::MAX >> (64 - len)) << begin;
        runs.push((run, begin - packed));
        packed += len;
        rest &= !run;
    }
    runs
}

/// Works everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Packing for Portable {
    #[inline(always)]
    fn pack(self, board: u64, tuple: &Tuple) -> usize {
        tuple.runs.iter().fold(0, |index, &(mask, shift)| index | (board & mask) >> shift) as usize
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use bmi2::Bmi2;

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use super::{Packing, Tuple};

    /// One `pext` instruction. Only [`Self::detect`] makes this value, so owning one proves that the instruction exists.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Bmi2(());

    impl Bmi2 {
        pub(crate) fn detect() -> Option<Self> {
            std::is_x86_feature_detected!("bmi2").then_some(Self(()))
        }
    }

    impl Packing for Bmi2 {
        #[inline(always)]
        #[expect(unsafe_code, reason = "pext: playing is 1.3 times as fast as with shifts")]
        fn pack(self, board: u64, tuple: &Tuple) -> usize {
            // SAFETY: `self` was made by `detect`, which found the instruction.
            unsafe { std::arch::x86_64::_pext_u64(board, tuple.mask) as usize }
        }
    }
}

/// The board as seen through its eight symmetries, numbered as in `twenty48`.
#[inline(always)]
pub(crate) fn images(board: u64) -> [u64; 8] {
    let board = Board::from_nibbles(board);
    let transposed = board.transposed();
    let (mirrored, transposed_mirrored) = (board.mirrored(), transposed.mirrored());
    [
        board,
        mirrored,
        board.flipped(),
        mirrored.flipped(),
        transposed,
        transposed_mirrored,
        transposed.flipped(),
        transposed_mirrored.flipped(),
    ]
    .map(Board::nibbles)
}

/// Adds the partial sums of the eight symmetries in the order in which eight lanes of a GPU add them.
#[inline(always)]
pub(crate) fn sum(lanes: [f32; 8]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
mod tests {
    use afterstate_game::{Symmetric, Symmetry};
    use afterstate_twenty48::State;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_index_is_the_content_of_the_cells(board: u64) {
            for name in Design::BUILT_IN {
                let design = Design::built_in(name).unwrap();
                for (tuple, shape) in Tuple::all(&design).iter().zip(design.shapes()) {
                    let cells: Vec<_> = shape.cells().collect();
                    let expected = cells.iter().rev().fold(0, |index, cell| {
                        index << 4 | usize::from(Board::from_nibbles(board).exponent(*cell))
                    });
                    prop_assert_eq!(Portable.pack(board, tuple), expected);
                    #[cfg(target_arch = "x86_64")]
                    if let Some(bmi2) = Bmi2::detect() {
                        prop_assert_eq!(bmi2.pack(board, tuple), expected);
                    }
                }
            }
        }

        #[test]
        fn the_images_are_the_symmetric_boards(board: u64) {
            for (symmetry, image) in (0..State::SYMMETRIES).zip(images(board)) {
                let expected = Board::from_nibbles(board).transformed(Symmetry(symmetry));
                prop_assert_eq!(image, expected.nibbles());
            }
        }
    }
}
