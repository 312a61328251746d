//! Tiles and rounding with the vector instructions of x86-64.
#![expect(
    unsafe_code,
    reason = "vector instructions, which are six times as fast as what the compiler may use by default"
)]

use std::arch::x86_64::{
    __m256, __m512, __m512bh, _mm256_and_si256, _mm256_castsi256_ps, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps, _mm256_slli_epi32, _mm256_storeu_ps,
    _mm512_and_si512, _mm512_castsi512_ps, _mm512_dpbf16_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_loadu_si512,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps, _mm512_slli_epi32, _mm512_storeu_ps,
};

use super::WIDTH;
use super::bf16::{Pair, round_plainly};

/// A tile with a given set of instructions: `$name` checks and calls, `$body` computes. In brackets how weights are loaded
/// and how a factor is set beside them; where there are two, the sums take both in this order.
macro_rules! tile {
    ($name:ident, $body:ident, $feature:literal, $entry:ty, $vector:ty, $lanes:literal, $zero:ident, $store:ident, $fma:ident, $([$load:ident, $set:ident]),+) => {
        /// Sums a tile. Only called where [`super::Instructions`] found the instructions.
        #[inline]
        pub(super) fn $name<const ROWS: usize>(from: &[$entry], panel: &[$entry], sums: &mut [[f32; WIDTH]; ROWS]) {
            let inputs = panel.len() / WIDTH;
            assert!(from.len() >= ROWS * inputs && panel.len() == inputs * WIDTH);
            // SAFETY: the caller found the instructions; the lengths were checked above.
            unsafe { $body::<ROWS>(from.as_ptr(), inputs, panel.as_ptr(), sums) }
        }

        /// # Safety
        /// `from` points to `ROWS` rows of `inputs` entries, `panel` to `inputs` rows of [`WIDTH`] entries.
        #[target_feature(enable = $feature)]
        unsafe fn $body<const ROWS: usize>(
            from: *const $entry,
            inputs: usize,
            panel: *const $entry,
            sums: &mut [[f32; WIDTH]; ROWS],
        ) {
            const VECTORS: usize = WIDTH / $lanes;
            let mut totals: [[$vector; VECTORS]; ROWS] = [[$zero(); VECTORS]; ROWS];
            for input in 0..inputs {
                $(
                    // SAFETY: within the panel, by the contract of this function.
                    let mut weights = [unsafe { $load(panel.add(input * WIDTH)) }; VECTORS];
                    for (vector, weights) in weights.iter_mut().enumerate().skip(1) {
                        // SAFETY: as above.
                        *weights = unsafe { $load(panel.add(input * WIDTH + vector * $lanes)) };
                    }
                    for (row, totals) in totals.iter_mut().enumerate() {
                        // SAFETY: within the rows, by the contract of this function.
                        let factor = $set(unsafe { *from.add(row * inputs + input) });
                        for (total, weights) in totals.iter_mut().zip(weights) {
                            *total = $fma(factor, weights, *total);
                        }
                    }
                )+
            }
            for (sums, totals) in sums.iter_mut().zip(totals) {
                for (sums, total) in sums.chunks_exact_mut($lanes).zip(totals) {
                    // SAFETY: the chunk has as many numbers as the vector.
                    unsafe { $store(sums.as_mut_ptr(), total) };
                }
            }
        }
    };
}

