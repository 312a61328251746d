//! Products with a matrix that is packed once and used often: what playing with a network spends its time on.
//!
//! Every sum runs over the inputs in their order with fused multiplications, on every processor and in every batch. So
//! the value of a board depends neither on its company nor on the machine, and the same seed gives the same game.

/// The columns of a panel: two vectors of AVX-512, four of AVX2.
const WIDTH: usize = 32;

/// A matrix in panels of 32 columns, within a panel row by row; missing columns are zeros.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    panels: Vec<f32>,
    inputs: usize,
    outputs: usize,
}

impl Packed {
    /// Packs a matrix whose rows have this many outputs.
    pub(super) fn new(matrix: &[f32], outputs: usize) -> Self {
        let inputs = matrix.len() / outputs;
        let mut panels = vec![0.0; inputs * outputs.next_multiple_of(WIDTH)];
        for (panel, to) in panels.chunks_exact_mut(inputs * WIDTH).enumerate() {
            let columns = panel * WIDTH..outputs.min((panel + 1) * WIDTH);
            for (row, to) in matrix.chunks_exact(outputs).zip(to.chunks_exact_mut(WIDTH)) {
                to[..columns.len()].copy_from_slice(&row[columns.clone()]);
            }
        }
        Self { panels, inputs, outputs }
    }

    /// Writes the products of the rows of `from` with the matrix into the rows of `to`.
    pub(super) fn multiply(&self, instructions: Instructions, from: &[f32], to: &mut [f32]) {
        let rows = from.len() / self.inputs;
        assert!(from.len() == rows * self.inputs && to.len() == rows * self.outputs, "matrices that do not fit");
        for (index, panel) in self.panels.chunks_exact(self.inputs * WIDTH).enumerate() {
            let mut row = 0;
            while row < rows {
                row +=
                    self.tiles(instructions, index, panel, &from[row * self.inputs..], &mut to[row * self.outputs..]);
            }
        }
    }

    /// One tile of as many rows as the registers hold; says how many rows it was.
    #[inline]
    fn tiles(&self, instructions: Instructions, index: usize, panel: &[f32], from: &[f32], to: &mut [f32]) -> usize {
        let left = from.len() / self.inputs;
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 if left >= 12 => self.tile::<12>(index, to, |sums| x86::wide(from, panel, sums)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 if left >= 4 => self.tile::<4>(index, to, |sums| x86::wide(from, panel, sums)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => self.tile::<1>(index, to, |sums| x86::wide(from, panel, sums)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 if left >= 3 => self.tile::<3>(index, to, |sums| x86::narrow(from, panel, sums)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => self.tile::<1>(index, to, |sums| x86::narrow(from, panel, sums)),
            Instructions::Portable => self.tile::<1>(index, to, |sums| portable(from, panel, sums)),
        }
    }

    #[inline]
    fn tile<const ROWS: usize>(
        &self,
        index: usize,
        to: &mut [f32],
        sum: impl FnOnce(&mut [[f32; WIDTH]; ROWS]),
    ) -> usize {
        let mut sums = [[0.0; WIDTH]; ROWS];
        sum(&mut sums);
        let columns = index * WIDTH..self.outputs.min((index + 1) * WIDTH);
        for (sums, to) in sums.iter().zip(to.chunks_exact_mut(self.outputs)) {
            to[columns.clone()].copy_from_slice(&sums[..columns.len()]);
        }
        ROWS
    }
}

/// What the processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Instructions {
    /// All that this processor has, the best first.
    pub(super) fn available() -> Vec<Self> {
        let mut available = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                available.push(Self::Avx512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                available.push(Self::Avx2);
            }
        }
        available.push(Self::Portable);
        available
    }

    /// The best that this processor has.
    pub(super) fn best() -> Self {
        Self::available()[0]
    }
}

/// The reference: plain code, which a compiler for a processor with fused multiplications makes fast.
fn portable<const ROWS: usize>(from: &[f32], panel: &[f32], sums: &mut [[f32; WIDTH]; ROWS]) {
    let inputs = panel.len() / WIDTH;
    for (row, sums) in from.chunks_exact(inputs).zip(sums) {
        for (&factor, weights) in row.iter().zip(panel.chunks_exact(WIDTH)) {
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = factor.mul_add(weight, *sum));
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "vector instructions, which are six times as fast as what the compiler may use by default"
)]
mod x86 {
    use std::arch::x86_64::{
        __m256, __m512, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
        _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
    };

