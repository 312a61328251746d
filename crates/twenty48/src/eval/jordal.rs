//! The six-term heuristic of the `jordal` report.

use std::cmp::Ordering;

use super::{ByLines, count_empty, sum, value};

/// The sum of six terms: tiles gathered at one side, empty cells, equal neighbours, ordered lines, the largest tile, and
/// the largest tile in a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jordal {
    /// The weights of the four lines from the favoured side on; the best of the four sides counts.
    pub gradient: [f32; 4],
    /// The power of a tile before it is weighted.
    pub gradient_power: f32,
    /// Times the largest tile and the square of the number of empty cells.
    pub empty: f32,
    /// Earned for equal neighbours, times the tile but at most [`Self::smoothness_cap`].
    pub smoothness: f32,
    /// The tile from which on equal neighbours earn no more.
    pub smoothness_cap: f32,
    /// Earned for lines that rise or fall throughout, in small steps.
    pub monotonicity: f32,
    /// Times the largest tile.
    pub max_tile: f32,
    /// Times the largest tile if it lies in a corner.
    pub corner: f32,
}

impl Default for Jordal {
    fn default() -> Self {
        Self {
            gradient: [4.0, 3.0, 2.0, 1.0],
            gradient_power: 1.3,
            empty: 0.05,
            smoothness: 0.5,
            smoothness_cap: 4.0,
            monotonicity: 1.0,
            max_tile: 1.0,
            corner: 0.2,
        }
    }
}

/// What is known about a line besides its place.
#[derive(Clone, Copy, Debug)]
pub struct JordalLine {
    /// Smoothness and monotonicity, weighted.
    shape: f32,
    /// The sum of all tiles, each raised to the gradient's power.
    mass: f32,
    empty: u8,
    largest: u8,
    /// The larger exponent of the first and the last cell.
    largest_at_ends: u8,
}

impl Jordal {
    fn smoothness(&self, line: [u8; 4]) -> f32 {
        line.array_windows().filter(|[a, b]| a == b).map(|&[a, _]| value(a).min(self.smoothness_cap)).sum()
    }

    /// The best of the sides the four masses may be gathered at.
    #[inline]
    fn gathered(&self, [a, b, c, d]: [f32; 4]) -> f32 {
        let weighted = |masses: [f32; 4]| sum(std::array::from_fn(|i| self.gradient[i] * masses[i]));
        weighted([a, b, c, d]).max(weighted([d, c, b, a]))
    }
}

/// How far the line rises (or falls): steps count by their tiles, the less the larger the step.
fn monotonicity(line: [u8; 4]) -> f32 {
    let step = |&[a, b]: &[u8; 2]| {
        let size = (value(a) + value(b)) / (f32::from(a.abs_diff(b)) + 1.0);
        match a.cmp(&b) {
            Ordering::Less => size,
            Ordering::Equal => 0.0,
            Ordering::Greater => -size,
        }
    };
    line.array_windows().map(step).sum::<f32>().abs()
}

impl ByLines for Jordal {
    type Judgement = JordalLine;
    const KINDS: usize = 1;
    const ROWS: [usize; 4] = [0; 4];
    const COLUMNS: [usize; 4] = [0; 4];

    fn judge(&self, _kind: usize, line: [u8; 4]) -> JordalLine {
        let [first, .., last] = line;
        let power = |exponent| value(exponent).powf(self.gradient_power);
        JordalLine {
            shape: self.smoothness * self.smoothness(line) + self.monotonicity * monotonicity(line),
            mass: line.into_iter().map(power).sum(),
            empty: count_empty(line),
            largest: line.into_iter().fold(0, u8::max),
            largest_at_ends: first.max(last),
        }
    }

    #[inline]
    fn combine(&self, rows: [JordalLine; 4], columns: [JordalLine; 4]) -> f32 {
        let gradient = self.gathered(rows.map(|line| line.mass)).max(self.gathered(columns.map(|line| line.mass)));
        let shape = sum(rows.map(|line| line.shape)) + sum(columns.map(|line| line.shape));
        let empty: u8 = rows.iter().map(|line| line.empty).sum();
        let largest = rows.iter().fold(0, |largest, line| line.largest.max(largest));
        let [top, .., bottom] = rows;
        let in_corner = top.largest_at_ends.max(bottom.largest_at_ends) == largest;
        let of_largest =
            self.empty * f32::from(empty).powi(2) + self.max_tile + if in_corner { self.corner } else { 0.0 };
        gradient + shape + of_largest * value(largest)
    }
}
