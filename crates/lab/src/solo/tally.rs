//! What many games of one agent add up to.

use std::time::Duration;

use afterstate_game::Effort;
use serde::{Deserialize, Serialize};

use super::SoloResult;
use crate::play::Spent;
use crate::series::Tally;
use crate::stats::{Distribution, Estimate, Rate};

/// The tiles whose rates are reported.
pub const TILES: [u32; 9] = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131_072];

/// Counts the games of one agent. Its size does not depend on their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoloTally {
    scores: Distribution,
    largest_tiles: Distribution,
    spent: Spent,
}

/// What the games of one agent say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoloSummary {
    /// Finished games.
    pub games: u64,
    /// The mean score.
    pub score: Option<Estimate>,
    /// The middle score.
    pub median: Option<f64>,
    /// The standard deviation of the scores.
    pub deviation: Option<f64>,
    /// The lowest score.
    pub worst: Option<i64>,
    /// The highest score.
    pub best: Option<i64>,
    /// The mean of the largest tiles.
    pub largest_tile: Option<Estimate>,
    /// How often each tile was reached.
    pub tiles: Vec<TileRate>,
    /// Moves of all games.
    pub moves: u64,
    /// Nodes of all games.
    pub nodes: u64,
    /// Static evaluations of all games.
    pub evaluations: u64,
    /// Seconds that the agent thought, over all games and threads.
    pub seconds: f64,
    /// Moves per second of one thread.
    pub moves_per_second: f64,
    /// Nodes per second of one thread.
    pub nodes_per_second: f64,
    /// Nodes per move.
    pub nodes_per_move: f64,
    /// Seconds per move.
    pub seconds_per_move: f64,
}

/// How often a tile was reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileRate {
    /// The tile.
    pub tile: u32,
    /// The share of games that reached it or a larger one.
    pub rate: Rate,
}

impl Tally<SoloResult> for SoloTally {
    fn add(&mut self, result: &SoloResult) {
        self.scores.add(i64::try_from(result.score).unwrap_or(i64::MAX));
        self.largest_tiles.add(i64::from(result.largest_tile));
        self.spent += result.spent;
    }

    fn games(&self) -> u64 {
        self.scores.count()
    }

    fn seconds(&self) -> f64 {
        self.spent.time.as_secs_f64()
    }

    fn headline(&self) -> Option<Estimate> {
        Some(Estimate { value: self.scores.mean()?, interval: self.scores.student_interval() }.of_no_less_than_zero())
    }

    fn reported(&self) -> Option<Estimate> {
        Some(self.scores.mean_estimate()?.of_no_less_than_zero())
    }

    /// That of the whole interval: an end that was cut off would let a stopping rule end sooner.
    fn half_width(&self) -> Option<f64> {
        self.scores.student_interval().map(|interval| interval.half_width())
    }
}

impl SoloTally {
    /// The distribution of the scores.
    #[must_use]
    pub fn scores(&self) -> &Distribution {
        &self.scores
    }

    /// What the games so far say.
    #[must_use]
    pub fn summary(&self) -> SoloSummary {
        let Spent { moves, effort: Effort { nodes, evaluations, .. }, time } = self.spent;
        SoloSummary {
            games: self.games(),
            score: self.reported(),
            median: self.scores.median(),
            deviation: self.scores.deviation(),
            worst: self.scores.min(),
            best: self.scores.max(),
            largest_tile: self.largest_tiles.mean_estimate().map(Estimate::of_no_less_than_zero),
            tiles: TILES.map(|tile| TileRate { tile, rate: self.rate(tile) }).to_vec(),
            moves,
            nodes,
            evaluations,
            seconds: time.as_secs_f64(),
            moves_per_second: per_second(moves, time),
            nodes_per_second: per_second(nodes, time),
            nodes_per_move: ratio(nodes as f64, moves),
            seconds_per_move: ratio(time.as_secs_f64(), moves),
        }
    }

    fn rate(&self, tile: u32) -> Rate {
        let reached = self.largest_tiles.classes().filter(|&(largest, ..)| largest >= i64::from(tile));
        Rate::new(reached.map(|(.., games)| games).sum(), self.games())
    }
}

pub(crate) fn per_second(count: u64, time: Duration) -> f64 {
    if time.is_zero() { 0.0 } else { count as f64 / time.as_secs_f64() }
}

pub(crate) fn ratio(total: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { total / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_tile_counts_for_all_smaller_ones() {
        let mut tally = SoloTally::default();
        let games = [(100, 256), (20_000, 2048), (40_000, 4096), (16_000, 1024)];
        for (game, (score, largest_tile)) in (0..).zip(games) {
            let spent = Spent { moves: 10, ..Spent::default() };
            tally.add(&SoloResult { game, score, largest_tile, spent });
        }
        let summary = tally.summary();
        let hits: Vec<u64> = summary.tiles.iter().map(|tile| tile.rate.hits).collect();
        assert_eq!(hits, [3, 3, 2, 1, 0, 0, 0, 0, 0]);
        assert_eq!((summary.games, summary.moves, summary.best), (4, 40, Some(40_000)));
        assert_eq!(summary.median, Some(18_000.0));
    }

    /// Three games whose Student's interval begins below zero.
    fn few_games() -> SoloTally {
        let mut tally = SoloTally::default();
        for (game, score) in (0..).zip([712, 732, 2228]) {
            tally.add(&SoloResult { game, score, largest_tile: 64, spent: Spent::default() });
        }
        tally
    }

    #[test]
    fn no_score_is_expected_below_zero() {
        let tally = few_games();
        for estimate in [tally.headline(), tally.reported(), tally.summary().score] {
            assert_eq!(estimate.unwrap().interval.unwrap().low, 0.0);
        }
        assert!(tally.half_width().unwrap() > tally.headline().unwrap().interval.unwrap().half_width());
    }

    #[test]
    fn the_main_figure_is_reported_as_the_summary_says_it() {
        let mut tally = few_games();
        for games in 3..30 {
            assert_eq!(tally.reported(), tally.summary().score, "{games} games");
            let (score, spent) = (1000 + 17 * games * games, Spent::default());
            tally.add(&SoloResult { game: games, score, largest_tile: 128, spent });
        }
    }

    #[test]
    fn no_games_give_a_summary_without_figures() {
        let summary = SoloTally::default().summary();
        assert_eq!((summary.games, summary.score, summary.moves_per_second), (0, None, 0.0));
        let text = serde_json::to_string(&summary).unwrap();
        assert_eq!(serde_json::from_str::<SoloSummary>(&text).unwrap(), summary);
    }
}
