//! Checking a table against itself and against play.

use afterstate_game::{Afterstate, Dice, Position};
use afterstate_twenty48::{Board, Slid, Tile};

use super::build::probability;
use super::ranking::Filling;
use super::solver::{After, Quantum};
use super::table::Table;

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Fillings whose value was worked out again from those above it.
    pub compared: u64,
    /// How many of them were not as stored.
    pub wrong: u64,
    /// Games that were played from fillings of the table by its own advice.
    pub games: u64,
    /// The share of them that the table says should succeed.
    pub expected: f64,
    /// The share that did.
    pub succeeded: f64,
    /// Half the width of the 95% interval around the expected share.
    pub half_width: f64,
}

impl Check {
    /// Whether every value compared is as stored, and the games agree with the table: within twice the interval, which
    /// a right table leaves once in ten thousand checks.
    #[must_use]
    pub fn is_passed(&self) -> bool {
        self.wrong == 0 && (self.expected - self.succeeded).abs() <= 2.0 * self.half_width + 1e-9
    }
}

impl Table {
    /// Compares `count` random values with what follows from the layers above, and plays as many games.
    #[must_use]
    pub fn check(&self, count: u64, seed: u64) -> Check {
        let mut dice = Dice::seeded(seed);
        let wrong = (0..count).filter(|_| !self.is_consistent(&mut dice)).count() as u64;
        let (mut expected, mut succeeded, mut variance) = (0.0, 0.0, 0.0);
        for _ in 0..count {
            let (half_sum, end, board) = self.random_filling(&mut dice);
            let chance = probability(self.filled(end, board.nibbles(), half_sum));
            expected += chance;
            variance += chance * (1.0 - chance);
            succeeded += f64::from(u8::from(self.replay(Slid(board), &mut dice)));
        }
        let games = count.max(1) as f64;
        Check {
            compared: count,
            wrong,
            games: count,
            expected: expected / games,
            succeeded: succeeded / games,
            half_width: 1.96 * variance.sqrt() / games,
        }
    }

    /// A filling with an empty cell: the layer drawn uniformly, then the filling and the end.
    pub(super) fn random_filling(&self, dice: &mut Dice) -> (usize, usize, Board) {
        let ranking = &self.solver().ranking;
        let end = dice.below(self.solver().ends() as u32) as usize;
        loop {
            let half_sum = dice.below(ranking.highest() as u32 + 1) as usize;
            let len = ranking.layer_len(half_sum) as u32;
            if len > 0 {
                let filling = Filling::at(ranking, half_sum, dice.below(len) as usize);
                if filling.exponents[..ranking.cells()].contains(&0) {
                    return (half_sum, end, self.solver().board(end, filling.board));
                }
            }
        }
    }

    /// Whether a random filling has the value that follows from the layers above it.
    fn is_consistent(&self, dice: &mut Dice) -> bool {
        let (half_sum, end, board) = self.random_filling(dice);
        let (mut tenths, mut empty) = (0, 0);
        for cell in board.empty_cells() {
            let with =
                |tile: Tile| u32::from(self.best(board.with(cell, Some(tile)), half_sum + tile.value() as usize / 2));
            tenths += 9 * with(Tile::TWO) + with(Tile::FOUR);
            empty += 10;
        }
        self.filled(end, board.nibbles(), half_sum) == ((tenths + empty / 2) / empty) as Quantum
    }

    /// The value of a position with the best slide; nothing above the highest sum.
    fn best(&self, board: Board, half_sum: usize) -> Quantum {
        if half_sum > self.solver().ranking.highest() {
            return 0;
        }
        self.solver().best_slide(board, |place| self.slid(half_sum, place), half_sum)
    }

    /// Plays on from an afterstate by the table; whether the end of the chain was merged.
    fn replay(&self, from: Slid, dice: &mut Dice) -> bool {
        let mut board = from;
        loop {
            let state = board.draw(dice);
            let Some(sight) = self.solver().sight(state.0) else { return false };
            let half_sum = self.solver().ranking.half_sum(state.0.transformed(sight.symmetry).nibbles());
            if half_sum > self.solver().ranking.highest() {
                return false;
            }
            let mut best: Option<(Quantum, Slid)> = None;
            state.for_each_play(|_, played| {
                let value = self.after(played.afterstate.0, half_sum).unwrap_or(0);
                if best.is_none_or(|(highest, _)| value > highest) {
                    best = Some((value, played.afterstate));
                }
            });
            let Some((_, after)) = best.filter(|&(value, _)| value > 0) else { return false };
            if self.solver().after(after.0) == After::Merged {
                return true;
            }
            board = after;
        }
    }

    /// The probability of success with nothing on the free cells, and the best end.
    #[must_use]
    pub fn from_empty(&self) -> f64 {
        (0..self.solver().ends()).map(|end| probability(self.slid(0, end))).fold(0.0, f64::max)
    }
}
