//! Tic-tac-toe: two players, no chance, small enough to be solved.

use std::fmt;

use afterstate_game::{Outcome, Played, Position, Settled, Side};

/// The marks of both sides as sets of the nine cells, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TicTacToe {
    marks: [u16; 2],
    turn: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cell(pub(crate) u8);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

const LINES: [u16; 8] =
    [0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100];

impl TicTacToe {
    pub(crate) fn start() -> Self {
        Self { marks: [0, 0], turn: Side::First }
    }

    /// The position after these cells were marked in turn.
    pub(crate) fn after(cells: &[u8]) -> Self {
        cells.iter().fold(Self::start(), |position, &cell| position.play_unchecked(Cell(cell)).afterstate.0)
    }

    /// The result of perfect play for the side to move: 1, 0 or -1.
    pub(crate) fn solved(&self) -> i32 {
        if let Some(outcome) = self.outcome() {
            return outcome.sign_for(self.turn);
        }
        self.moves().into_iter().map(|mv| -self.play_unchecked(mv).afterstate.0.solved()).max().unwrap_or(0)
    }

    fn has_line(&self, side: Side) -> bool {
        LINES.iter().any(|line| self.marks[side as usize] & line == *line)
    }
}

impl Position for TicTacToe {
    type Move = Cell;
    type Afterstate = Settled<Self>;
    const SIDES: u8 = 2;

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.has_line(!self.turn) {
            return Some(Outcome::Won(!self.turn));
        }
        (self.marks[0] | self.marks[1] == 0b111_111_111).then_some(Outcome::Drawn)
    }

    fn for_each_move(&self, visit: impl FnMut(Cell)) {
        if self.outcome().is_none() {
            let taken = self.marks[0] | self.marks[1];
            (0..9).filter(|cell| taken & (1 << cell) == 0).map(Cell).for_each(visit);
        }
    }

    fn play_unchecked(&self, mv: Cell) -> Played<Self> {
        let mut marks = self.marks;
        marks[self.turn as usize] |= 1 << mv.0;
        Played { afterstate: Settled(Self { marks, turn: !self.turn }), reward: 0 }
    }

    fn key(&self) -> u64 {
        u64::from(self.marks[0]) << 16 | u64::from(self.marks[1])
    }

    fn is_irreversible(&self, _mv: Cell) -> bool {
        true
    }

    fn leader(&self) -> Option<Side> {
        None
    }
}
