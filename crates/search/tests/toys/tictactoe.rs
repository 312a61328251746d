//! Noughts and crosses: three in a row wins. Small enough to be searched to the end.

use std::fmt;

use afterstate_game::{Afterstate as _, Evaluation, Outcome, Played, Position, Settled, Side, Tactics};

/// A board of nine cells, numbered row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The cells of each side, one bit a cell.
    pub(crate) marks: [u16; 2],
}

/// The number of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cell(pub(crate) u8);

/// Three in a row.
pub(crate) const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

fn has_line(marks: u16) -> bool {
    LINES.iter().any(|&line| line & !marks == 0)
}

impl Board {
    /// Nobody has moved.
    pub(crate) const EMPTY: Self = Self { marks: [0; 2] };

    /// The marks of the side to move.
    pub(crate) fn own(&self) -> u16 {
        self.marks[self.side_to_move() as usize]
    }

    /// The marks of its opponent.
    pub(crate) fn other(&self) -> u16 {
        self.marks[!self.side_to_move() as usize]
    }

    fn completes(&self, mv: Cell) -> bool {
        has_line(self.own() | 1 << mv.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Position for Board {
    type Move = Cell;
    type Afterstate = Settled<Self>;
    const SIDES: u8 = 2;

    fn side_to_move(&self) -> Side {
        let [first, second] = self.marks.map(u16::count_ones);
        if first == second { Side::First } else { Side::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        if has_line(self.other()) {
            return Some(Outcome::Won(!self.side_to_move()));
        }
        (self.marks[0] | self.marks[1] == FULL).then_some(Outcome::Drawn)
    }

    fn for_each_move(&self, visit: impl FnMut(Cell)) {
        if self.outcome().is_none() {
            let taken = self.marks[0] | self.marks[1];
            (0..9).filter(|cell| taken >> cell & 1 == 0).map(Cell).for_each(visit);
        }
    }

    fn play_unchecked(&self, mv: Cell) -> Played<Self> {
        let mut next = self.clone();
        next.marks[self.side_to_move() as usize] |= 1 << mv.0;
        Played { afterstate: Settled(next), reward: 0 }
    }

    fn key(&self) -> u64 {
        (u64::from(self.marks[0]) << 9 | u64::from(self.marks[1])).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn is_irreversible(&self, _mv: Cell) -> bool {
        true
    }

    fn leader(&self) -> Option<Side> {
        None
    }
}

impl Tactics for Board {
    const CLASSES: u8 = 3;
    const MOVE_CODES: usize = 9;

    fn move_class(&self, mv: Cell) -> u8 {
        match mv {
            mv if self.completes(mv) => 0,
            Cell(4) => 1,
            _ => 2,
        }
    }

    fn move_code(mv: Cell) -> usize {
        usize::from(mv.0)
    }

    fn move_from_code(&self, code: usize) -> Option<Cell> {
        let mv = Cell(u8::try_from(code).ok()?);
        self.is_legal(mv).then_some(mv)
    }

    fn for_each_loud_move(&self, mut visit: impl FnMut(Cell)) {
        self.for_each_move(|mv| {
            if self.completes(mv) {
                visit(mv);
            }
        });
    }

    fn pass(&self) -> Option<Self> {
        None
    }
}

const CENTRE: u16 = 1 << 4;

/// Lines that are still open for a side and not for the other, and a bonus for the centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenLines;

impl Evaluation<Board> for OpenLines {
    fn position(&self, board: &Board) -> f32 {
        let open = |marks: u16| LINES.iter().filter(|&&line| marks & line == 0).count() as f32;
        let centre = |marks: u16| if marks & CENTRE != 0 { 0.4 } else { 0.0 };
        let (own, other) = (board.own(), board.other());
        open(other) - open(own) + centre(own) - centre(other)
    }

    fn afterstate(&self, afterstate: &Settled<Board>) -> f32 {
        -self.position(&afterstate.0)
    }
}

/// Every position that can be reached, once.
pub(crate) fn reachable() -> Vec<Board> {
    let mut boards = vec![Board::EMPTY];
    let mut next = 0;
    while next < boards.len() {
        let board = boards[next].clone();
        board.for_each_move(|mv| {
            board.play_unchecked(mv).afterstate.for_each_answer(|child, _| {
                if !boards.contains(&child) {
                    boards.push(child);
                }
            });
        });
        next += 1;
    }
    boards
}
