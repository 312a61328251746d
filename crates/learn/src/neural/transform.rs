//! Convolutions of 2x2 kernels with fewer multiplications.
//!
//! A kernel of two numbers that moves over a line gives every output with two multiplications. Read as a product of
//! polynomials, the line is known from its values at four points (0, 1, -1 and infinity; Toom 1963, Cook 1966), and a line of
//! 3 padded to 4 outputs, or of 4 with 3 outputs, takes four multiplications instead of six. In two dimensions that is 16
//! instead of 36, and 16 large products of matrices instead of one with rows of zeros.

use super::kernel::{Instructions, Matrix, Pair, Precision};
use super::plan::Window;

/// The points in two dimensions.
const POINTS: usize = 16;

/// A convolution whose kernel is kept as its values at the points.
#[derive(Clone, Debug)]
pub(super) struct Transformed {
    scheme: Scheme,
    points: Vec<Matrix>,
    channels: usize,
    outputs: usize,
}

/// The boards that four points are enough for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    /// From 3x3, padded, to 4x4: the product of two polynomials.
    Padded,
    /// From 4x4 to 3x3: the same steps, transposed.
    Inner,
}

impl Scheme {
    const fn sides(self) -> (usize, usize) {
        match self {
            Self::Padded => (3, 4),
            Self::Inner => (4, 3),
        }
    }
}

/// Memory that is used again from batch to batch.
#[derive(Debug, Default)]
pub(super) struct Workplace {
    spread: Vec<f32>,
    rounded: Vec<Pair>,
    products: Vec<f32>,
    lines: Vec<f32>,
    square: Vec<f32>,
}

impl Transformed {
    /// The convolution with this matrix, where there is a scheme for its board.
    pub(super) fn new(window: Window, precision: Precision, matrix: &[f32], outputs: usize) -> Option<Self> {
        let scheme = match (window.side, window.padding) {
            (3, 1) => Scheme::Padded,
            (4, 0) => Scheme::Inner,
            _ => return None,
        };
        let part = matrix.len() / 4;
        let points = (0..POINTS).map(|point| {
            let values: Vec<f32> =
                (0..part).map(|index| kernel_at(scheme, point, |cell| matrix[cell * part + index])).collect();
            Matrix::new(precision, &values, outputs)
        });
        Some(Self { scheme, points: points.collect(), channels: window.channels, outputs })
    }

    /// Writes the sums, biases included, for all boards of `from`.
    pub(super) fn apply(
        &self,
        instructions: Instructions,
        from: &[f32],
        biases: &[f32],
        workplace: &mut Workplace,
        to: &mut [f32],
    ) {
        let (before, _) = self.scheme.sides();
        let boards = from.len() / (before * before * self.channels);
        workplace.spread.resize(POINTS * boards * self.channels, 0.0);
        workplace.products.resize(POINTS * boards * self.outputs, 0.0);
        let Workplace { spread, rounded, products, lines, square } = workplace;
        run(
            instructions,
            Step::Spread { scheme: self.scheme, channels: self.channels, from, to: spread },
            lines,
            square,
        );
        let parts = spread.chunks_exact(boards * self.channels).zip(products.chunks_exact_mut(boards * self.outputs));
        for (matrix, (from, to)) in self.points.iter().zip(parts) {
            matrix.multiply(instructions, from, rounded, to);
        }
        run(instructions, Step::Collect { scheme: self.scheme, biases, from: products, to }, lines, square);
    }
}

/// The value of a kernel at a point; `cell` gives its four numbers, row by row.
fn kernel_at(scheme: Scheme, point: usize, cell: impl Fn(usize) -> f32) -> f32 {
    // The halves that the way back would need are taken here, once.
    const LINE: [[f32; 2]; 4] = [[1.0, 0.0], [0.5, 0.5], [0.5, -0.5], [0.0, 1.0]];
    let (down, right) = (LINE[point / 4], LINE[point % 4]);
    let mut sum = 0.0;
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let cell = match scheme {
            Scheme::Padded => cell(2 * (1 - row) + 1 - column),
            Scheme::Inner => cell(2 * row + column),
        };
        sum += down[row] * right[column] * cell;
    }
    sum
}

impl Scheme {
    /// The values of a line at the points, one after the other in `to`. A line of three has no `d`.
    #[allow(
        clippy::needless_range_loop,
        reason = "eight slices side by side; zipped they are neither faster nor clearer"
    )]
    #[inline(always)]
    fn spread(self, [a, b, c, d]: [&[f32]; 4], to: &mut [f32]) {
        let len = a.len();
        let [zero, one, minus, infinity] = quarters(to, len);
        let (b, c) = (&b[..len], &c[..len]);
        match self {
            Self::Padded => {
                for i in 0..len {
                    let even = a[i] + c[i];
                    (zero[i], one[i], minus[i], infinity[i]) = (a[i], even + b[i], even - b[i], c[i]);
                }
            }
            Self::Inner => {
                let d = &d[..len];
                for i in 0..len {
                    (zero[i], one[i], minus[i], infinity[i]) = (a[i] - c[i], b[i] + c[i], c[i] - b[i], d[i] - b[i]);
                }
            }
        }
    }

    /// The line from the products at the points, one place after the other in `to`; of three places the fourth is unused.
    #[allow(
        clippy::needless_range_loop,
        reason = "eight slices side by side; zipped they are neither faster nor clearer"
    )]
    #[inline(always)]
    fn collect(self, [zero, one, minus, infinity]: [&[f32]; 4], to: &mut [f32]) {
        let len = zero.len();
        let [a, b, c, d] = quarters(to, len);
        let (one, minus, infinity) = (&one[..len], &minus[..len], &infinity[..len]);
        match self {
            Self::Padded => {
                for i in 0..len {
                    (a[i], d[i]) = (zero[i], infinity[i]);
                    (b[i], c[i]) = (one[i] - minus[i] - infinity[i], one[i] + minus[i] - zero[i]);
                }
            }
            Self::Inner => {
                for i in 0..len {
                    let sum = one[i] + minus[i];
                    (a[i], b[i], c[i]) = (zero[i] + sum, one[i] - minus[i], sum + infinity[i]);
                }
            }
        }
    }
}

