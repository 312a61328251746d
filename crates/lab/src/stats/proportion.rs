//! How often something happened, and how often it would.

use serde::{Deserialize, Serialize};

use super::{Interval, Z95};

/// A share of games with its Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Games in which it happened.
    pub hits: u64,
    /// All games.
    pub games: u64,
    /// The share, 0 without games.
    pub share: f64,
    /// The 95% interval of the share.
    pub interval: Interval,
}

impl Rate {
    /// `hits` out of `games`.
    #[must_use]
    pub fn new(hits: u64, games: u64) -> Self {
        let share = if games == 0 { 0.0 } else { hits as f64 / games as f64 };
        Self { hits, games, share, interval: wilson(hits as f64, games as f64) }
    }
}

/// The 95% score interval of a probability after `hits` out of `games` (Wilson 1927). Both may be effective numbers.
#[must_use]
pub fn wilson(hits: f64, games: f64) -> Interval {
    if games <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let share = hits / games;
    let z2 = Z95 * Z95;
    let centre = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half_width =
        Z95 / (1.0 + z2 / games) * (share * (1.0 - share) / games + z2 / (4.0 * games * games)).max(0.0).sqrt();
    let interval = Interval::around(centre, half_width);
    // Rounding must not exclude the end that the formula reaches exactly.
    Interval {
        low: if share <= 0.0 { 0.0 } else { interval.low.max(0.0) },
        high: if share >= 1.0 { 1.0 } else { interval.high.min(1.0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
    /// method 3.
    #[test]
    fn wilson_intervals_are_those_of_newcombe() {
        for (hits, games, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let interval = Rate::new(hits, games).interval;
            assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{interval:?}");
        }
    }

    #[test]
    fn a_rate_of_no_games_excludes_nothing() {
        assert_eq!(Rate::new(0, 0).interval, Interval { low: 0.0, high: 1.0 });
        assert_eq!(Rate::new(20, 20).interval.high, 1.0);
    }
}
