//! The twelve symmetries of the hexagon.

use afterstate_game::{PerSide, Symmetric, Symmetry};

use crate::{Cell, Cells, Direction, Move, Position, Setup};

/// Where every cell goes under every symmetry (732 bytes). Symmetry `s` is a reflection if `s >= 6`, and then a turn
/// by `s % 6` sixths to the left.
const IMAGES: [[Cell; Cell::COUNT]; 12] = {
    let mut images = [[Cell::CENTRE; Cell::COUNT]; 12];
    let mut s = 0;
    while s < 12 {
        let mut i = 0;
        while i < Cell::COUNT {
            if let Some(cell) = Cell::from_index(i) {
                images[s][i] = image(cell, s as u8);
            }
            i += 1;
        }
        s += 1;
    }
    images
};

/// Follows the image of a path from the centre: first east as far as needed, then north-east or north-west.
const fn image(cell: Cell, symmetry: u8) -> Cell {
    let east = cell.column() as i8 - Cell::CENTRE.column() as i8;
    let north = cell.row() as i8 - Cell::CENTRE.row() as i8;
    let mut row = Cell::CENTRE.row() as i8;
    let mut column = Cell::CENTRE.column() as i8;
    let (rows, columns) = image_of(Direction::East, symmetry).step();
    row += east * rows;
    column += east * columns;
    let (rows, columns) = image_of(Direction::NorthWest, symmetry).step();
    row += north * rows;
    column += north * columns;
    match Cell::new(row as u8, column as u8) {
        Some(cell) => cell,
        None => panic!("a symmetry of the board leaves no cell out"),
    }
}

/// Where a direction goes: a reflection keeps east and swaps north and south.
const fn image_of(direction: Direction, symmetry: u8) -> Direction {
    let d = direction as u8;
    let mirrored = if symmetry < 6 { d } else { (6 - d) % 6 };
    Direction::ALL[((mirrored + symmetry % 6) % 6) as usize]
}

fn image_of_set(cells: Cells, symmetry: Symmetry) -> Cells {
    let images = &IMAGES[usize::from(symmetry.0) % IMAGES.len()];
    cells.map(|cell| images[cell.index()]).collect()
}

impl Symmetric for Position {
    const SYMMETRIES: u8 = 12;

    /// A reflection undoes itself; a turn is undone by the rest of the full turn.
    fn inverse(symmetry: Symmetry) -> Symmetry {
        if symmetry.0 < 6 { Symmetry((6 - symmetry.0) % 6) } else { symmetry }
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let setup = Setup::from(self);
        let marbles = PerSide(setup.marbles.0.map(|cells| image_of_set(cells, symmetry)));
        Self::from_setup(&Setup { marbles, ..setup })
    }

    fn transformed_move(mv: Move, symmetry: Symmetry) -> Move {
        let images = &IMAGES[usize::from(symmetry.0) % IMAGES.len()];
        let shape = mv.shape();
        let direction = image_of(shape.direction, symmetry.0);
        let line = image_of(shape.line, symmetry.0);
        let (first, last) = (images[mv.cell().index()], images[mv.ends().1.index()]);
        // The image of a line of marbles may run the other way: then it begins at its other end.
        let image = |line, cell| shape.with(direction, line).map(|shape| Move::new(shape, cell));
        image(line, first).or_else(|| image(line.opposite(), last)).unwrap_or(mv)
    }
}
