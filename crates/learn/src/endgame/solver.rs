//! The solver: layer by layer from the highest sum down, each layer from the two above it.
//!
//! A spawn raises the sum by 2 or 4 and a slide keeps it, so the probabilities of one layer depend on those of the next two
//! alone, also where a chain is away for the time between two slides: no more than these are held in memory. All arithmetic is on whole numbers, so a table is the same whatever the
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
    /// How many tiles the chain has.
    chain: u32,
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
    /// The chain lies otherwise, with all its tiles: none of them was merged, and no tile as large as theirs was made.
    Away,
    /// There are more large tiles than the chain has, or fewer.
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
            chain: pattern.locked_mask().count_ones(),
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
        if let Some(Sight { symmetry, end, .. }) = self.sight(board) {
            return After::Filled { end, cells: board.transformed(symmetry).nibbles() };
        }
        match board.cells_from(self.double) {
            large if self.is_image[usize::from(large)] => After::Merged,
            large if large.count_ones() + 1 == self.chain => After::Away,
            _ => After::Broken,
        }
    }

    /// The layer of this half sum, given the two above it (what they lack counts as failure).
    pub(crate) fn layer(&self, half_sum: usize, above: [&Layer; 2], threads: usize) -> Layer {
        let mut slid = vec![0; self.layer_len(half_sum)];
        for (end, part) in self.parts(&mut slid) {
            let above = above.map(|Layer { states, .. }| {
                let len = states.len() / self.ends();
                &states[end * len..][..len]
            });
            for_each_chunk(part, threads, |begin, values| self.fill_slid(half_sum, begin, values, above));
        }
        self.with_states(half_sum, slid, above.map(|layer| &*layer.slid), threads)
    }

    /// The layer whose probabilities after slides are these, given those of the two layers above it.
    pub(crate) fn with_states(
        &self,
        half_sum: usize,
        slid: Vec<Quantum>,
        above: [&[Quantum]; 2],
        threads: usize,
    ) -> Layer {
        let mut states = vec![0; slid.len()];
        let layers = [&slid, above[0], above[1]];
        for (end, part) in self.parts(&mut states) {
            for_each_chunk(part, threads, |begin, values| self.fill_states(half_sum, end, begin, values, layers));
        }
        Layer { slid, states }
    }

    /// The parts of a layer, one for each end.
    fn parts<'a>(&self, values: &'a mut [Quantum]) -> impl Iterator<Item = (usize, &'a mut [Quantum])> {
        let len = values.len() / self.ends();
        values.chunks_mut(len.max(1)).enumerate()
    }

    /// The bytes that solving takes at most: three layers, each of two quanta a place, and the bytes of one that is being written.
    pub(crate) fn memory(&self) -> u64 {
        let largest = (0..=self.ranking.highest()).map(|half_sum| self.layer_len(half_sum)).max().unwrap_or(0);
        largest as u64 * 16 + self.ranking.memory()
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

    /// The best over all slides, given the probabilities after slides of this layer and the two above it.
    fn fill_states(&self, half_sum: usize, end: usize, begin: usize, values: &mut [Quantum], layers: [&[Quantum]; 3]) {
        let mut filling = Filling::at(&self.ranking, half_sum, begin);
        let slid = |layer: usize, place: usize| layers[layer - half_sum].get(place).copied().unwrap_or(0);
        for value in values {
            *value = self.best_slide(self.board(end, filling.board), half_sum, slid);
            if filling.advance().is_none() {
                return;
            }
        }
    }

    /// The best probability over the slides that leave the chain in place or move it away for once; 0 without one. `slid` knows
    /// the probabilities of layers by their half sums and places.
    #[inline]
    pub(crate) fn best_slide(&self, board: Board, half_sum: usize, slid: impl Fn(usize, usize) -> Quantum) -> Quantum {
        let mut best = 0;
        State(board).for_each_play(|_, played| best = best.max(self.value(played.afterstate.0, half_sum, &slid)));
        best
    }

    /// The probability after a slide to this board from one on which the chain was in place.
    #[inline]
    pub(crate) fn value(&self, board: Board, half_sum: usize, slid: &impl Fn(usize, usize) -> Quantum) -> Quantum {
        match self.after(board) {
            After::Away => mean_over_spawns(board, half_sum, |board, half_sum| {
                let mut best = 0;
                State(board).for_each_play(|_, played| best = best.max(self.back(played.afterstate.0, half_sum, slid)));
                best
            }),
            after => self.in_place(after, half_sum, slid),
        }
    }

    /// The probability after a slide to this board from one on which the chain was away: it has to be in place now.
    #[inline]
    pub(crate) fn back(&self, board: Board, half_sum: usize, slid: &impl Fn(usize, usize) -> Quantum) -> Quantum {
        self.in_place(self.after(board), half_sum, slid)
    }

    #[inline]
    fn in_place(&self, after: After, half_sum: usize, slid: &impl Fn(usize, usize) -> Quantum) -> Quantum {
        match after {
            _ if half_sum > self.ranking.highest() => 0,
            After::Merged => CERTAIN,
            After::Filled { end, cells } => slid(half_sum, self.place(end, cells, half_sum)),
            After::Away | After::Broken => 0,
        }
    }
}

/// The mean over all spawns, rounded to the nearest quantum; 0 without an empty cell. `value` gets the board with the spawn and
/// the half sum that it has then.
pub(crate) fn mean_over_spawns(board: Board, half_sum: usize, value: impl Fn(Board, usize) -> Quantum) -> Quantum {
    let (mut tenths, mut empty) = (0, 0);
    for cell in board.empty_cells() {
        let with = |tile: Tile| u32::from(value(board.with(cell, Some(tile)), half_sum + tile.value() as usize / 2));
        tenths += 9 * with(Tile::TWO) + with(Tile::FOUR);
        empty += 10;
    }
    rounded(tenths, empty)
}

/// A mean of quanta, from a sum in which each counts ten times.
#[inline]
fn rounded(tenths: u32, empty: u32) -> Quantum {
    (tenths + empty / 2).checked_div(empty).unwrap_or(0) as Quantum
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
        rounded(tenths, empty)
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
