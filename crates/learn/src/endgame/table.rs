//! A table in memory, and a set of tables that knows which boards it covers.

use std::path::Path;

use afterstate_game::{Position, Symmetric, Symmetry};
use afterstate_twenty48::{Board, Direction, Slid, State, Tile};

use super::build::probability;
use super::file::{Description, Reader, TableError};
use super::solver::{CERTAIN, Quantum, Solver};

/// A table that was read from its file.
#[derive(Debug)]
pub struct Table {
    description: Description,
    solver: Solver,
    /// Where the layer of each half sum begins.
    begins: Vec<usize>,
    /// The probabilities after slides, from the lowest layer up.
    values: Vec<Quantum>,
}

impl Table {
    /// Reads and checks a whole table.
    pub fn load(path: &Path) -> Result<Self, TableError> {
        let mut reader = Reader::open(path)?;
        let description = reader.description;
        let solver = description.solver()?;
        let ranking = &solver.ranking;
        let mut layers = Vec::new();
        for half_sum in (0..=ranking.highest()).rev() {
            let layer = reader.layer(ranking.layer_len(half_sum))?;
            layers.push(
                layer.ok_or_else(|| reader.damaged(format!("the layer of the sum {} is missing", 2 * half_sum)))?,
            );
        }
        if reader.layer(0).map_or(true, |more| more.is_some()) {
            return Err(reader.damaged("something follows the last layer"));
        }
        let (mut begins, mut values) = (Vec::new(), Vec::new());
        while let Some(layer) = layers.pop() {
            begins.push(values.len());
            values.extend_from_slice(&layer);
        }
        Ok(Self { description, solver, begins, values })
    }

    /// What a table is about, without reading all of it.
    pub fn describe(path: &Path) -> Result<Description, TableError> {
        Reader::open(path).map(|reader| reader.description)
    }

    /// What the table is about.
    #[must_use]
    pub fn description(&self) -> Description {
        self.description
    }

    /// The number of fillings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether the table has no filling; no table is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(crate) fn solver(&self) -> &Solver {
        &self.solver
    }

    /// All values, so that tests can compare tables.
    #[cfg(test)]
    pub(crate) fn values(&self) -> &[Quantum] {
        &self.values
    }

    /// Changes every value, so that tests can see a wrong table.
    #[cfg(test)]
    pub(crate) fn distort(&mut self, change: impl Fn(Quantum) -> Quantum) {
        self.values.iter_mut().for_each(|value| *value = change(*value));
    }

    /// The stored value of a filling of the layer.
    #[inline]
    pub(crate) fn slid(&self, half_sum: usize, rank: usize) -> Quantum {
        self.begins.get(half_sum).map_or(0, |begin| self.values[begin + rank])
    }

    /// The value after a slide whose locked cells are in place: certain if the tile is built.
    #[inline]
    pub(crate) fn after(&self, board: u64, half_sum: usize) -> Quantum {
        self.solver.ranking.rank(board, half_sum).map_or(CERTAIN, |rank| self.slid(half_sum, rank))
    }
}

/// What a table says of the slides of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The tile that is being built.
    pub target: Tile,
    /// Every slide that leaves the locked tiles in place, with its probability of success, best first.
    pub slides: Vec<(Direction, f64)>,
}

/// Tables that are asked together. The one with the largest target that fits a board answers.
#[derive(Debug, Default)]
pub struct Tables {
    tables: Vec<Table>,
    /// For each target, largest first: which table fits the cells from the target on, and through which symmetry.
    fits: Vec<Fits>,
}

#[derive(Debug)]
struct Fits {
    target: Tile,
    /// By the mask of the large cells: 0, or 1 plus eight times the table plus the symmetry that brings its cells in place.
    by_mask: Vec<u16>,
}

impl Tables {
    /// A set of tables. Of two tables of one pattern the later one is used.
    #[must_use]
    pub fn new(tables: Vec<Table>) -> Self {
        let mut fits: Vec<Fits> = Vec::new();
        for (index, table) in tables.iter().enumerate() {
            let target = table.description.pattern.target();
            let place = fits.iter().position(|fits| fits.target == target).unwrap_or_else(|| {
                fits.push(Fits { target, by_mask: vec![0; 1 << 16] });
                fits.len() - 1
            });
            let locked = table.description.pattern.locked_board();
            for symmetry in State::symmetries() {
                let mask = locked.transformed(State::inverse(symmetry)).cells_from(target);
                fits[place].by_mask[usize::from(mask)] = 1 + 8 * index as u16 + u16::from(symmetry.0);
            }
        }
        fits.sort_by_key(|fits| std::cmp::Reverse(fits.target));
        Self { tables, fits }
    }

    /// Whether there is nothing to ask.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The tables.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The table whose locked cells hold the large tiles of this board, and the board as the table sees it.
    #[inline]
    fn find(&self, board: Board) -> Option<(&Table, Symmetry, Board)> {
        self.fits.iter().find_map(|fits| {
            let code = fits.by_mask[usize::from(board.cells_from(fits.target))].checked_sub(1)?;
            let (table, symmetry) = (&self.tables[usize::from(code / 8)], Symmetry((code % 8) as u8));
            let seen = board.transformed(symmetry);
            let locked = table.description.pattern.locked_mask();
            (!has_equal_neighbours(seen, locked)).then_some((table, symmetry, seen))
        })
    }

    /// The probability of building the next large tile from an afterstate; `None` where no table fits.
    #[inline]
    #[must_use]
    pub fn after_slide(&self, Slid(board): Slid) -> Option<f32> {
        let (table, _, seen) = self.find(board)?;
        let half_sum = table.solver.ranking.half_sum(seen.nibbles());
        (half_sum <= table.solver.ranking.highest())
            .then(|| f32::from(table.after(seen.nibbles(), half_sum)) / f32::from(CERTAIN))
    }

    /// What the fitting table says of the slides of a position; `None` where no table fits or nothing leads to success.
    #[must_use]
    pub fn advice(&self, State(board): State) -> Option<Advice> {
        let (table, symmetry, seen) = self.find(board)?;
        let pattern = table.description.pattern;
        let half_sum = table.solver.ranking.half_sum(seen.nibbles());
        if half_sum > table.solver.ranking.highest() {
            return None;
        }
        let mut slides = Vec::new();
        State(seen).for_each_play(|direction, played| {
            let Slid(after) = played.afterstate;
            if is_kept(seen, after, pattern.locked_mask()) {
                let value = probability(table.after(after.nibbles(), half_sum));
                slides.push((State::transformed_move(direction, State::inverse(symmetry)), value));
            }
        });
        slides.sort_by(|a, b| b.1.total_cmp(&a.1));
        slides.first().is_some_and(|&(_, best)| best > 0.0).then_some(Advice { target: pattern.target(), slides })
    }
}

/// Whether two neighbouring locked tiles are equal, and would merge.
fn has_equal_neighbours(board: Board, locked: u16) -> bool {
    let exponents = board.exponents();
    let pair = |a: usize, b: usize| locked >> a & locked >> b & 1 == 1 && exponents[a] == exponents[b];
    (0..16).any(|cell| cell % 4 < 3 && pair(cell, cell + 1) || cell < 12 && pair(cell, cell + 4))
}

/// Whether the locked cells hold the same tiles before and after.
pub(super) fn is_kept(before: Board, after: Board, locked: u16) -> bool {
    let (before, after) = (before.exponents(), after.exponents());
    (0..16).all(|cell| locked >> cell & 1 == 0 || before[cell] == after[cell])
}