    use super::WIDTH;

    /// A tile with a given set of instructions: `$name` checks and calls, `$body` computes.
    macro_rules! tile {
        ($name:ident, $body:ident, $feature:literal, $vector:ty, $lanes:literal, $zero:ident, $load:ident, $set:ident, $fma:ident, $store:ident) => {
            /// Sums a tile. Only called where [`super::Instructions`] found the instructions.
            #[inline]
            pub(super) fn $name<const ROWS: usize>(from: &[f32], panel: &[f32], sums: &mut [[f32; WIDTH]; ROWS]) {
                let inputs = panel.len() / WIDTH;
                assert!(from.len() >= ROWS * inputs && panel.len() == inputs * WIDTH);
                // SAFETY: the caller found the instructions; the lengths were checked above.
                unsafe { $body::<ROWS>(from.as_ptr(), inputs, panel.as_ptr(), sums) }
            }

            /// # Safety
            /// `from` points to `ROWS` rows of `inputs` numbers, `panel` to `inputs` rows of [`WIDTH`] numbers.
            #[target_feature(enable = $feature)]
            unsafe fn $body<const ROWS: usize>(
                from: *const f32,
                inputs: usize,
                panel: *const f32,
                sums: &mut [[f32; WIDTH]; ROWS],
            ) {
                const VECTORS: usize = WIDTH / $lanes;
                let mut totals: [[$vector; VECTORS]; ROWS] = [[$zero(); VECTORS]; ROWS];
                for input in 0..inputs {
                    let mut weights = [$zero(); VECTORS];
                    for (vector, weights) in weights.iter_mut().enumerate() {
                        // SAFETY: within the panel, by the contract of this function.
                        *weights = unsafe { $load(panel.add(input * WIDTH + vector * $lanes)) };
                    }
                    for (row, totals) in totals.iter_mut().enumerate() {
                        // SAFETY: within the rows, by the contract of this function.
                        let factor = $set(unsafe { *from.add(row * inputs + input) });
                        for (total, weights) in totals.iter_mut().zip(weights) {
                            *total = $fma(factor, weights, *total);
                        }
                    }
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
        __m512,
        16,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_storeu_ps
    );
    tile!(
        narrow,
        narrow_body,
        "avx2,fma",
        __m256,
        8,
        _mm256_setzero_ps,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_storeu_ps
    );
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;

    #[test]
    fn every_processor_gets_the_same_bits_in_every_batch() {
        let mut dice = Dice::seeded(1);
        let mut random = |len| -> Vec<f32> { (0..len).map(|_| dice.unit() as f32 - 0.5).collect() };
        for (rows, inputs, outputs) in [(1, 1, 1), (3, 5, 33), (17, 64, 40), (29, 100, 96)] {
            let (matrix, from) = (random(inputs * outputs), random(rows * inputs));
            let packed = Packed::new(&matrix, outputs);
            let product = |instructions, from: &[f32]| {
                let mut to = vec![f32::NAN; from.len() / inputs * outputs];
                packed.multiply(instructions, from, &mut to);
                to
            };
            let expected = product(Instructions::Portable, &from);
            for row in 0..rows {
                for column in 0..outputs {
                    let exact: f64 = (0..inputs)
                        .map(|input| {
                            f64::from(from[row * inputs + input]) * f64::from(matrix[input * outputs + column])
                        })
                        .sum();
                    assert!((f64::from(expected[row * outputs + column]) - exact).abs() < 1e-5);
                }
            }
            for instructions in Instructions::available() {
                assert!(product(instructions, &from) == expected, "{instructions:?}");
                for row in 0..rows {
                    let alone = product(instructions, &from[row * inputs..][..inputs]);
                    assert!(alone == expected[row * outputs..][..outputs], "{instructions:?}");
                }
            }
        }
    }
}
