//! When a series has enough games.

use serde::{Deserialize, Serialize};

use super::count::games;
use crate::series::Tally;
use crate::stats::{EloScale, Sprt, SprtError, Verdict};

/// The most games of a series.
pub(super) const MOST_GAMES: u64 = 1_000_000_000;

/// When a series ends. A rule looks at the games in the order of their numbers, so it ends at the same game whatever
/// the number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum StopRule {
    /// After a fixed number of games.
    Games {
        /// The number.
        #[serde(deserialize_with = "games")]
        games: u64,
    },
    /// When the main figure (mean score or Elo) is known well enough.
    HalfWidth {
        /// Half of the width of the 95% interval that is wanted, in points or Elo.
        half_width: f64,
        /// Never with fewer games than this: the width itself is only estimated.
        #[serde(default = "min_games")]
        min_games: u64,
        /// Never with more games than this.
        #[serde(default = "max_games", deserialize_with = "games")]
        max_games: u64,
    },
    /// When a sequential test of colour-swapped pairs has decided.
    Sprt {
        /// The difference under H0.
        elo0: f64,
        /// The difference under H1.
        elo1: f64,
        /// How often H1 may be accepted although H0 is true.
        #[serde(default = "error_rate")]
        alpha: f64,
        /// How often H0 may be accepted although H1 is true.
        #[serde(default = "error_rate")]
        beta: f64,
        /// What the Elo figures mean.
        #[serde(default)]
        scale: EloScale,
        /// Never with more games than this.
        #[serde(default = "max_games", deserialize_with = "games")]
        max_games: u64,
    },
}

fn min_games() -> u64 {
    20
}

fn max_games() -> u64 {
    1_000_000
}

fn error_rate() -> f64 {
    0.05
}

/// A rule that can never end a series sensibly.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StopRuleError {
    /// No games at all.
    #[error("games = 0: at least one game is needed")]
    NoGames,
    /// More games than the game's numbering and memory of results are made for.
    #[error("games = {0}: at most {MOST_GAMES} games are possible")]
    TooMany(u64),
    /// A width that no number of games reaches.
    #[error("half_width = {0}: must be above 0")]
    Width(f64),
    /// The bounds contradict each other.
    #[error("min_games = {min} must not be above max_games = {max}")]
    Bounds {
        /// The lower bound.
        min: u64,
        /// The upper bound.
        max: u64,
    },
    /// A sequential test that cannot be made.
    #[error(transparent)]
    Sprt(#[from] SprtError),
}

impl StopRule {
    /// Checks that the rule can end a series.
    pub fn validate(&self) -> Result<(), StopRuleError> {
        match *self {
            Self::HalfWidth { half_width, .. } if !(half_width > 0.0 && half_width.is_finite()) => {
                return Err(StopRuleError::Width(half_width));
            }
            Self::HalfWidth { min_games: min, max_games: max, .. } if min > max => {
                return Err(StopRuleError::Bounds { min, max });
            }
            _ => {}
        }
        if let Some(test) = self.sprt() {
            test.validate()?;
        }
        match self.max_games() {
            0 => Err(StopRuleError::NoGames),
            games if games > MOST_GAMES => Err(StopRuleError::TooMany(games)),
            _ => Ok(()),
        }
    }

    /// The most games that a series can have.
    #[must_use]
    pub fn max_games(&self) -> u64 {
        match *self {
            Self::Games { games } => games,
            Self::HalfWidth { max_games, .. } | Self::Sprt { max_games, .. } => max_games,
        }
    }

    /// The number behind the last game that can count, where `counted` games count so far: a rule counts them without a gap,
    /// a fixed number of games may have gaps while it is played.
    #[must_use]
    pub fn end(&self, counted: u64) -> u64 {
        if self.is_fixed() { self.max_games() } else { counted }
    }

    /// Whether the number of games is known from the start.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self, Self::Games { .. })
    }

    /// The sequential test, if it is one.
    #[must_use]
    pub fn sprt(&self) -> Option<Sprt> {
        match *self {
            Self::Sprt { elo0, elo1, alpha, beta, scale, .. } => Some(Sprt { elo0, elo1, alpha, beta, scale }),
            _ => None,
        }
    }

    /// Whether these games, the first ones of a series without a gap, are enough.
    pub fn ends<R>(&self, tally: &impl Tally<R>) -> bool {
        let games = tally.games();
        match *self {
            _ if games >= self.max_games() => true,
            Self::Games { .. } => false,
            Self::HalfWidth { half_width, min_games, .. } => {
                games >= min_games && tally.half_width().is_some_and(|width| width <= half_width)
            }
            // Only whole pairs are evidence.
            Self::Sprt { .. } => {
                games.is_multiple_of(2)
                    && self
                        .sprt()
                        .zip(tally.pairs())
                        .is_some_and(|(test, pairs)| test.state(&pairs).verdict != Verdict::Undecided)
            }
        }
    }
}
