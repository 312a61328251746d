//! The two evaluations of the `zhaw` report: a weight for every cell, without and with a penalty for unequal neighbours.

use super::{ByLines, differences, sum, value};

/// The published weights of the cells. They are given for the searching player; the report leaves those of the heuristic
/// player open, which uses the same here.
pub const ZHAW_WEIGHTS: [[f32; 4]; 4] =
    [[6.0, 5.0, 4.0, 1.0], [5.0, 4.0, 1.0, 0.0], [4.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, -2.0]];

/// Every tile times the weight of its cell, as the heuristic player judges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZhawMatrix {
    /// The weights of the cells, row by row from the top.
    pub weights: [[f32; 4]; 4],
}

/// The same minus the differences of neighbouring values, as the searching player judges.
///
/// The penalty is that of the optimised listing: every pair of neighbours once. (The first listing doubles it and leaves
/// out the last row and column.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZhawSearch {
    /// The weights of the cells, row by row from the top.
    pub weights: [[f32; 4]; 4],
    /// Paid for each unit of difference between neighbours, empty cells counting as 0.
    pub penalty: f32,
}

impl Default for ZhawMatrix {
    fn default() -> Self {
        Self { weights: ZHAW_WEIGHTS }
    }
}

impl Default for ZhawSearch {
    fn default() -> Self {
        Self { weights: ZHAW_WEIGHTS, penalty: 1.0 }
    }
}

fn weighted(weights: [f32; 4], line: [u8; 4]) -> f32 {
    std::iter::zip(weights, line).map(|(weight, exponent)| weight * value(exponent)).sum()
}

impl ByLines for ZhawMatrix {
    type Judgement = f32;
    const KINDS: usize = 4;
    const ROWS: [usize; 4] = [0, 1, 2, 3];
    /// Not looked at: the rows say everything.
    const COLUMNS: [usize; 4] = [0; 4];

    fn judge(&self, row: usize, line: [u8; 4]) -> f32 {
        weighted(self.weights[row], line)
    }

    #[inline]
    fn combine(&self, rows: [f32; 4], _columns: [f32; 4]) -> f32 {
        sum(rows)
    }
}

const COLUMN: usize = 4;

impl ByLines for ZhawSearch {
    type Judgement = f32;
    const KINDS: usize = 5;
    const ROWS: [usize; 4] = [0, 1, 2, 3];
    const COLUMNS: [usize; 4] = [COLUMN; 4];

    fn judge(&self, kind: usize, line: [u8; 4]) -> f32 {
        let penalty = self.penalty * differences(line);
        match self.weights.get(kind) {
            Some(&weights) => weighted(weights, line) - penalty,
            None => -penalty,
        }
    }

    #[inline]
    fn combine(&self, rows: [f32; 4], columns: [f32; 4]) -> f32 {
        sum(rows) + sum(columns)
    }
}
