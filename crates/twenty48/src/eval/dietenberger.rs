//! The heuristic of the `dietenberger` thesis: empty cells above all, smooth boards, nothing large in the middle.

use super::{ByLines, count_empty, differences, sum, value};

/// `4096 * E - 10 * D - 10 * P`: empty cells, differences of neighbouring values (empty cells counting as 0), and the
/// tiles on the four cells in the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dietenberger {
    /// Earned for each empty cell.
    pub empty: f32,
    /// Paid for each unit of difference between neighbours.
    pub differences: f32,
    /// Paid for each unit of the tiles in the middle.
    pub middle: f32,
}

impl Default for Dietenberger {
    fn default() -> Self {
        Self { empty: 4096.0, differences: 10.0, middle: 10.0 }
    }
}

const OUTER_ROW: usize = 0;
const INNER_ROW: usize = 1;
const COLUMN: usize = 2;

impl ByLines for Dietenberger {
    type Judgement = f32;
    const KINDS: usize = 3;
    const ROWS: [usize; 4] = [OUTER_ROW, INNER_ROW, INNER_ROW, OUTER_ROW];
    const COLUMNS: [usize; 4] = [COLUMN; 4];

    fn judge(&self, kind: usize, line: [u8; 4]) -> f32 {
        let [_, second, third, _] = line;
        let unrest = self.differences * differences(line);
        let empty = self.empty * f32::from(count_empty(line));
        match kind {
            OUTER_ROW => empty - unrest,
            INNER_ROW => empty - unrest - self.middle * (value(second) + value(third)),
            _ => -unrest,
        }
    }

    #[inline]
    fn combine(&self, rows: [f32; 4], columns: [f32; 4]) -> f32 {
        sum(rows) + sum(columns)
    }
}
