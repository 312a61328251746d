//! Where the numbers of a batch lie on the device: one piece of memory, divided up beforehand.

use crate::neural::plan::{CONTENTS, Kind, Plan, Stage, Window};

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
    /// What a convolution covers, and later the slopes of that; its products where they are spread; unused in dense layers.
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
                    columns: take(boards * covered(stage)),
                    outputs: take(boards * stage.numbers()),
                };
                stages.iter().map(places).collect()
            }
            Keep::Outputs => {
                let (columns, both) = (take(largest(judged)), [(); 2].map(|()| take(largest(Stage::numbers))));
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
fn covered(stage: &Stage) -> usize {
    match stage.kind {
        Kind::Convolution(_) => stage.places * stage.inputs,
        Kind::Dense => 0,
    }
}

/// The same where nothing is kept: products to be spread, or what is covered.
fn judged(stage: &Stage) -> usize {
    spreads(stage).map_or_else(|| covered(stage), |window| window.side.pow(2) * 4 * stage.outputs)
}

/// The window of a convolution whose cells are multiplied by all parts of its kernel where nothing is kept: a padded one, whose
/// padding is then neither written nor multiplied.
pub(super) fn spreads(stage: &Stage) -> Option<Window> {
    match stage.kind {
        Kind::Convolution(window) if window.covers_every_cell() => Some(window),
        _ => None,
    }
}

/// The matrix of such a convolution with its four parts side by side: a row for every channel.
pub(super) fn side_by_side(stage: &Stage, matrix: &[f32]) -> Vec<f32> {
    let channels = stage.inputs / 4;
    let part = |channel, part| &matrix[(part * channels + channel) * stage.outputs..][..stage.outputs];
    (0..channels).flat_map(|channel| (0..4).flat_map(move |number| part(channel, number))).copied().collect()
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
                    pieces.push((places.columns, boards * covered(stage)));
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
    fn parts_side_by_side_keep_their_channels_and_outputs() {
        let plan = Design::built_in("cnn-small").unwrap().plan();
        let stage = &plan.stages[1];
        assert!(spreads(stage).is_some() && spreads(&plan.stages[0]).is_none());
        let matrix: Vec<f32> = (0..stage.inputs * stage.outputs).map(|index| index as f32).collect();
        let beside = side_by_side(stage, &matrix);
        for (part, channel, output) in [(0, 0, 0), (0, 31, 5), (3, 1, 31), (2, 17, 8)] {
            assert_eq!(beside[(channel * 4 + part) * 32 + output], matrix[(part * 32 + channel) * 32 + output]);
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