tile!(
    wide,
    wide_body,
    "avx512f",
    f32,
    __m512,
    16,
    _mm512_setzero_ps,
    _mm512_storeu_ps,
    _mm512_fmadd_ps,
    [_mm512_loadu_ps, _mm512_set1_ps]
);
tile!(
    narrow,
    narrow_body,
    "avx2,fma",
    f32,
    __m256,
    8,
    _mm256_setzero_ps,
    _mm256_storeu_ps,
    _mm256_fmadd_ps,
    [_mm256_loadu_ps, _mm256_set1_ps]
);
tile!(
    pairs,
    pairs_body,
    "avx512f,avx512bf16",
    Pair,
    __m512,
    16,
    _mm512_setzero_ps,
    _mm512_storeu_ps,
    dot,
    [load_pairs, set_pair]
);
tile!(
    wide_pairs,
    wide_pairs_body,
    "avx512f",
    Pair,
    __m512,
    16,
    _mm512_setzero_ps,
    _mm512_storeu_ps,
    _mm512_fmadd_ps,
    [load_odd_wide, set_odd_wide],
    [load_even_wide, set_even_wide]
);
tile!(
    narrow_pairs,
    narrow_pairs_body,
    "avx2,fma",
    Pair,
    __m256,
    8,
    _mm256_setzero_ps,
    _mm256_storeu_ps,
    _mm256_fmadd_ps,
    [load_odd_narrow, set_odd_narrow],
    [load_even_narrow, set_even_narrow]
);

/// The numbers of 32 bits that pairs are made of, with the type of the instruction's factors.
///
/// # Safety
/// `at` points to 16 pairs.
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn load_pairs(at: *const Pair) -> __m512bh {
    // SAFETY: by the contract of this function; both types are 512 bits without further meaning.
    unsafe { std::mem::transmute(_mm512_loadu_si512(at.cast())) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn set_pair(pair: Pair) -> __m512bh {
    // SAFETY: both types are 512 bits without further meaning.
    unsafe { std::mem::transmute(_mm512_set1_epi32(pair.bits().cast_signed())) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn dot(factors: __m512bh, weights: __m512bh, totals: __m512) -> __m512 {
    _mm512_dpbf16_ps(totals, factors, weights)
}

/// One half of pairs as float32: `$load` of weights, `$set` of a factor.
macro_rules! half {
    ($feature:literal, $vector:ty, $load:ident, $set:ident, $half:ident, $read:ident, $broadcast:ident, |$pairs:ident| $widen:expr) => {
        /// # Safety
        /// `at` points to as many pairs as the vector has numbers.
        #[inline]
        #[target_feature(enable = $feature)]
        unsafe fn $load(at: *const Pair) -> $vector {
            // SAFETY: by the contract of this function.
            let $pairs = unsafe { $read(at.cast()) };
            $widen
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn $set(pair: Pair) -> $vector {
            $broadcast(pair.$half())
        }
    };
}

/// The bits of the odd number.
const UPPER: i32 = -0x1_0000;

half!("avx512f", __m512, load_odd_wide, set_odd_wide, odd, _mm512_loadu_si512, _mm512_set1_ps, |pairs| {
    _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32(UPPER)))
});
half!("avx512f", __m512, load_even_wide, set_even_wide, even, _mm512_loadu_si512, _mm512_set1_ps, |pairs| {
    _mm512_castsi512_ps(_mm512_slli_epi32::<16>(pairs))
});
half!("avx2,fma", __m256, load_odd_narrow, set_odd_narrow, odd, _mm256_loadu_si256, _mm256_set1_ps, |pairs| {
    _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(UPPER)))
});
half!("avx2,fma", __m256, load_even_narrow, set_even_narrow, even, _mm256_loadu_si256, _mm256_set1_ps, |pairs| {
    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(pairs))
});

/// Rounds rows. Only called where [`super::Instructions`] found the instructions.
pub(super) fn round_wide(from: &[f32], inputs: usize, to: &mut [Pair]) {
    #[target_feature(enable = "avx512f")]
    fn body(from: &[f32], inputs: usize, to: &mut [Pair]) {
        round_plainly(from, inputs, to);
    }
    // SAFETY: the caller found the instructions.
    unsafe { body(from, inputs, to) }
}

/// Rounds rows. Only called where [`super::Instructions`] found the instructions.
pub(super) fn round_narrow(from: &[f32], inputs: usize, to: &mut [Pair]) {
    #[target_feature(enable = "avx2")]
    fn body(from: &[f32], inputs: usize, to: &mut [Pair]) {
        round_plainly(from, inputs, to);
    }
    // SAFETY: the caller found the instructions.
    unsafe { body(from, inputs, to) }
}
