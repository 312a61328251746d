//! A design worked out: what every layer reads and writes, and where its weights lie.
//!
//! Numbers on a board are kept place by place and channel by channel within a place (rows, columns, channels). One-hot
//! input in this order is `16 * cell + exponent` for both encodings, so only files tell the two apart.

use std::ops::Range;

use super::design::{Activation, Design, DesignError, Encoding, Layer, NotABoard};

/// The side of the board.
const SIDE: usize = 4;
/// The different contents of a cell that a network can tell apart.
pub(super) const CONTENTS: usize = 16;

/// All layers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) stages: Vec<Stage>,
    /// How many weights there are, biases included.
    pub(super) weights: usize,
}

/// One layer. Its weights are a matrix with a row for every input, followed by the biases; the inputs of a convolution are
/// those of its four cells, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) kind: Kind,
    pub(super) activation: Activation,
    /// The rows of the matrix.
    pub(super) inputs: usize,
    /// The columns of the matrix.
    pub(super) outputs: usize,
    /// How often the matrix is applied to one board.
    pub(super) places: usize,
    pub(super) matrix: Range<usize>,
    pub(super) biases: Range<usize>,
    /// The channels and the side of the board that is read, where the layer is dense and reads one: in files its inputs
    /// lie channel by channel.
    pub(super) flattens: Option<(usize, usize)>,
}

/// What a layer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Dense,
    Convolution(Window),
}

/// How a kernel of 2x2 cells moves over a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// The side of the board that is read.
    pub(super) side: usize,
    /// The channels of that board.
    pub(super) channels: usize,
    pub(super) padding: usize,
}

impl Window {
    /// The side of the board that is written.
    pub(super) fn side_after(self) -> usize {
        self.side + 2 * self.padding - 1
    }

    /// Whether each of the four parts of the kernel comes to lie on every cell.
    pub(super) fn covers_every_cell(self) -> bool {
        self.padding == 1
    }

    /// The places to which a part of the kernel brings each cell; only for a kernel that covers every cell.
    pub(super) fn places_after(self, part: usize) -> Vec<usize> {
        let (down, right) = (self.padding - part / 2, self.padding - part % 2);
        let place = |cell| (cell / self.side + down) * self.side_after() + cell % self.side + right;
        (0..self.side * self.side).map(place).collect()
    }

    /// The cells that the kernel covers at a place, row by row; `None` outside the board.
    pub(super) fn cells(self, place: usize) -> [Option<usize>; 4] {
        let after = self.side_after();
        let (row, column) = (place / after, place % after);
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| {
            let row = (row + down).checked_sub(self.padding).filter(|&row| row < self.side)?;
            let column = (column + right).checked_sub(self.padding).filter(|&column| column < self.side)?;
            Some(row * self.side + column)
        })
    }
}

/// What a layer hands on.
#[derive(Clone, Copy)]
enum Shape {
    Board { side: usize, channels: usize },
    Flat { len: usize, encoded: Option<Encoding> },
}

impl Plan {
    pub(super) fn new(design: &Design) -> Result<Self, DesignError> {
        let layers = design.layers();
        if layers.is_empty() || layers.len() > Design::MAX_LAYERS {
            return Err(DesignError::LayerCount(layers.len()));
        }
        let mut shape = match design.encoding() {
            flat @ (Encoding::OneHot | Encoding::Features | Encoding::Slides) => {
                Shape::Flat { len: flat.inputs(), encoded: Some(flat) }
            }
            Encoding::Planes => Shape::Board { side: SIDE, channels: CONTENTS },
        };
        let mut plan = Self { stages: Vec::with_capacity(layers.len()), weights: 0 };
        for (index, layer) in layers.iter().enumerate() {
            shape = plan.push(index + 1, layer, shape)?;
            if plan.weights > Design::MAX_WEIGHTS {
                return Err(DesignError::TooLarge(plan.weights));
            }
        }
        Ok(plan)
    }

    /// Adds a layer that reads `before`; says what it hands on.
    fn push(&mut self, layer: usize, described: &Layer, before: Shape) -> Result<Shape, DesignError> {
        let (kind, activation, inputs, outputs, places, after, flattens) = match (*described, before) {
            (Layer::Dense { units, activation }, Shape::Flat { len, .. }) => {
                (Kind::Dense, activation, len, units, 1, Shape::Flat { len: units, encoded: None }, None)
            }
            (Layer::Dense { units, activation }, Shape::Board { side, channels }) => {
                let after = Shape::Flat { len: units, encoded: None };
                (Kind::Dense, activation, side * side * channels, units, 1, after, Some((channels, side)))
            }
            (Layer::Convolution { .. }, Shape::Flat { encoded, .. }) => {
                let before = encoded.map_or(NotABoard::Dense, NotABoard::Flat);
                return Err(DesignError::NoBoard { layer, before });
            }
            (Layer::Convolution { padding: padding @ 2.., .. }, _) => {
                return Err(DesignError::Padding { layer, padding });
            }
            (Layer::Convolution { padding: 0, .. }, Shape::Board { side: 1, .. }) => {
                return Err(DesignError::NoBoard { layer, before: NotABoard::OneCell });
            }
            (Layer::Convolution { channels: outputs, padding, activation }, Shape::Board { side, channels }) => {
                let window = Window { side, channels, padding };
                let side = window.side_after();
                let after = Shape::Board { side, channels: outputs };
                (Kind::Convolution(window), activation, 4 * channels, outputs, side * side, after, None)
            }
        };
        if !(1..=Design::MAX_SIZE).contains(&outputs) {
            return Err(DesignError::Size { layer, size: outputs });
        }
        let matrix = self.weights..self.weights + inputs * outputs;
        let biases = matrix.end..matrix.end + outputs;
        self.weights = biases.end;
        self.stages.push(Stage { kind, activation, inputs, outputs, places, matrix, biases, flattens });
        Ok(after)
    }

    /// The outputs of the last layer for one board.
    pub(super) fn outputs(&self) -> usize {
        self.stages.last().map_or(0, Stage::numbers)
    }
}

impl Stage {
    /// How many numbers the layer writes for one board.
    pub(super) fn numbers(&self) -> usize {
        self.places * self.outputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_kernel_writes_where_it_reads() {
        for side in [1, 2, 3, 4] {
            let window = Window { side, channels: 1, padding: 1 };
            for part in 0..4 {
                for (cell, place) in window.places_after(part).into_iter().enumerate() {
                    assert_eq!(window.cells(place)[part], Some(cell));
                }
            }
        }
    }
}
