//! Where a board's features lie in the tables.
//!
//! The index of a tuple is the content of its cells, packed: a shift and a mask for every run of neighbouring cells, on
//! eight images of the board at a time where the processor has vectors of that size, or one `pext` instruction for each.
//! Weights of six cells that lie sorted are found without packing first, where bytes can be shuffled. All give the same
//! numbers; which is used is chosen at run time.

use afterstate_twenty48::Board;

use super::design::Design;
use super::layout::{Layout, sorted};

/// How the nibbles of a tuple are packed together.
pub trait Packing: Copy {
    /// The board as seen through its eight symmetries.
    #[inline(always)]
    fn images(self, board: u64) -> [u64; 8] {
        images(board)
    }

    /// For each image of a board the nibbles that belong to the tuple, lowest cell first.
    fn pack(self, images: &[u64; 8], tuple: &Tuple) -> [u32; 8];

    /// Where the weights of a tuple of six cells lie among its own, sorted as [`sorted`] does it.
    #[inline(always)]
    fn sorted(self, _board: u64, images: &[u64; 8], tuple: &Tuple, _order: &Order) -> [u32; 8] {
        self.pack(images, tuple).map(sorted)
    }
}

/// Something that is done with the fastest packing there is.
pub(crate) trait Work {
    type Output;

    /// Does it. Implementations are always inlined, so that they are compiled with the instructions of the packing.
    fn run<P: Packing>(self, packing: P) -> Self::Output;
}

/// One tuple, prepared for look-ups.
#[derive(Clone, Debug)]
pub struct Tuple {
    /// The nibbles that belong to it.
    pub(crate) mask: u64,
    /// Where its weights begin within a stage.
    pub(crate) offset: u32,
    /// Runs of neighbouring cells: mask on the board, and how far to the right it moves.
    pub(crate) runs: Vec<(u64, u32)>,
    /// How its cells are found in vectors of bytes, if it has six cells and its weights lie sorted.
    pub(crate) order: Option<Box<Order>>,
}

/// For each image of a board four bytes: the cells whose lower halves come first, then those whose lower and whose upper
/// halves come next, and those whose upper halves come last. Bytes from 128 on stand for no cell.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub struct Order([[u8; 32]; 4]);

impl Order {
    fn new(mask: u64) -> Option<Box<Self>> {
        let cells: Vec<usize> = (0..16).filter(|cell| mask >> (4 * cell) & 15 != 0).collect();
        let &[a, b, c, d, e, f] = cells.as_slice() else { return None };
        let [a, b, c, d, e, f] = [a, b, c, d, e, f].map(Some);
        let bytes = [[a, b, c, d], [e, f, None, None], [None, None, a, b], [c, d, e, f]]
            .map(|four| std::array::from_fn(|byte| four[byte % 4].map_or(128, |cell| origin(byte / 4, cell) as u8)));
        Some(Box::new(Self(bytes)))
    }
}

/// The cell of a board that is this one in an image: the board, transposed or not, then mirrored, then flipped.
const fn origin(image: usize, cell: usize) -> usize {
    let (row, column) = (cell / 4, cell % 4);
    let row = if image & 2 != 0 { 3 - row } else { row };
    let column = if image & 1 != 0 { 3 - column } else { column };
    if image & 4 != 0 { 4 * column + row } else { 4 * row + column }
}

impl Tuple {
    /// The tuples of a design, their tables one after the other.
    pub(crate) fn all(design: &Design) -> Vec<Self> {
        let layout = Layout::new(design);
        let mut offset = 0;
        let mut tuples = Vec::new();
        for shape in design.shapes() {
            let mask = shape.mask();
            let is_sorted = layout.sorts(offset) && shape.len() == 6;
            let order = if is_sorted { Order::new(mask) } else { None };
            tuples.push(Self { mask, offset, runs: runs(mask), order });
            // A design has less than 2^32 weights in a stage; only the end of the last tuple may be that number.
            offset = offset.wrapping_add(shape.weights() as u32);
        }
        tuples
    }

    /// The places of the tuple's features within a stage.
    #[inline(always)]
    pub(crate) fn places<P: Packing>(&self, packing: P, images: &[u64; 8]) -> [u32; 8] {
        packing.pack(images, self).map(|index| self.offset + index)
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
    fn pack(self, images: &[u64; 8], tuple: &Tuple) -> [u32; 8] {
        let mut packed = [0; 8];
        for &(mask, shift) in &tuple.runs {
            for (packed, image) in packed.iter_mut().zip(images) {
                *packed |= (image & mask) >> shift;
            }
        }
        packed.map(|index| index as u32)
    }
}

/// The fastest instructions that this processor has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Bmi2(x86::Bmi2),
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
}

