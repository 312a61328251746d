//! Products of matrices for training, by the crate `gemm-f32`, which chooses its kernel for the processor at run time.

use gemm_common::Parallelism;
use gemm_f32::gemm::f32::get_gemm_fn;

/// A matrix in somebody else's memory, row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<'a> {
    numbers: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// A matrix with this many columns.
    pub(super) fn new(numbers: &'a [f32], columns: usize) -> Self {
        let rows = numbers.len() / columns.max(1);
        Self { numbers, rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// The matrix with rows and columns exchanged.
    pub(super) fn transposed(self) -> Self {
        let Self { numbers, rows, columns, row_stride, column_stride } = self;
        Self { numbers, rows: columns, columns: rows, row_stride: column_stride, column_stride: row_stride }
    }

    fn fits(&self) -> bool {
        self.rows == 0
            || self.columns == 0
            || (self.rows - 1) * self.row_stride + (self.columns - 1) * self.column_stride < self.numbers.len()
    }
}

/// What happens to the numbers in the place of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Onto {
    Replace,
    Add,
}

/// Writes the product of two matrices row by row into `to`, or adds it.
pub(super) fn multiply(a: Matrix<'_>, b: Matrix<'_>, to: &mut [f32], onto: Onto) {
    assert!(a.columns == b.rows && to.len() == a.rows * b.columns && a.fits() && b.fits(), "matrices that do not fit");
    // The crate wants columns of the result to be contiguous: the transposed product has them.
    let (keep, read) = if onto == Onto::Add { (1.0, true) } else { (0.0, false) };
    #[expect(unsafe_code, reason = "the crate takes pointers")]
    // SAFETY: the strides stay within the slices, as asserted above; `to` is exclusively ours and holds rows x columns.
    unsafe {
        get_gemm_fn()(
            b.columns,
            a.rows,
            a.columns,
            to.as_mut_ptr(),
            b.columns as isize,
            1,
            read,
            b.numbers.as_ptr(),
            b.row_stride as isize,
            b.column_stride as isize,
            a.numbers.as_ptr(),
            a.row_stride as isize,
            a.column_stride as isize,
            keep,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;

    fn random(len: usize, dice: &mut Dice) -> Vec<f32> {
        (0..len).map(|_| dice.unit() as f32 - 0.5).collect()
    }

    #[test]
    fn products_are_those_of_the_textbook() {
        let mut dice = Dice::seeded(1);
        for (m, k, n) in [(1, 1, 1), (1, 7, 5), (3, 4, 1), (17, 33, 9), (64, 100, 40)] {
            let (a, b, c) = (random(m * k, &mut dice), random(k * n, &mut dice), random(m * n, &mut dice));
            let naive = |row: usize, column: usize| (0..k).map(|i| a[row * k + i] * b[i * n + column]).sum::<f32>();
            let mut replaced = c.clone();
            multiply(Matrix::new(&a, k), Matrix::new(&b, n), &mut replaced, Onto::Replace);
            // The product of the transposed matrices is the transposed product.
            let mut added = vec![1.0; n * m];
            multiply(Matrix::new(&b, n).transposed(), Matrix::new(&a, k).transposed(), &mut added, Onto::Add);
            for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
                let expected = naive(row, column);
                assert!((replaced[row * n + column] - expected).abs() < 1e-4);
                assert!((added[column * m + row] - 1.0 - expected).abs() < 1e-4);
            }
        }
    }
}
