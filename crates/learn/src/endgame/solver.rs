//! The solver: layer by layer from the highest sum down, each layer from the two above it.
//!
//! A spawn raises the sum by 2 or 4 and a slide keeps it, so the probabilities of one layer depend on those of the next two
//! alone: no more than these are held in memory. All arithmetic is on whole numbers, so a table is the same whatever the
//! number of threads, and whether or not the work was interrupted.

use std::sync::Mutex;
use std::thread;

use afterstate_game::{Position, Symmetry};
use afterstate_twenty48::{Board, Cell, State, Tile};

use super::pattern::Pattern;
use super::ranking::{Filling, Ranking};

/// A probability in parts of 65535.
pub(crate) type Quantum = u16;

/// Certainty.
pub(crate) const CERTAIN: Quantum = Quantum::MAX;

/// Fillings that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The probabilities of one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layer {
    /// After a slide, before the spawn; 0 where there is no room for one.
    pub(crate) slid: Vec<Quantum>,
    /// Before the slide, with the best one.
    pub(crate) states: Vec<Quantum>,
}

/// What is needed to solve a pattern.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    pub(crate) ranking: Ranking,
    /// The board without the free cells.
    pub(crate) locked: u64,
    target: Tile,
    images: Vec<Option<Symmetry>>,
}

/// What a slide did to the large tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The tile was built, and the locked ones still lie as the pattern says.
    Built,
    /// Nothing was built yet; the free cells as the pattern sees them.
    Filled(u64),
    /// The locked tiles lie otherwise.
    Broken,
}

impl Solver {
    pub(crate) fn new(pattern: &Pattern, highest_sum: u32) -> Option<Self> {
        let ranking = Ranking::new(pattern, highest_sum)?;
        let locked = pattern.locked_board().nibbles();
        Some(Self { ranking, locked, target: pattern.target(), images: pattern.images() })
    }

    /// The symmetry through which the large tiles of a board lie on the locked cells.
    #[inline]
    pub(crate) fn symmetry(&self, board: Board) -> Option<Symmetry> {
        self.images[usize::from(board.cells_from(self.target))]
    }

    /// What a slide to this board did to the large tiles. They may lie on any symmetric image of the locked cells: a row of
    /// three large tiles can slide to the other end of its row and back.
    #[inline]
    pub(crate) fn after(&self, board: Board) -> After {
        match self.symmetry(board) {
            Some(Symmetry(0)) => After::Filled(board.nibbles()),
            Some(symmetry) => After::Filled(board.transformed(symmetry).nibbles()),
            None if self.is_built(board) => After::Built,
            None => After::Broken,
        }
    }

    /// Whether the large tiles are the locked ones and the tile to build.
    fn is_built(&self, board: Board) -> bool {
        let large = board.cells_from(self.target);
        let is_rest_locked = |cell: Cell| self.images[usize::from(large & !(1 << cell.index()))].is_some();
        Cell::all().any(|cell| board.get(cell) == Some(self.target) && is_rest_locked(cell))
    }

    /// The layer of this half sum, given the states of the two above it (missing ones count as failures).
    pub(crate) fn layer(&self, half_sum: usize, above: [&[Quantum]; 2], threads: usize) -> Layer {
        let mut slid = vec![0; self.ranking.layer_len(half_sum)];
        for_each_chunk(&mut slid, threads, |begin, values| self.fill_slid(half_sum, begin, values, above));
        self.with_states(half_sum, slid, threads)
    }

    /// The layer whose probabilities after slides are these.
    pub(crate) fn with_states(&self, half_sum: usize, slid: Vec<Quantum>, threads: usize) -> Layer {
        let mut states = vec![0; slid.len()];
        for_each_chunk(&mut states, threads, |begin, values| self.fill_states(half_sum, begin, values, &slid));
        Layer { slid, states }
    }

    /// The bytes that solving takes at most: four layers of quanta, and the bytes of one that is being written.
    pub(crate) fn memory(&self) -> u64 {
        let largest = (0..=self.ranking.highest()).map(|half_sum| self.ranking.layer_len(half_sum)).max().unwrap_or(0);
        largest as u64 * 12 + self.ranking.memory()
    }