impl Instructions {
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(avx512) = x86::Avx512::detect() {
                return Self::Avx512(avx512);
            }
            if let Some(bmi2) = x86::Bmi2::detect() {
                return Self::Bmi2(bmi2);
            }
        }
        Self::Portable
    }

    /// Every set of instructions that this processor has.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(x86::Bmi2::detect().map(Self::Bmi2));
            all.extend(x86::Avx512::detect().map(Self::Avx512));
        }
        all
    }

    #[inline(always)]
    pub(crate) fn with<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2(bmi2) => bmi2.with(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(avx512) => avx512.with(work),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that only some processors have: learning is 1.5 times as fast as without")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_and_si128, _mm_cvtsi64_si128, _mm_set1_epi8, _mm_srli_epi16, _mm_srli_epi64,
        _mm_unpacklo_epi8, _mm256_add_epi32, _mm256_broadcastsi128_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
        _mm256_or_si256, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_slli_epi32,
        _mm512_broadcast_i32x4, _mm512_maddubs_epi16, _mm512_packus_epi16, _mm512_set1_epi16, _mm512_shuffle_epi8,
    };

    use super::{Order, Packing, Portable, Tuple, Work, origin};

    /// One `pext` instruction, and vectors of 256 bits: processors with one have the other. Only [`Self::detect`] makes this
    /// value, so owning one proves that the instructions exist.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Bmi2(());

    impl Bmi2 {
        pub(crate) fn detect() -> Option<Self> {
            let detected = std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("avx2");
            detected.then_some(Self(()))
        }

        #[inline(always)]
        pub(super) fn with<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "bmi2,avx2")]
            fn compiled<W: Work>(bmi2: Bmi2, work: W) -> W::Output {
                work.run(bmi2)
            }
            // SAFETY: a `Bmi2` exists only where the features were detected.
            unsafe { compiled(self, work) }
        }
    }

    impl Packing for Bmi2 {
        #[inline(always)]
        fn pack(self, images: &[u64; 8], tuple: &Tuple) -> [u32; 8] {
            // SAFETY: `self` was made by `detect`, which found the instruction.
            images.map(|image| unsafe { std::arch::x86_64::_pext_u64(image, tuple.mask) } as u32)
        }

        #[inline(always)]
        fn sorted(self, board: u64, _images: &[u64; 8], _tuple: &Tuple, order: &Order) -> [u32; 8] {
            // SAFETY: `self` was made by `detect`, which found the instructions.
            unsafe { sorted(board, order) }
        }
    }

    /// Eight images in one register: the portable code, compiled for vectors of 512 bits. Only [`Self::detect`] makes this
    /// value.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx512 {
        pub(crate) fn detect() -> Option<Self> {
            let detected = std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512vl")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512dq")
                && std::is_x86_feature_detected!("bmi2");
            detected.then_some(Self(()))
        }

        #[inline(always)]
        pub(super) fn with<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,bmi2")]
            fn compiled<W: Work>(avx512: Avx512, work: W) -> W::Output {
                work.run(avx512)
            }
            // SAFETY: an `Avx512` exists only where the features were detected.
            unsafe { compiled(self, work) }
        }
    }

    impl Packing for Avx512 {
        #[inline(always)]
        fn images(self, board: u64) -> [u64; 8] {
            // SAFETY: `self` was made by `detect`, which found the features.
            unsafe { images(board) }
        }

        #[inline(always)]
        fn pack(self, images: &[u64; 8], tuple: &Tuple) -> [u32; 8] {
            Portable.pack(images, tuple)
        }

        #[inline(always)]
        fn sorted(self, board: u64, _images: &[u64; 8], _tuple: &Tuple, order: &Order) -> [u32; 8] {
            // SAFETY: `self` was made by `detect`, which found the instructions.
            unsafe { sorted(board, order) }
        }
    }

    /// For each image the cells of the board in its order, one byte each: the even images, and the odd ones.
    const ORDERS: [[[u8; 16]; 4]; 2] = {
        let mut orders = [[[0; 16]; 4]; 2];
        let mut image = 0;
        while image < 8 {
            let mut cell = 0;
            while cell < 16 {
                orders[image % 2][image / 2][cell] = origin(image, cell) as u8;
                cell += 1;
            }
            image += 1;
        }
        orders
    };

    /// Every cell becomes two bytes, one for each half; those of the tuple are shuffled to their images, and four of them
    /// become the eight bits that they are.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn sorted(board: u64, order: &Order) -> [u32; 8] {
        let (board, nibble) = (_mm_cvtsi64_si128(board.cast_signed()), _mm_set1_epi8(15));
        let (even, odd) = (_mm_and_si128(board, nibble), _mm_and_si128(_mm_srli_epi64::<4>(board), nibble));
        let cells = _mm_unpacklo_epi8(even, odd);
        let half = _mm_set1_epi8(3);
        let lower = _mm256_broadcastsi128_si256(_mm_and_si128(cells, half));
        let upper = _mm256_broadcastsi128_si256(_mm_and_si128(_mm_srli_epi16::<2>(cells), half));
        // SAFETY: both are 32 bytes for which every content is valid.
        let [first, low, high, last] = order.0.map(|bytes| unsafe { std::mem::transmute::<[u8; 32], __m256i>(bytes) });
        let first = _mm256_shuffle_epi8(lower, first);
        let middle = _mm256_or_si256(_mm256_shuffle_epi8(lower, low), _mm256_shuffle_epi8(upper, high));
        let last = _mm256_shuffle_epi8(upper, last);
        let four = |bytes, weights| {
            _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi16(0x0401)), _mm256_set1_epi32(weights))
        };
        let (first, middle, last) = (four(first, 0x0010_0001), four(middle, 0x1000_0100), four(last, 0x0010_0001));
        let located = _mm256_add_epi32(_mm256_add_epi32(first, middle), _mm256_slli_epi32::<16>(last));
        // SAFETY: as above.
        unsafe { std::mem::transmute::<__m256i, [u32; 8]>(located) }
    }

    /// Every cell becomes a byte, all images are shuffled together, and two bytes become one again.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn images(board: u64) -> [u64; 8] {
        let (board, nibble) = (_mm_cvtsi64_si128(board.cast_signed()), _mm_set1_epi8(15));
        let (low, high) = (_mm_and_si128(board, nibble), _mm_and_si128(_mm_srli_epi64::<4>(board), nibble));
        let cells = _mm512_broadcast_i32x4(_mm_unpacklo_epi8(low, high));
        let halves = ORDERS.map(|order| {
            // SAFETY: both are 64 bytes for which every content is valid.
            let order = unsafe { std::mem::transmute::<[[u8; 16]; 4], __m512i>(order) };
            _mm512_maddubs_epi16(_mm512_shuffle_epi8(cells, order), _mm512_set1_epi16(0x1001))
        });
        // SAFETY: as above.
        unsafe { std::mem::transmute::<__m512i, [u64; 8]>(_mm512_packus_epi16(halves[0], halves[1])) }
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

