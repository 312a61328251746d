//! Where the numbers of a batch lie on the device: one piece of memory, divided up beforehand.

use crate::neural::plan::{CONTENTS, Kind, Plan, Stage};

/// The most strips of rows whose sums are summed in turn.
pub(super) const STRIPS: usize = 64;

/// What is kept of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// What the next layer reads.
    Outputs,
    /// Everything that the way back needs.
    All,
}

/// Offsets in floats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The boards, encoded.
    pub(super) input: usize,
    pub(super) layers: Vec<Places>,
    /// Slopes of a layer and of the one before it.
    pub(super) slopes: [usize; 2],
    /// Sums over strips of rows.
    pub(super) strips: usize,
    /// All of it.
    pub(super) floats: usize,
}

/// The numbers of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// What a convolution covers, and later the slopes of that; unused in dense layers.
    pub(super) columns: usize,
    pub(super) outputs: usize,
}

impl Layout {
    /// Room for this many boards.
    pub(super) fn new(plan: &Plan, boards: usize, keep: Keep) -> Self {
        let mut floats = 0;
        // Aligned as the device likes it.
        let mut take = |count: usize| {
            let at = floats;
            floats += count.next_multiple_of(64);
            at
        };
        let stages = &plan.stages;
        let largest = |size: fn(&Stage) -> usize| boards * stages.iter().map(size).max().unwrap_or(0);
        let input = take(boards * 16 * CONTENTS);
        let layers = match keep {
            Keep::All => {
                let places = |stage: &Stage| Places {
                    columns: take(boards * columns(stage)),
                    outputs: take(boards * stage.numbers()),
                };
                stages.iter().map(places).collect()
            }
            Keep::Outputs => {
                let (columns, both) = (take(largest(columns)), [(); 2].map(|()| take(largest(Stage::numbers))));
                (0..stages.len()).map(|index| Places { columns, outputs: both[index % 2] }).collect()
            }
        };
        let (slopes, strips) = match keep {
            Keep::All => ([(); 2].map(|()| take(largest(Stage::numbers))), {
                take(STRIPS * stages.iter().map(|stage| stage.outputs).max().unwrap_or(0))
            }),
            Keep::Outputs => ([0; 2], 0),
        };
        Self { input, layers, slopes, strips, floats }
    }
}

/// The numbers that a convolution covers on one board.
fn columns(stage: &Stage) -> usize {
    match stage.kind {
        Kind::Convolution(_) => stage.places * stage.inputs,
        Kind::Dense => 0,
    }
}

/// Rows divided into strips: the rows of a strip, and how many strips there are.
pub(super) fn strips(rows: usize) -> (usize, usize) {
    let strip = rows.div_ceil(STRIPS).max(8);
    (strip, rows.div_ceil(strip))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::Design;

    #[test]
    fn what_is_in_use_at_the_same_time_lies_apart() {
        for name in ["cnn", "cnn-small", "fc"] {
            let plan = Design::built_in(name).unwrap().plan();
            for boards in [1, 7, 64] {
                let layout = Layout::new(&plan, boards, Keep::All);
                let mut pieces = vec![(layout.input, boards * 256)];
                for (stage, places) in plan.stages.iter().zip(&layout.layers) {
                    pieces.push((places.columns, boards * columns(stage)));
                    pieces.push((places.outputs, boards * stage.numbers()));
                }
                let most = boards * plan.stages.iter().map(Stage::numbers).max().unwrap();
                pieces.extend(layout.slopes.map(|at| (at, most)));
                pieces.push((layout.strips, STRIPS * plan.stages.iter().map(|stage| stage.outputs).max().unwrap()));
                pieces.sort_unstable();
                assert!(pieces.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "{name}: {pieces:?}");
                assert!(pieces.iter().all(|(at, size)| at % 64 == 0 && at + size <= layout.floats));
                let judging = Layout::new(&plan, boards, Keep::Outputs);
                assert!(judging.layers.windows(2).all(|pair| pair[0].outputs != pair[1].outputs));
                assert!(judging.floats < layout.floats);
            }
        }
    }

    #[test]
    fn strips_hold_all_rows_and_are_never_too_many() {
        for rows in [1, 7, 8, 9, 512, 513, 9216, 16 * 1024, 1_000_003] {
            let (strip, count) = strips(rows);
            assert!(count <= STRIPS && strip * count >= rows && strip * (count - 1) < rows, "{rows}");
        }
    }
}