/// Four parts of this length.
#[inline(always)]
fn quarters(to: &mut [f32], len: usize) -> [&mut [f32]; 4] {
    let (a, rest) = to.split_at_mut(len);
    let (b, rest) = rest.split_at_mut(len);
    let (c, rest) = rest.split_at_mut(len);
    [a, b, c, &mut rest[..len]]
}

/// What is done before and after the products, on all boards; `lines` and `square` are places to work in.
enum Step<'a> {
    Spread { scheme: Scheme, channels: usize, from: &'a [f32], to: &'a mut [f32] },
    Collect { scheme: Scheme, biases: &'a [f32], from: &'a [f32], to: &'a mut [f32] },
}

#[inline(always)]
fn step(step: Step<'_>, lines: &mut Vec<f32>, square: &mut Vec<f32>) {
    let channels = match &step {
        Step::Spread { channels, .. } => *channels,
        Step::Collect { biases, .. } => biases.len(),
    };
    lines.resize(POINTS * channels, 0.0);
    square.resize(POINTS * channels, 0.0);
    match step {
        Step::Spread { scheme, from, to, .. } => {
            let (side, _) = scheme.sides();
            let plane = to.len() / POINTS;
            for (board, from) in from.chunks_exact(side * side * channels).enumerate() {
                for (row, lines) in from.chunks_exact(side * channels).zip(lines.chunks_exact_mut(4 * channels)) {
                    scheme.spread([0, 1, 2, 3].map(|column| part(row, column, channels)), lines);
                }
                for (column, square) in square.chunks_exact_mut(4 * channels).enumerate() {
                    let cells = [0, 4, 8, 12].map(|row| part(&lines[..4 * side * channels], row + column, channels));
                    scheme.spread(cells, square);
                    for (row, cell) in square.chunks_exact(channels).enumerate() {
                        to[(4 * row + column) * plane + board * channels..][..channels].copy_from_slice(cell);
                    }
                }
            }
        }
        Step::Collect { scheme, biases, from, to } => {
            let (_, side) = scheme.sides();
            let plane = from.len() / POINTS;
            for (board, to) in to.chunks_exact_mut(side * side * channels).enumerate() {
                for (column, lines) in lines.chunks_exact_mut(4 * channels).enumerate() {
                    let points =
                        [0, 4, 8, 12].map(|row| &from[(row + column) * plane + board * channels..][..channels]);
                    scheme.collect(points, lines);
                }
                for (row, to) in to.chunks_exact_mut(side * channels).enumerate() {
                    scheme.collect([0, 4, 8, 12].map(|column| part(lines, column + row, channels)), square);
                    for (to, sums) in to.chunks_exact_mut(channels).zip(square.chunks_exact(channels)) {
                        for ((to, sum), bias) in to.iter_mut().zip(sums).zip(biases) {
                            *to = sum + bias;
                        }
                    }
                }
            }
        }
    }
}

/// The numbers of one cell; none where there is no such cell.
#[inline(always)]
fn part(cells: &[f32], index: usize, channels: usize) -> &[f32] {
    cells.get(index * channels..(index + 1) * channels).unwrap_or(&[])
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the same code compiled for wider vectors")]
fn run(instructions: Instructions, what: Step<'_>, lines: &mut Vec<f32>, square: &mut Vec<f32>) {
    #[target_feature(enable = "avx512f")]
    fn wide(what: Step<'_>, lines: &mut Vec<f32>, square: &mut Vec<f32>) {
        step(what, lines, square);
    }
    #[target_feature(enable = "avx2")]
    fn narrow(what: Step<'_>, lines: &mut Vec<f32>, square: &mut Vec<f32>) {
        step(what, lines, square);
    }
    match instructions {
        // SAFETY: the processor has these instructions, or they would not have been chosen.
        Instructions::Avx512 | Instructions::Avx512Bf16 => unsafe { wide(what, lines, square) },
        // SAFETY: as above.
        Instructions::Avx2 => unsafe { narrow(what, lines, square) },
        Instructions::Portable => step(what, lines, square),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn run(_: Instructions, what: Step<'_>, lines: &mut Vec<f32>, square: &mut Vec<f32>) {
    step(what, lines, square);
}
