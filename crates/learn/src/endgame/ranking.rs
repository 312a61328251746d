//! A number for every filling of the free cells: dense, so that a table needs no keys.
//!
//! Fillings with the same sum of tiles form a *layer* (every slide keeps the sum, every spawn raises it), and are numbered
//! within it in lexicographic order. Sums are counted in twos here: half a sum is a whole number.

use afterstate_twenty48::Cell;

use super::pattern::Pattern;

/// The numbering of all fillings of a pattern with a sum up to a limit.
#[derive(Clone, Debug)]
pub(crate) struct Ranking {
    /// The places of the free cells in a packed board: how far to shift for their nibble.
    shifts: Vec<u32>,
    /// What the exponents on free cells lie below: the tile to build is the largest.
    limit: usize,
    /// The largest half sum.
    highest: usize,
    /// `before[cell][half sum left][exponent]`: fillings of this cell and those after it that come first because this cell
    /// holds less. The last exponent counts all fillings.
    before: Vec<u32>,
}

/// Half the tile with this exponent.
#[inline]
pub(crate) const fn half(exponent: usize) -> usize {
    (1 << exponent) >> 1
}

impl Ranking {
    /// `None` where a layer would hold more fillings than 32 bits can count.
    pub(crate) fn new(pattern: &Pattern, highest_sum: u32) -> Option<Self> {
        let cells = pattern.free_cells();
        let limit = usize::from(pattern.target().exponent()) + 1;
        // Spawns from the highest layers are ranked, too, before they are found to be above.
        let sums = highest_sum as usize / 2 + 3;
        let mut before = vec![0; cells.len() * sums * (limit + 1)];
        let mut after: Vec<u64> = (0..sums).map(|half| u64::from(half == 0)).collect();
        for index in (0..cells.len()).rev() {
            let mut counts = vec![0u64; sums];
            for (left, count) in counts.iter_mut().enumerate() {
                let row = &mut before[(index * sums + left) * (limit + 1)..][..=limit];
                for (exponent, before) in row.iter_mut().enumerate() {
                    *before = u32::try_from(*count).ok()?;
                    let rest = left.checked_sub(half(exponent)).filter(|_| exponent < limit);
                    *count += rest.map_or(0, |rest| after[rest]);
                }
            }
            after = counts;
        }
        let shifts = cells.iter().map(|cell: &Cell| 4 * cell.index() as u32).collect();
        Some(Self { shifts, limit, highest: highest_sum as usize / 2, before })
    }

    /// The bytes that the ranking itself takes.
    pub(crate) fn memory(&self) -> u64 {
        size_of_val(&*self.before) as u64
    }

    /// The number of free cells.
    #[inline]
    pub(crate) fn cells(&self) -> usize {
        self.shifts.len()
    }

    /// The largest half sum of a layer.
    #[inline]
    pub(crate) fn highest(&self) -> usize {
        self.highest
    }

    /// The fillings that come before those with this exponent on `cell`, among those that agree on all cells before it.
    #[inline]
    pub(crate) fn before(&self, cell: usize, left: usize, exponent: usize) -> u32 {
        self.before[(cell * (self.highest + 3) + left) * (self.limit + 1) + exponent]
    }

    /// The fillings of `cell` and those after it with this half sum.
    #[inline]
    fn count_from(&self, cell: usize, left: usize) -> u32 {
        if cell == self.cells() { u32::from(left == 0) } else { self.before(cell, left, self.limit) }
    }

    /// The number of fillings of a layer.
    pub(crate) fn layer_len(&self, half_sum: usize) -> usize {
        self.count_from(0, half_sum) as usize
    }

    /// The number of fillings of all layers.
    pub(crate) fn len(&self) -> u64 {
        (0..=self.highest).map(|half_sum| self.layer_len(half_sum) as u64).sum()
    }

    /// Half the sum of the tiles on the free cells.
    #[inline]
    pub(crate) fn half_sum(&self, board: u64) -> usize {
        self.shifts.iter().map(|&shift| half((board >> shift & 15) as usize)).sum()
    }

