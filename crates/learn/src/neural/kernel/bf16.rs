//! Factors in bf16: the upper half of a float32, so that the product of two is exact in float32.
//!
//! Intel describes VDPBF16PS: in each lane the product of the odd numbers is added to the sum, then that of the even ones,
//! each with one rounding to the nearest float32, and denormal numbers are zeros. Two fused multiplications do the same
//! where no number is denormal, and [`round`] sees to that.

use super::Instructions;
use super::packed::{Entry, WIDTH, portable};
#[cfg(target_arch = "x86_64")]
use super::x86;

/// Smaller numbers are rounded to zero. Eight digits of a number from here on are a multiple of 2^-63, so all products and
/// their sums are multiples of 2^-126, the least float32 that is not denormal.
const LEAST: f32 = 1.0 / (1u64 << 56) as f32;

/// The bits of a float32 that bf16 keeps.
const UPPER: u32 = 0xffff_0000;

/// Two numbers one after the other, the first (even) one in the lower half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in super::super) struct Pair(u32);

impl Pair {
    #[inline]
    fn new([even, odd]: [f32; 2]) -> Self {
        Self(round(even) >> 16 | round(odd))
    }

    #[inline]
    pub(super) fn even(self) -> f32 {
        f32::from_bits(self.0 << 16)
    }

    #[inline]
    pub(super) fn odd(self) -> f32 {
        f32::from_bits(self.0 & UPPER)
    }

    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.0
    }
}

/// The nearest bf16, of two equally near ones the even one, as the bits of a float32.
#[inline]
fn round(number: f32) -> u32 {
    let bits = number.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) & UPPER;
    // What is no number stays none.
    let rounded = if number.is_nan() { bits & UPPER | 0x0040_0000 } else { rounded };
    if number.abs() < LEAST { 0 } else { rounded }
}

/// The rows of a matrix in pairs; the last row of an odd number has a row of zeros beside it.
pub(super) fn paired(matrix: &[f32], outputs: usize) -> Vec<Pair> {
    let rows: Vec<&[f32]> = matrix.chunks_exact(outputs).collect();
    let pair = |rows: &[&[f32]], column| Pair::new([rows[0][column], rows.get(1).map_or(0.0, |row| row[column])]);
    rows.chunks(2).flat_map(|rows| (0..outputs).map(move |column| pair(rows, column))).collect()
}

/// Rounds rows of this many inputs, each of them to whole pairs.
pub(super) fn round_rows(instructions: Instructions, from: &[f32], inputs: usize, to: &mut Vec<Pair>) {
    to.resize(from.len() / inputs * inputs.div_ceil(2), Pair::default());
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 | Instructions::Avx512Bf16 => x86::round_wide(from, inputs, to),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => x86::round_narrow(from, inputs, to),
        Instructions::Portable => round_plainly(from, inputs, to),
    }
}

/// The same in plain code.
#[inline(always)]
pub(super) fn round_plainly(from: &[f32], inputs: usize, to: &mut [Pair]) {
    if inputs.is_multiple_of(2) {
        from.as_chunks().0.iter().zip(to).for_each(|(&two, to)| *to = Pair::new(two));
        return;
    }
    for (row, to) in from.chunks_exact(inputs).zip(to.chunks_exact_mut(inputs.div_ceil(2))) {
        let (twos, rest) = row.as_chunks();
        twos.iter().zip(&mut *to).for_each(|(&two, to)| *to = Pair::new(two));
        if let ([number], Some(to)) = (rest, to.last_mut()) {
            *to = Pair::new([*number, 0.0]);
        }
    }
}

impl Entry for Pair {
    #[inline]
    fn add_product(self, weights: Self, sum: f32) -> f32 {
        self.even().mul_add(weights.even(), self.odd().mul_add(weights.odd(), sum))
    }

    #[inline]
    fn sum<const ROWS: usize>(
        instructions: Instructions,
        from: &[Self],
        panel: &[Self],
        sums: &mut [[f32; WIDTH]; ROWS],
    ) {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Bf16 => x86::pairs(from, panel, sums),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => x86::wide_pairs(from, panel, sums),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => x86::narrow_pairs(from, panel, sums),
            Instructions::Portable => portable(from, panel, sums),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_rounded_to_the_nearest_of_eight_digits() {
        let check = |number: f32, expected: f32| {
            let found = f32::from_bits(round(number));
            assert_eq!(found.to_bits(), expected.to_bits(), "{number}: {found}, not {expected}");
        };
        check(1.0, 1.0);
        check(-3.140_625, -3.140_625);
        check(1.0 + 1.0 / 256.0, 1.0);
        check(1.0 + 3.0 / 256.0, 1.0 + 4.0 / 256.0);
        check(-1.0 - 1.01 / 256.0, -1.0 - 2.0 / 256.0);
        check(1.999, 2.0);
        check(LEAST, LEAST);
        check(-0.999 * LEAST, 0.0);
        check(f32::MAX, f32::INFINITY);
        check(f32::NEG_INFINITY, f32::NEG_INFINITY);
        assert!(f32::from_bits(round(f32::NAN)).is_nan());
        assert!(f32::from_bits(round(f32::from_bits(0xffff_ffff))).is_nan());
    }
}
