//! A matrix in panels, and its products in tiles that the registers hold.

use super::Instructions;
#[cfg(target_arch = "x86_64")]
use super::x86;

/// The columns of a panel: two vectors of AVX-512, four of AVX2.
pub(super) const WIDTH: usize = 32;

/// What a matrix is packed of: a number, or several that are multiplied together.
pub(in super::super) trait Entry: Copy + Default {
    /// The sum with the product of the two added.
    fn add_product(self, weights: Self, sum: f32) -> f32;

    /// Adds the products of the first rows of `from` with a panel to `sums`.
    fn sum<const ROWS: usize>(
        instructions: Instructions,
        from: &[Self],
        panel: &[Self],
        sums: &mut [[f32; WIDTH]; ROWS],
    );
}

impl Entry for f32 {
    #[inline]
    fn add_product(self, weight: Self, sum: f32) -> f32 {
        self.mul_add(weight, sum)
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
            Instructions::Avx512 | Instructions::Avx512Bf16 => x86::wide(from, panel, sums),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => x86::narrow(from, panel, sums),
            Instructions::Portable => portable(from, panel, sums),
        }
    }
}

/// The reference: plain code, which a compiler for a processor with fused multiplications makes fast.
pub(super) fn portable<E: Entry, const ROWS: usize>(from: &[E], panel: &[E], sums: &mut [[f32; WIDTH]; ROWS]) {
    let inputs = panel.len() / WIDTH;
    for (row, sums) in from.chunks_exact(inputs).zip(sums) {
        for (&factor, weights) in row.iter().zip(panel.chunks_exact(WIDTH)) {
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = factor.add_product(weight, *sum));
        }
    }
}

/// A matrix in panels of 32 columns, within a panel row by row; missing columns are zeros.
#[derive(Clone, Debug)]
pub(in super::super) struct Packed<E> {
    panels: Vec<E>,
    inputs: usize,
    outputs: usize,
}

impl<E: Entry> Packed<E> {
    /// Packs a matrix whose rows have this many outputs.
    pub(super) fn new(matrix: &[E], outputs: usize) -> Self {
        let inputs = matrix.len() / outputs;
        let mut panels = vec![E::default(); inputs * outputs.next_multiple_of(WIDTH)];
        for (panel, to) in panels.chunks_exact_mut(inputs * WIDTH).enumerate() {
            let columns = panel * WIDTH..outputs.min((panel + 1) * WIDTH);
            for (row, to) in matrix.chunks_exact(outputs).zip(to.chunks_exact_mut(WIDTH)) {
                to[..columns.len()].copy_from_slice(&row[columns.clone()]);
            }
        }
        Self { panels, inputs, outputs }
    }

    /// Writes the products of the rows of `from` with the matrix into the rows of `to`.
    pub(super) fn multiply(&self, instructions: Instructions, from: &[E], to: &mut [f32]) {
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
    fn tiles(&self, instructions: Instructions, index: usize, panel: &[E], from: &[E], to: &mut [f32]) -> usize {
        let left = from.len() / self.inputs;
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 | Instructions::Avx512Bf16 if left >= 12 => {
                self.tile::<12>(instructions, index, panel, from, to)
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 | Instructions::Avx512Bf16 if left >= 4 => {
                self.tile::<4>(instructions, index, panel, from, to)
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 if left >= 3 => self.tile::<3>(instructions, index, panel, from, to),
            _ => self.tile::<1>(instructions, index, panel, from, to),
        }
    }

    #[inline]
    fn tile<const ROWS: usize>(
        &self,
        instructions: Instructions,
        index: usize,
        panel: &[E],
        from: &[E],
        to: &mut [f32],
    ) -> usize {
        let mut sums = [[0.0; WIDTH]; ROWS];
        E::sum(instructions, from, panel, &mut sums);
        let columns = index * WIDTH..self.outputs.min((index + 1) * WIDTH);
        for (sums, to) in sums.iter().zip(to.chunks_exact_mut(self.outputs)) {
            to[columns.clone()].copy_from_slice(&sums[..columns.len()]);
        }
        ROWS
    }
}