#[cfg(test)]
mod tests {
    use afterstate_game::{Symmetric, Symmetry};
    use afterstate_twenty48::State;
    use proptest::prelude::*;

    use super::*;

    struct Pack<'a>(&'a [u64; 8], &'a Tuple);

    impl Work for Pack<'_> {
        type Output = [u32; 8];

        #[inline(always)]
        fn run<P: Packing>(self, packing: P) -> [u32; 8] {
            packing.pack(self.0, self.1)
        }
    }

    struct Sorted<'a>(u64, &'a Tuple, &'a Order);

    impl Work for Sorted<'_> {
        type Output = [u32; 8];

        #[inline(always)]
        fn run<P: Packing>(self, packing: P) -> [u32; 8] {
            packing.sorted(self.0, &images(self.0), self.1, self.2)
        }
    }

    struct Images(u64);

    impl Work for Images {
        type Output = [u64; 8];

        #[inline(always)]
        fn run<P: Packing>(self, packing: P) -> [u64; 8] {
            packing.images(self.0)
        }
    }

    proptest! {
        #[test]
        fn the_index_is_the_content_of_the_cells(boards: [u64; 8]) {
            for name in Design::BUILT_IN {
                let design = Design::built_in(name).unwrap();
                for (tuple, shape) in Tuple::all(&design).iter().zip(design.shapes()) {
                    let cells: Vec<_> = shape.cells().collect();
                    let expected = boards.map(|board| cells.iter().rev().fold(0, |index, cell| {
                        index << 4 | u32::from(Board::from_nibbles(board).exponent(*cell))
                    }));
                    for instructions in Instructions::all() {
                        prop_assert_eq!(instructions.with(Pack(&boards, tuple)), expected, "{:?}", instructions);
                    }
                }
            }
        }

        #[test]
        fn weights_of_six_cells_are_found_sorted(board: u64) {
            for name in ["4x6", "8x6"] {
                for tuple in Tuple::all(&Design::built_in(name).unwrap()) {
                    let order = tuple.order.as_ref().unwrap();
                    let expected = Portable.pack(&images(board), &tuple).map(sorted);
                    for instructions in Instructions::all() {
                        let found = instructions.with(Sorted(board, &tuple, order));
                        prop_assert_eq!(found, expected, "{:?}", instructions);
                    }
                }
            }
        }

        #[test]
        fn the_images_are_the_symmetric_boards(board: u64) {
            let expected: Vec<u64> = (0..State::SYMMETRIES)
                .map(|symmetry| Board::from_nibbles(board).transformed(Symmetry(symmetry)).nibbles())
                .collect();
            for instructions in Instructions::all() {
                prop_assert_eq!(instructions.with(Images(board)), &expected[..], "{:?}", instructions);
            }
        }
    }
}
