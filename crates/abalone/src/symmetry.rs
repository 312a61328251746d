//! The twelve symmetries of the hexagon.

use afterstate_game::{PerSide, Symmetric, Symmetry};

use crate::moves::{Kind, SHAPES};
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
        let cell = images[mv.cell().index()];
        if !shape.broadside {
            return Move::new(shape.kind, direction, cell);
        }
        // The image of the line may run the other way or lie on the other side: the other end is then the move's cell.
        let line = image_of(shape.line, symmetry.0);
        let last = images[mv.ends().1.index()];
        let candidates = [(cell, line), (last, line.opposite())];
        broadside(shape.count, direction, candidates).unwrap_or(mv)
    }
}

/// The broadside move that starts at one of these ends with its line running in the given direction.
fn broadside(count: u8, direction: Direction, ends: [(Cell, Direction); 2]) -> Option<Move> {
    ends.into_iter().find_map(|(cell, line)| {
        let matches = |kind: &&Kind| {
            let shape = SHAPES[Move::new(**kind, direction, cell).code() >> 6];
            shape.broadside && shape.count == count && shape.line == line
        };
        Kind::ALL.iter().find(matches).map(|&kind| Move::new(kind, direction, cell))
    })
}
