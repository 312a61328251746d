//! Checking a table against itself and against play.

use afterstate_game::{Afterstate, Dice, Position};
use afterstate_twenty48::{Board, Slid};

use super::build::probability;
use super::ranking::Filling;
use super::solver::{After, Quantum, mean_over_spawns};
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
            succeeded += f64::from(u8::from(self.replay(Slid(board), half_sum, &mut dice)));
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
        let slid = |half_sum: usize, place: usize| self.slid(half_sum, place);
        let mean = mean_over_spawns(board, half_sum, |board, half_sum| self.solver().best_slide(board, half_sum, slid));
        self.filled(end, board.nibbles(), half_sum) == mean
    }

    /// Plays on from an afterstate by the table; whether the end of the chain was merged.
    fn replay(&self, from: Slid, half_sum: usize, dice: &mut Dice) -> bool {
        let (mut board, mut half_sum) = (from, half_sum);
        let mut is_away = false;
        loop {
            let state = board.draw(dice);
            half_sum += (state.0.sum() - board.0.sum()) as usize / 2;
            let mut best: Option<(Quantum, Slid)> = None;
            state.for_each_play(|_, played| {
                let value = if is_away {
                    self.back(played.afterstate.0, half_sum)
                } else {
                    self.value(played.afterstate.0, half_sum)
                };
                if best.is_none_or(|(highest, _)| value > highest) {
                    best = Some((value, played.afterstate));
                }
            });
            let Some((_, after)) = best.filter(|&(value, _)| value > 0) else { return false };
            match self.solver().after(after.0) {
                After::Merged => return true,
                after => is_away = after == After::Away,
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