    /// The means over all spawns.
    fn fill_slid(&self, half_sum: usize, begin: usize, values: &mut [Quantum], above: [&[Quantum]; 2]) {
        let mut filling = Filling::at(&self.ranking, half_sum, begin);
        let mut ranks = SpawnRanks::default();
        ranks.update(&self.ranking, &filling, 0);
        for value in values {
            *value = ranks.mean(&self.ranking, &filling, above);
            let Some(changed) = filling.advance() else { return };
            ranks.update(&self.ranking, &filling, changed);
        }
    }

    /// The best over all slides.
    fn fill_states(&self, half_sum: usize, begin: usize, values: &mut [Quantum], slid: &[Quantum]) {
        let mut filling = Filling::at(&self.ranking, half_sum, begin);
        for value in values {
            *value = self.best_slide(filling.board, |rank| slid[rank], half_sum);
            if filling.advance().is_none() {
                return;
            }
        }
    }

    /// The best probability over the slides that leave the locked tiles locked; 0 without one.
    #[inline]
    pub(crate) fn best_slide(&self, free: u64, slid: impl Fn(usize) -> Quantum, half_sum: usize) -> Quantum {
        let mut best = 0;
        State(Board::from_nibbles(free | self.locked)).for_each_play(|_, played| {
            best = best.max(match self.after(played.afterstate.0) {
                After::Built => CERTAIN,
                After::Filled(cells) => slid(self.ranking.rank(cells, half_sum)),
                After::Broken => 0,
            });
        });
        best
    }
}

/// The ranks that a filling gets by a spawn on each of its empty cells, worked out together: what stands before the cell is
/// ranked with a larger sum, what stands after it as in the filling itself.
#[derive(Default)]
struct SpawnRanks {
    /// For each cell its share of the filling's own rank.
    own: [u32; 16],
    /// For each cell the shares of those before it, if the sum is larger by 2.
    before_two: [u32; 17],
    /// The same for a sum that is larger by 4.
    before_four: [u32; 17],
}

impl SpawnRanks {
    /// Takes in a filling that differs from the last one from the cell `changed` on.
    #[inline]
    fn update(&mut self, ranking: &Ranking, filling: &Filling<'_>, changed: usize) {
        for cell in changed..ranking.cells() {
            let (left, exponent) = (filling.left[cell], usize::from(filling.exponents[cell]));
            self.own[cell] = ranking.before(cell, left, exponent);
            self.before_two[cell + 1] = self.before_two[cell] + ranking.before(cell, left + 1, exponent);
            self.before_four[cell + 1] = self.before_four[cell] + ranking.before(cell, left + 2, exponent);
        }
    }

    /// The mean over all spawns, rounded to the nearest quantum; 0 without an empty cell.
    #[inline]
    fn mean(&self, ranking: &Ranking, filling: &Filling<'_>, [two_above, four_above]: [&[Quantum]; 2]) -> Quantum {
        let value = |states: &[Quantum], rank: u32| u32::from(states.get(rank as usize).copied().unwrap_or(0));
        let (mut tenths, mut empty, mut after) = (0, 0, 0);
        for cell in (0..ranking.cells()).rev() {
            if filling.exponents[cell] == 0 {
                let left = filling.left[cell];
                let two = self.before_two[cell] + ranking.before(cell, left + 1, 1) + after;
                let four = self.before_four[cell] + ranking.before(cell, left + 2, 2) + after;
                tenths += 9 * value(two_above, two) + value(four_above, four);
                empty += 10;
            }
            after += self.own[cell];
        }
        (tenths + empty / 2).checked_div(empty).unwrap_or(0) as Quantum
    }
}

/// Lets all threads work on parts of `values`; `work` gets the place of the first value of its part.
fn for_each_chunk(values: &mut [Quantum], threads: usize, work: impl Fn(usize, &mut [Quantum]) + Sync) {
    if values.len() <= CHUNK || threads <= 1 {
        if !values.is_empty() {
            work(0, values);
        }
        return;
    }
    let chunks = Mutex::new(values.chunks_mut(CHUNK).enumerate());
    let next = || chunks.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, chunk)) = next() {
                    work(index * CHUNK, chunk);
                }
            });
        }
    });
}
