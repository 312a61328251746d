//! The heuristic of the best-known expectimax program for 2048 (Robert Xiao, 2014).

use super::{ByLines, count_empty, sum};

/// Every row and column earns an offset, empty cells and runs that can merge, and pays for disorder and for many tiles.
///
/// The offset makes every board that is still alive worth more than a lost game, which the search values at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Xiao {
    /// What every line is worth before anything else.
    pub lost_offset: f32,
    /// Earned for each empty cell.
    pub empty: f32,
    /// Earned for each tile of a run of equal tiles; empty cells between them do not break the run.
    pub merges: f32,
    /// Paid for disorder: the smaller one of all falls and all rises along the line.
    pub monotonicity: f32,
    /// The power of an exponent in falls and rises.
    pub monotonicity_power: f32,
    /// Paid for the sum over all tiles.
    pub sum: f32,
    /// The power of an exponent in that sum.
    pub sum_power: f32,
}

impl Default for Xiao {
    fn default() -> Self {
        Self {
            lost_offset: 200_000.0,
            empty: 270.0,
            merges: 700.0,
            monotonicity: 47.0,
            monotonicity_power: 4.0,
            sum: 11.0,
            sum_power: 3.5,
        }
    }
}

impl ByLines for Xiao {
    type Judgement = f32;
    const KINDS: usize = 1;
    const ROWS: [usize; 4] = [0; 4];
    const COLUMNS: [usize; 4] = [0; 4];

    fn judge(&self, _kind: usize, line: [u8; 4]) -> f32 {
        // In double precision up to here: the powers of the largest tiles have more digits than a single holds.
        let power = |exponent: u8, power: f32| f64::from(exponent).powf(f64::from(power));
        let sum: f64 = line.into_iter().map(|exponent| power(exponent, self.sum_power)).sum();
        let (mut falls, mut rises) = (0.0, 0.0);
        for [a, b] in line.array_windows() {
            let rise = power(*b, self.monotonicity_power) - power(*a, self.monotonicity_power);
            *(if rise < 0.0 { &mut falls } else { &mut rises }) += rise.abs();
        }
        let value = f64::from(self.lost_offset)
            + f64::from(self.empty) * f64::from(count_empty(line))
            + f64::from(self.merges) * f64::from(tiles_in_runs(line))
            - f64::from(self.monotonicity) * f64::min(falls, rises)
            - f64::from(self.sum) * sum;
        value as f32
    }

    #[inline]
    fn combine(&self, rows: [f32; 4], columns: [f32; 4]) -> f32 {
        sum(rows) + sum(columns)
    }
}

/// The number of tiles that have an equal next tile on either side, empty cells left out.
fn tiles_in_runs(line: [u8; 4]) -> u8 {
    let mut tiles = 0;
    let mut last = 0;
    let mut run = 1;
    for exponent in line.into_iter().filter(|&exponent| exponent != 0) {
        run = if exponent == last { run + 1 } else { 1 };
        last = exponent;
        tiles += match run {
            1 => 0,
            2 => 2,
            _ => 1,
        };
    }
    tiles
}
