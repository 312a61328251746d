//! What can be counted on a board, for one side.

use crate::direction::each_direction;
use crate::generate::Board;
use crate::{Cell, Cells, Direction, Position, machine};

/// The counts that evaluations weigh, for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Marbles on the board.
    pub marbles: i32,
    /// The sum over all marbles of 4 minus the distance to the centre.
    pub centre: i32,
    /// The sum over all marbles of the neighbours of the same colour, 0 to 6 each.
    pub compactness: i32,
    /// What the side threatens.
    pub attacks: Attacks,
    /// The sum over all marbles of the lines, 0 to 3 each, in which the marble stands between two of the opponent's.
    pub broken: i32,
}

/// The Sumito positions of one side: places where a line of its marbles meets weaker ones that can be pushed. One that
/// two and three marbles can push is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attacks {
    /// One marble can be pushed, and stays on the board.
    pub one: i32,
    /// Two marbles can be pushed, and stay on the board.
    pub two: i32,
    /// A marble can be pushed off the board.
    pub ejections: i32,
}

impl Attacks {
    /// How many there are, of whatever kind.
    #[inline]
    #[must_use]
    pub fn count(self) -> i32 {
        self.one + self.two + self.ejections
    }
}

/// Whether attacks are looked for: they are the dearest measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threats {
    /// They are.
    Counted,
    /// They are not; all counts are 0.
    Ignored,
}

/// What counts as the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Centre {
    /// The cell in the middle of the board.
    #[default]
    Board,
    /// The cell nearest to the centre of mass of all marbles of both colours (Aichholzer, Aurenhammer and Werner 2002,
    /// whom the thesis names for further work).
    Mass,
}

/// The sum over the three lines through every cell, the line given as one of its directions. Written out for the same
/// reason as `each_direction`.
macro_rules! along_lines {
    (|$line:ident| $count:expr) => {{
        let east = {
            let $line = Direction::East;
            $count
        };
        let north_east = {
            let $line = Direction::NorthEast;
            $count
        };
        let north_west = {
            let $line = Direction::NorthWest;
            $count
        };
        east + north_east + north_west
    }};
}

impl Measures {
    /// The measures of the side to move and of its opponent.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, centre: Centre, threats: Threats) -> (Self, Self) {
        let board = position.board();
        machine::with_bit_counting(
            #[inline(always)]
            || {
                let cell = match centre {
                    Centre::Board => Cell::CENTRE,
                    Centre::Mass => centre_of_mass(board.own | board.other),
                };
                let opposite = Board { own: board.other, other: board.own };
                (Self::of_mover(board, cell, threats), Self::of_mover(opposite, cell, threats))
            },
        )
    }

    #[inline(always)]
    fn of_mover(board: Board, centre: Cell, threats: Threats) -> Self {
        let own = board.own;
        let marbles = len(own);
        Self {
            marbles,
            centre: 4 * marbles - distances(own, centre),
            compactness: 2 * along_lines!(|line| len(own & own.step(line))),
            attacks: if threats == Threats::Counted { attacks(board) } else { Attacks::default() },
            broken: along_lines!(|line| len(own & board.other.step(line) & board.other.facing(line))),
        }
    }
}

#[inline(always)]
pub(super) fn len(cells: Cells) -> i32 {
    cells.len() as i32
}

#[inline(always)]
fn attacks(board: Board) -> Attacks {
    let mut attacks = Attacks::default();
    each_direction!(|d| {
        let threats = board.threats(d);
        attacks.one += len(threats.one);
        attacks.two += len(threats.two);
        attacks.ejections += len(threats.ejections);
    });
    attacks
}

/// The digits of a number per cell, as sets: bit `i` of the number is whether the cell is in set `i`. A sum over many
/// cells then takes four counts.
type Digits = [Cells; 4];

#[inline(always)]
fn sum(cells: Cells, digits: &Digits) -> i32 {
    len(cells & digits[0]) + 2 * len(cells & digits[1]) + 4 * len(cells & digits[2]) + 8 * len(cells & digits[3])
}

/// The distance of every cell from every cell (2 KiB).
static DISTANCES: [Digits; Cell::COUNT] = {
    let mut all = [[Cells::EMPTY; 4]; Cell::COUNT];
    let mut i = 0;
    while i < Cell::COUNT {
        all[i] = digits(Number::DistanceFrom(Cell::from_low_bits(i)));
        i += 1;
    }
    all
};

static ROWS: Digits = digits(Number::Row);
static COLUMNS: Digits = digits(Number::Column);

/// A number that every cell has.
#[derive(Clone, Copy)]
enum Number {
    DistanceFrom(Cell),
    Row,
    Column,
}

const fn digits(number: Number) -> Digits {
    let mut bits = [0u64; 4];
    let mut i = 0;
    while i < Cell::COUNT {
        let cell = Cell::from_low_bits(i);
        let value = match number {
            Number::DistanceFrom(other) => cell.distance(other),
            Number::Row => cell.row(),
            Number::Column => cell.column(),
        };
        let mut digit = 0;
        while digit < 4 {
            bits[digit] |= ((value >> digit & 1) as u64) << i;
            digit += 1;
        }
        i += 1;
    }
    [Cells::from_bits(bits[0]), Cells::from_bits(bits[1]), Cells::from_bits(bits[2]), Cells::from_bits(bits[3])]
}

#[inline(always)]
pub(super) fn distances(cells: Cells, centre: Cell) -> i32 {
    sum(cells, &DISTANCES[centre.index()])
}

/// The cell whose row and column are the mean ones of the cells, rounded; the middle of the board if that is none.
/// Up to a cell off [`centre_of_mass`], but it needs no fractions.
#[inline(always)]
pub(super) fn mean_cell(cells: Cells) -> Cell {
    let count = len(cells).max(1);
    let mean = |sum: i32| ((2 * sum + count) / (2 * count)) as u8;
    Cell::new(mean(sum(cells, &ROWS)), mean(sum(cells, &COLUMNS))).unwrap_or(Cell::CENTRE)
}

/// The cell nearest to the mean place of the cells; the middle of the board if there are none.
#[inline(always)]
fn centre_of_mass(cells: Cells) -> Cell {
    let count = len(cells).max(1) as f32;
    let row = sum(cells, &ROWS) as f32 / count;
    let column = sum(cells, &COLUMNS) as f32 / count;
    nearest(row, column).unwrap_or(Cell::CENTRE)
}

/// The cell nearest to a point between the cells. Rows, columns and diagonals are rounded on their own; the one with
/// the largest error is then given up, because it follows from the other two.
#[inline(always)]
fn nearest(row: f32, column: f32) -> Option<Cell> {
    let diagonal = column - row;
    let (mut near_row, mut near_column) = (row.round(), column.round());
    let near_diagonal = diagonal.round();
    let error = |exact: f32, near: f32| (exact - near).abs();
    let (row_error, column_error) = (error(row, near_row), error(column, near_column));
    if row_error > column_error && row_error > error(diagonal, near_diagonal) {
        near_row = near_column - near_diagonal;
    } else if column_error > error(diagonal, near_diagonal) {
        near_column = near_row + near_diagonal;
    }
    Cell::new(near_row as u8, near_column as u8)
}
