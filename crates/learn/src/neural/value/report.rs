//! What a training says about itself: rows of its curves.

use super::games::Game;
use crate::ntuple::{Sample, Tally};

/// What a network is being fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The heuristic itself.
    Pretraining,
    /// The values of a search.
    Training,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Pretraining => "pretraining",
            Self::Training => "training",
        })
    }
}

/// One epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// The iteration whose games are learned from.
    pub iteration: u32,
    /// What is learned.
    pub stage: Stage,
    /// The epoch, counted from 1.
    pub epoch: u32,
    /// The learning rate.
    pub rate: f32,
    /// The loss over the examples.
    pub training: f64,
    /// The loss over the validation examples.
    pub validation: Option<f64>,
}

impl Epoch {
    /// The names of the columns of [`Self::csv`].
    pub const CSV_HEADER: &str = "iteration,stage,epoch,rate,training,validation";

    /// The row as comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        let Self { iteration, stage, epoch, rate, training, validation } = self;
        let validation = validation.map_or_else(String::new, |loss| format!("{loss:.6}"));
        format!("{iteration},{stage},{epoch},{rate},{training:.6},{validation}")
    }

    /// Reads a row.
    pub(super) fn from_csv(row: &str) -> Option<Self> {
        let fields: Vec<&str> = row.split(',').collect();
        let [iteration, stage, epoch, rate, training, validation] = fields.as_slice() else { return None };
        Some(Self {
            iteration: iteration.parse().ok()?,
            stage: match *stage {
                "pretraining" => Stage::Pretraining,
                "training" => Stage::Training,
                _ => return None,
            },
            epoch: epoch.parse().ok()?,
            rate: rate.parse().ok()?,
            training: training.parse().ok()?,
            validation: if validation.is_empty() { None } else { Some(validation.parse().ok()?) },
        })
    }
}

/// How the games of an iteration went; 0 is the teacher's.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// The iteration.
    pub iteration: u32,
    /// Mean, interval and tiles.
    pub sample: Sample,
    /// The score in the middle.
    pub median: u64,
    /// The highest score.
    pub best: u64,
    /// The median of the seconds that a game took.
    pub seconds: f64,
}

impl Scores {
    /// The names of the columns of [`Self::csv`].
    pub const CSV_HEADER: &str =
        "iteration,games,mean,half_width,median,best,r1024,r2048,r4096,r8192,r16384,median_seconds";

    pub(super) fn new(iteration: u32, games: &[Game]) -> Self {
        let mut tally = Tally::default();
        games.iter().for_each(|game| tally.count(game.end, game.score, game.positions.len() as u64));
        let mut scores: Vec<u64> = games.iter().map(|game| game.score).collect();
        let mut seconds: Vec<f64> = games.iter().map(|game| game.seconds).collect();
        scores.sort_unstable();
        seconds.sort_unstable_by(f64::total_cmp);
        let middle = games.len() / 2;
        Self {
            iteration,
            sample: tally.sample(),
            median: scores.get(middle).copied().unwrap_or(0),
            best: scores.last().copied().unwrap_or(0),
            seconds: seconds.get(middle).copied().unwrap_or(0.0),
        }
    }

    /// The row as comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        let Self { iteration, sample, median, best, seconds } = self;
        let rates: Vec<String> = (10..=14).map(|exponent| format!("{:.4}", sample.rate(1 << exponent))).collect();
        let (games, mean, half_width) = (sample.games, sample.mean, sample.half_width);
        format!("{iteration},{games},{mean:.0},{half_width:.0},{median},{best},{},{seconds:.2}", rates.join(","))
    }
}
