//! The solver: layer by layer from the highest sum down, each layer from the two above it.
//!
//! A spawn raises the sum by 2 or 4 and a slide keeps it, so the probabilities of one layer depend on those of the next two
//! alone: no more than these are held in memory. All arithmetic is on whole numbers, so a table is the same whatever the
//! number of threads, and whether or not the work was interrupted.

use std::sync::Mutex;
use std::thread;

use afterstate_game::Position;
use afterstate_twenty48::{Board, State, Tile};

use super::pattern::{Pattern, Sight};
use super::ranking::{Filling, Ranking};

/// A probability in parts of 65535.
pub(crate) type Quantum = u16;

/// Certainty.
pub(crate) const CERTAIN: Quantum = Quantum::MAX;

/// Fillings that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The probabilities of one layer: all fillings for the first end of the pattern, then all for the next.
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
    /// The board without the free cells, for each end.
    pub(crate) locked: Vec<u64>,
    /// The nibbles of the free cells.
    free: u64,
    target: Tile,
    double: Tile,
    sights: Vec<Vec<Sight>>,
    /// Whether a set of cells, as bits, is symmetric to the locked ones.
    is_image: Vec<bool>,
}

/// What a slide did to the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The end was merged with a tile like it, and the chain lies as the pattern says.
    Merged,
    /// The chain lies as before; the end of it and the free cells as the pattern sees them.
    Filled { end: usize, cells: u64 },
    /// The chain lies otherwise.
    Broken,
}

impl Solver {
    pub(crate) fn new(pattern: &Pattern, highest_sum: u32) -> Option<Self> {
        let ranking = Ranking::new(pattern, highest_sum)?;
        let target = pattern.target();
        let mut is_image = vec![false; 1 << 16];
        pattern.images().for_each(|image| is_image[usize::from(image)] = true);
        Some(Self {
            ranking,
            locked: pattern.ends().into_iter().map(|end| pattern.locked_board(end).nibbles()).collect(),
            free: pattern.free_cells().iter().fold(0, |free, cell| free | 15 << (4 * cell.index())),
            target,
            double: Tile::from_exponent(target.exponent() + 1)?,
            sights: pattern.sights(),
            is_image,
        })
    }

    /// On how many cells the end of the chain may lie.
    pub(crate) fn ends(&self) -> usize {
        self.locked.len()
    }

    /// The number of values of a layer.
    pub(crate) fn layer_len(&self, half_sum: usize) -> usize {
        self.ends() * self.ranking.layer_len(half_sum)
    }

    /// The place of a filling in its layer.
    #[inline]
    pub(crate) fn place(&self, end: usize, cells: u64, half_sum: usize) -> usize {
        end * self.ranking.layer_len(half_sum) + self.ranking.rank(cells, half_sum)
    }

    /// How the pattern sees the chain of a board.
    #[inline]
    pub(crate) fn sight(&self, board: Board) -> Option<Sight> {
        let sights = &self.sights[usize::from(board.cells_from(self.double))];
        sights.iter().find(|sight| board.get(sight.cell) == Some(self.target)).copied()
    }

    /// The board with the pattern's own tiles on the locked cells, and the free cells of one that the pattern has brought into
    /// place.
    #[inline]
    pub(crate) fn board(&self, end: usize, cells: u64) -> Board {
        Board::from_nibbles(self.locked[end] | cells & self.free)
    }

    /// What a slide to this board did to the chain. It may lie on any symmetric image of the locked cells: a row of three
    /// large tiles can slide to the other end of its row and back.
    #[inline]
    pub(crate) fn after(&self, board: Board) -> After {
        match self.sight(board) {
            Some(Sight { symmetry, end, .. }) => After::Filled { end, cells: board.transformed(symmetry).nibbles() },
            None if self.is_image[usize::from(board.cells_from(self.double))] => After::Merged,
            None => After::Broken,
        }
    }

    /// The layer of this half sum, given the states of the two above it (missing ones count as failures).
    pub(crate) fn layer(&self, half_sum: usize, above: [&[Quantum]; 2], threads: usize) -> Layer {
        let mut slid = vec![0; self.layer_len(half_sum)];
        for (end, part) in self.parts(&mut slid) {
            let above = above.map(|states| &states[end * states.len() / self.ends()..][..states.len() / self.ends()]);
            for_each_chunk(part, threads, |begin, values| self.fill_slid(half_sum, begin, values, above));
        }
        self.with_states(half_sum, slid, threads)
    }

    /// The layer whose probabilities after slides are these.
    pub(crate) fn with_states(&self, half_sum: usize, slid: Vec<Quantum>, threads: usize) -> Layer {
        let mut states = vec![0; slid.len()];
        for (end, part) in self.parts(&mut states) {
            for_each_chunk(part, threads, |begin, values| self.fill_states(half_sum, end, begin, values, &slid));
        }
        Layer { slid, states }
    }

    /// The parts of a layer, one for each end.
    fn parts<'a>(&self, values: &'a mut [Quantum]) -> impl Iterator<Item = (usize, &'a mut [Quantum])> {
        let len = values.len() / self.ends();
        values.chunks_mut(len.max(1)).enumerate()
    }

    /// The bytes that solving takes at most: four layers of quanta, and the bytes of one that is being written.
    pub(crate) fn memory(&self) -> u64 {
        let largest = (0..=self.ranking.highest()).map(|half_sum| self.layer_len(half_sum)).max().unwrap_or(0);
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
    fn fill_states(&self, half_sum: usize, end: usize, begin: usize, values: &mut [Quantum], slid: &[Quantum]) {
        let mut filling = Filling::at(&self.ranking, half_sum, begin);
        for value in values {
            *value = self.best_slide(self.board(end, filling.board), |place| slid[place], half_sum);
            if filling.advance().is_none() {
                return;
            }
        }
    }

    /// The best probability over the slides that leave the chain as it is; 0 without one. `slid` knows the probabilities of the
    /// layer by their places.
    #[inline]
    pub(crate) fn best_slide(&self, board: Board, slid: impl Fn(usize) -> Quantum, half_sum: usize) -> Quantum {
        let mut best = 0;
        State(board).for_each_play(|_, played| {
            best = best.max(match self.after(played.afterstate.0) {
                After::Merged => CERTAIN,
                After::Filled { end, cells } => slid(self.place(end, cells, half_sum)),
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
