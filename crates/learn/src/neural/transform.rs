//! Convolutions of 2x2 kernels with fewer multiplications.
//!
//! A kernel of two numbers that moves over a line gives every output with two multiplications. Read as a product of
//! polynomials, the line is known from its values at four points (0, 1, -1 and infinity; Toom 1963, Cook 1966), and a line of
//! 3 padded to 4 outputs, or of 4 with 3 outputs, takes four multiplications instead of six. In two dimensions that is 16
//! instead of 36, and 16 large products of matrices instead of one with rows of zeros.

use std::ops::{Add, Sub};

use super::kernel::{Instructions, Packed};
use super::plan::Window;

/// The points in two dimensions.
const POINTS: usize = 16;

/// A convolution whose kernel is kept as its values at the points.
#[derive(Clone, Debug)]
pub(super) struct Transformed {
    scheme: Scheme,
    points: Vec<Packed>,
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
    products: Vec<f32>,
}

impl Transformed {
    /// The convolution with this matrix, where there is a scheme for its board.
    pub(super) fn new(window: Window, matrix: &[f32], outputs: usize) -> Option<Self> {
        let scheme = match (window.side, window.padding) {
            (3, 1) => Scheme::Padded,
            (4, 0) => Scheme::Inner,
            _ => return None,
        };
        let part = matrix.len() / 4;
        let points = (0..POINTS).map(|point| {
            let values: Vec<f32> =
                (0..part).map(|index| kernel_at(scheme, point, |cell| matrix[cell * part + index])).collect();
            Packed::new(&values, outputs)
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
        let Workplace { spread, products } = workplace;
        run(instructions, Step::Spread { scheme: self.scheme, channels: self.channels, from, to: spread });
        let parts = spread.chunks_exact(boards * self.channels).zip(products.chunks_exact_mut(boards * self.outputs));
        for (packed, (from, to)) in self.points.iter().zip(parts) {
            packed.multiply(instructions, from, to);
        }
        run(instructions, Step::Collect { scheme: self.scheme, biases, from: products, to });
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

/// As many channels as are handled together.
const LANES: usize = 16;

#[derive(Clone, Copy)]
struct Lanes([f32; LANES]);

impl Lanes {
    const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        let mut lanes = [0.0; LANES];
        match from.first_chunk() {
            Some(chunk) => lanes = *chunk,
            None => lanes[..from.len()].copy_from_slice(from),
        }
        Self(lanes)
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        match to.first_chunk_mut() {
            Some(chunk) => *chunk = self.0,
            None => to.copy_from_slice(&self.0[..to.len()]),
        }
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
        self
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a -= b);
        self
    }
}

impl Scheme {
    /// The values of a line at the points; a line of three has nothing at its end.
    #[inline(always)]
    fn spread(self, [a, b, c, d]: [Lanes; 4]) -> [Lanes; 4] {
        match self {
            Self::Padded => [a, a + c + b, a + c - b, c],
            Self::Inner => [a - c, b + c, c - b, d - b],
        }
    }

    /// The line from the products at the points.
    #[inline(always)]
    fn collect(self, [zero, one, minus, infinity]: [Lanes; 4]) -> [Lanes; 4] {
        match self {
            Self::Padded => [zero, one - minus - infinity, one + minus - zero, infinity],
            Self::Inner => [zero + one + minus, one - minus, one + minus + infinity, Lanes::ZERO],
        }
    }
}

/// What is done before and after the products, on all boards.
enum Step<'a> {
    Spread { scheme: Scheme, channels: usize, from: &'a [f32], to: &'a mut [f32] },
    Collect { scheme: Scheme, biases: &'a [f32], from: &'a [f32], to: &'a mut [f32] },
}

/// Both directions of a square of lines.
#[inline(always)]
fn both(square: [[Lanes; 4]; 4], line: impl Fn([Lanes; 4]) -> [Lanes; 4]) -> [[Lanes; 4]; 4] {
    let rows = square.map(&line);
    let columns = [0, 1, 2, 3].map(|column| line(rows.map(|row| row[column])));
    [0, 1, 2, 3].map(|row| columns.map(|column| column[row]))
}

#[inline(always)]
fn step(step: Step<'_>) {
    match step {
        Step::Spread { scheme, channels, from, to } => {
            let (side, _) = scheme.sides();
            let plane = to.len() / POINTS;
            for (board, from) in from.chunks_exact(side * side * channels).enumerate() {
                for channel in (0..channels).step_by(LANES) {
                    let end = channels.min(channel + LANES);
                    let mut square = [[Lanes::ZERO; 4]; 4];
                    for (index, cell) in from.chunks_exact(channels).enumerate() {
                        square[index / side][index % side] = Lanes::load(&cell[channel..end]);
                    }
                    for (point, lanes) in both(square, |line| scheme.spread(line)).as_flattened().iter().enumerate() {
                        lanes.store(&mut to[point * plane + board * channels..][channel..end]);
                    }
                }
            }
        }
        Step::Collect { scheme, biases, from, to } => {
            let (_, side) = scheme.sides();
            let (outputs, plane) = (biases.len(), from.len() / POINTS);
            for (board, to) in to.chunks_exact_mut(side * side * outputs).enumerate() {
                for channel in (0..outputs).step_by(LANES) {
                    let end = outputs.min(channel + LANES);
                    let bias = Lanes::load(&biases[channel..end]);
                    let mut square = [[Lanes::ZERO; 4]; 4];
                    for (point, lanes) in square.as_flattened_mut().iter_mut().enumerate() {
                        *lanes = Lanes::load(&from[point * plane + board * outputs..][channel..end]);
                    }
                    let square = both(square, |line| scheme.collect(line));
                    for (index, cell) in to.chunks_exact_mut(outputs).enumerate() {
                        (square[index / side][index % side] + bias).store(&mut cell[channel..end]);
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the same code compiled for wider vectors")]
fn run(instructions: Instructions, what: Step<'_>) {
    #[target_feature(enable = "avx512f")]
    fn wide(what: Step<'_>) {
        step(what);
    }
    #[target_feature(enable = "avx2")]
    fn narrow(what: Step<'_>) {
        step(what);
    }
    match instructions {
        // SAFETY: the processor has these instructions, or they would not have been chosen.
        Instructions::Avx512 => unsafe { wide(what) },
        // SAFETY: as above.
        Instructions::Avx2 => unsafe { narrow(what) },
        Instructions::Portable => step(what),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn run(_: Instructions, what: Step<'_>) {
    step(what);
}
