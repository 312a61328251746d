//! A table in memory, and a set of tables that knows which boards it covers.

use std::path::Path;

use afterstate_game::{Position, Symmetric, Symmetry};
use afterstate_twenty48::{Board, Cell, Direction, Slid, State, Tile};

use super::build::probability;
use super::file::{Description, Reader, TableError};
use super::pattern::Sight;
use super::solver::{After, CERTAIN, Quantum, Solver};

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
        let mut layers = Vec::new();
        for half_sum in (0..=solver.ranking.highest()).rev() {
            let layer = reader.layer(solver.layer_len(half_sum))?;
            layers.push(
                layer.ok_or_else(|| reader.damaged(format!("the layer of the sum {} is missing", 2 * half_sum)))?,
            );
        }
        if reader.layer(0).map_or(true, |more| more.is_some()) {
            return Err(reader.damaged("something follows the last layer").into());
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
        Ok(Reader::open(path)?.description)
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

    /// The stored value of a place of the layer.
    #[inline]
    pub(crate) fn slid(&self, half_sum: usize, place: usize) -> Quantum {
        self.begins.get(half_sum).map_or(0, |begin| self.values[begin + place])
    }

    /// The value of a filling, given as the pattern sees it.
    #[inline]
    pub(crate) fn filled(&self, end: usize, cells: u64, half_sum: usize) -> Quantum {
        self.slid(half_sum, self.solver.place(end, cells, half_sum))
    }

    /// The value after a slide to this board from one on which the chain was in place.
    pub(crate) fn value(&self, board: Board, half_sum: usize) -> Quantum {
        self.solver.value(board, half_sum, &|half_sum, place| self.slid(half_sum, place))
    }

    /// The same from a board on which it was away.
    pub(crate) fn back(&self, board: Board, half_sum: usize) -> Quantum {
        self.solver.back(board, half_sum, &|half_sum, place| self.slid(half_sum, place))
    }

    /// Half the sum of what does not belong to the chain, where the chain of this board is away.
    fn half_sum_away(&self, board: Board) -> Option<usize> {
        let target = self.description.pattern.target();
        if self.solver.after(board) != After::Away || !is_chain(board, target) {
            return None;
        }
        let small = Cell::all().filter_map(|cell| board.get(cell)).filter(|&tile| tile <= target);
        // One of them is the end of the chain.
        let rest = small.map(Tile::value).sum::<u32>().checked_sub(target.value())?;
        Some(rest as usize / 2)
    }
}

/// A board as a table sees it.
struct Seen<'a> {
    table: &'a Table,
    symmetry: Symmetry,
    end: usize,
    /// The board through the symmetry.
    cells: u64,
    /// Half the sum of the free cells.
    half_sum: usize,
}

/// What a table says of the slides of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The tile that is being built, to be merged with the end of the chain.
    pub target: Tile,
    /// Every slide that may lead to success, with its probability, best first.
    pub slides: Vec<(Direction, f64)>,
}

/// Tables that are asked together. The one with the largest target that fits a board answers.
#[derive(Debug, Default)]
pub struct Tables {
    /// Those with the largest target first.
    tables: Vec<Table>,
}

impl Tables {
    /// A set of tables.
    #[must_use]
    pub fn new(mut tables: Vec<Table>) -> Self {
        tables.sort_by_key(|table| std::cmp::Reverse(table.description.pattern.target()));
        Self { tables }
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

    /// The table on whose locked cells the chain of this board lies.
    #[inline]
    fn find(&self, board: Board) -> Option<Seen<'_>> {
        self.tables.iter().find_map(|table| {
            let Sight { symmetry, end, .. } = table.solver.sight(board)?;
            let cells = board.transformed(symmetry).nibbles();
            let half_sum = table.solver.ranking.half_sum(cells);
            let is_known =
                half_sum <= table.solver.ranking.highest() && is_chain(board, table.description.pattern.target());
            is_known.then_some(Seen { table, symmetry, end, cells, half_sum })
        })
    }

    /// The probability of going on with the chain from an afterstate; `None` where no table fits.
    #[inline]
    #[must_use]
    pub fn after_slide(&self, Slid(board): Slid) -> Option<f32> {
        let Seen { table, end, cells, half_sum, .. } = self.find(board)?;
        Some(f32::from(table.filled(end, cells, half_sum)) / f32::from(CERTAIN))
    }

    /// What the fitting table says of the slides of a position; `None` where no table fits or nothing leads to success. Where a
    /// chain is away from its cells, a table fits that knows a slide to bring it back.
    #[must_use]
    pub fn advice(&self, state: State) -> Option<Advice> {
        match self.find(state.0) {
            Some(seen) => seen.advice(),
            None => self.tables.iter().find_map(|table| table.advice_away(state)),
        }
    }
}

impl Seen<'_> {
    fn advice(&self) -> Option<Advice> {
        let Self { table, symmetry, end, cells, half_sum } = *self;
        let mut slides = Vec::new();
        State(table.solver.board(end, cells)).for_each_play(|direction, played| {
            let there = State::transformed_move(direction, State::inverse(symmetry));
            slides.push((there, table.value(played.afterstate.0, half_sum)));
        });
        table.advise(slides)
    }
}

impl Table {
    fn advice_away(&self, state: State) -> Option<Advice> {
        let half_sum = self.half_sum_away(state.0)?;
        let mut slides = Vec::new();
        state.for_each_play(|direction, played| slides.push((direction, self.back(played.afterstate.0, half_sum))));
        self.advise(slides)
    }

    /// The slides that may lead to success, best first; `None` without one.
    fn advise(&self, mut slides: Vec<(Direction, Quantum)>) -> Option<Advice> {
        slides.retain(|&(_, value)| value > 0);
        slides.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        let slides: Vec<_> = slides.into_iter().map(|(slide, value)| (slide, probability(value))).collect();
        (!slides.is_empty()).then(|| Advice { target: self.description.pattern.target(), slides })
    }
}

/// Whether the tiles above the target are all different. Equal ones might come to merge, which no table knows of.
fn is_chain(board: Board, target: Tile) -> bool {
    let exponents = board.exponents().into_iter().filter(|&exponent| exponent > target.exponent());
    let (mut seen, mut count) = (0u32, 0);
    for exponent in exponents {
        seen |= 1 << exponent;
        count += 1;
    }
    seen.count_ones() == count
}