    /// The number of a filling within the layer of its half sum.
    #[inline]
    pub(crate) fn rank(&self, board: u64, half_sum: usize) -> usize {
        let (mut rank, mut left) = (0, half_sum);
        for (cell, &shift) in self.shifts.iter().enumerate() {
            let exponent = (board >> shift & 15) as usize;
            rank += self.before(cell, left, exponent);
            left -= half(exponent);
        }
        rank as usize
    }
}

/// A walk through the fillings of one layer in the order of their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Filling<'a> {
    ranking: &'a Ranking,
    /// The exponent on each free cell.
    pub(crate) exponents: [u8; 16],
    /// The half sum of each free cell and those after it.
    pub(crate) left: [usize; 17],
    /// The packed free cells.
    pub(crate) board: u64,
}

impl<'a> Filling<'a> {
    /// The filling with this number, which the layer must have.
    pub(crate) fn at(ranking: &'a Ranking, half_sum: usize, rank: usize) -> Self {
        let mut filling = Self { ranking, exponents: [0; 16], left: [0; 17], board: 0 };
        filling.left[0] = half_sum;
        let mut rest = rank as u32;
        for cell in 0..ranking.cells() {
            let left = filling.left[cell];
            let before = |exponent: &usize| ranking.before(cell, left, *exponent) <= rest;
            // The last of equal counts is the one that has fillings, as long as the tile fits.
            let exponent =
                (0..ranking.limit).rev().filter(|&exponent| half(exponent) <= left).find(before).unwrap_or(0);
            rest -= ranking.before(cell, left, exponent);
            filling.put(cell, exponent);
        }
        filling
    }

    #[inline]
    fn put(&mut self, cell: usize, exponent: usize) {
        let shift = self.ranking.shifts[cell];
        self.exponents[cell] = exponent as u8;
        self.board = self.board & !(15 << shift) | (exponent as u64) << shift;
        self.left[cell + 1] = self.left[cell] - half(exponent);
    }

    /// Goes on to the next filling. Returns the first cell that changed, or `None` after the last filling.
    #[inline]
    pub(crate) fn advance(&mut self) -> Option<usize> {
        let ranking = self.ranking;
        let mut cell = ranking.cells() - 1;
        // The last cell is decided by the others.
        while cell > 0 {
            cell -= 1;
            let next = usize::from(self.exponents[cell]) + 1;
            if let Some(exponent) = (next..ranking.limit).find(|&exponent| self.can_put(cell, exponent)) {
                self.put(cell, exponent);
                self.fill_from(cell + 1);
                return Some(cell);
            }
        }
        None
    }

    /// Whether a filling has this exponent on the cell and what is now on the cells before it.
    #[inline]
    fn can_put(&self, cell: usize, exponent: usize) -> bool {
        let rest = self.left[cell].checked_sub(half(exponent));
        rest.is_some_and(|rest| self.ranking.count_from(cell + 1, rest) > 0)
    }

    /// The first filling of this cell and those after it.
    #[inline]
    fn fill_from(&mut self, from: usize) {
        for cell in from..self.ranking.cells() {
            let exponent = (0..self.ranking.limit).find(|&exponent| self.can_put(cell, exponent)).unwrap_or(0);
            self.put(cell, exponent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_up_along_the_walk_and_back() {
        for (pattern, highest) in [("0033-16", 40), ("0004-16", 28), ("0044-64", 70)] {
            let ranking = Ranking::new(&pattern.parse().unwrap(), highest).unwrap();
            for half_sum in 0..=ranking.highest() {
                let len = ranking.layer_len(half_sum);
                if len == 0 {
                    continue;
                }
                let mut filling = Filling::at(&ranking, half_sum, 0);
                let mut rank = 0;
                loop {
                    assert_eq!(ranking.half_sum(filling.board), half_sum);
                    assert_eq!(ranking.rank(filling.board, half_sum), rank, "{pattern} {half_sum}");
                    if rank % 17 == 0 {
                        assert_eq!(Filling::at(&ranking, half_sum, rank).board, filling.board);
                    }
                    rank += 1;
                    if filling.advance().is_none() {
                        break;
                    }
                }
                assert_eq!(rank, len, "{pattern} {half_sum}");
            }
        }
    }
}
