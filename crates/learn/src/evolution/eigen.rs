//! Eigenvalues of small symmetric matrices by Jacobi's rotations: exact enough, short, and the same on every machine.

/// A symmetric matrix as its eigenvectors (the columns of `vectors`) and eigenvalues.
pub(super) struct Eigen {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Vec<Vec<f64>>,
}

/// Each sweep squares what is left off the diagonal; a dozen is plenty for any matrix.
const SWEEPS: usize = 50;

impl Eigen {
    /// Decomposes a symmetric matrix.
    pub(super) fn of(matrix: &[Vec<f64>]) -> Self {
        let size = matrix.len();
        let mut rest = matrix.to_vec();
        let mut vectors: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        for _ in 0..SWEEPS {
            let off: f64 = (0..size).flat_map(|i| rest[i][..i].iter()).map(|value| value * value).sum();
            let on: f64 = (0..size).map(|i| rest[i][i] * rest[i][i]).sum();
            if off <= 1e-30 * on {
                break;
            }
            for p in 0..size {
                for q in p + 1..size {
                    rotate(&mut rest, &mut vectors, p, q);
                }
            }
        }
        Self { values: (0..size).map(|i| rest[i][i]).collect(), vectors }
    }
}

/// Turns the plane of the axes `p` and `q` so that the element between them vanishes.
fn rotate(rest: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if rest[p][q] == 0.0 {
        return;
    }
    let theta = (rest[q][q] - rest[p][p]) / (2.0 * rest[p][q]);
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let turn = |row: &mut Vec<f64>| {
        let (at_p, at_q) = (row[p], row[q]);
        row[p] = cosine * at_p - sine * at_q;
        row[q] = sine * at_p + cosine * at_q;
    };
    rest.iter_mut().for_each(turn);
    let (before_q, from_q) = rest.split_at_mut(q);
    for (above, below) in before_q[p].iter_mut().zip(&mut from_q[0]) {
        (*above, *below) = (cosine * *above - sine * *below, sine * *above + cosine * *below);
    }
    vectors.iter_mut().for_each(turn);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vectors_and_values_give_the_matrix_back(numbers in proptest::collection::vec(-9.0..9.0, 25)) {
            let matrix: Vec<Vec<f64>> =
                (0..5).map(|i| (0..5).map(|j| numbers[5 * i.min(j) + i.max(j)]).collect()).collect();
            let Eigen { values, vectors } = Eigen::of(&matrix);
            for i in 0..5 {
                for j in 0..5 {
                    let again: f64 = (0..5).map(|k| vectors[i][k] * values[k] * vectors[j][k]).sum();
                    let unit: f64 = (0..5).map(|k| vectors[k][i] * vectors[k][j]).sum();
                    prop_assert!((again - matrix[i][j]).abs() < 1e-9);
                    prop_assert!((unit - f64::from(u8::from(i == j))).abs() < 1e-9);
                }
            }
        }
    }
}
