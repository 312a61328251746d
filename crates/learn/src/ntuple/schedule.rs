//! How the learning rate falls towards the end of a training.
//!
//! While the rate is large a network follows the last games it saw; a small rate at the end takes the mean over many. When
//! the end comes is known to whoever trains: after so many games, or after so much time.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// A fall of the learning rate over the last part of a training, in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fall {
    /// The share of the training in which the rate falls: 0 for never, 1 for from the first game on.
    pub share: f32,
    /// What is left of the rate at the end.
    pub to: f32,
}

impl Fall {
    /// The rate stays.
    pub const NONE: Self = Self { share: 0.0, to: 1.0 };

    /// What is left of the rate when this share of the training is done.
    pub(crate) fn factor(self, done: f64) -> f32 {
        let (share, to) = (f64::from(self.share), f64::from(self.to));
        let fallen = if share > 0.0 { ((done - (1.0 - share)) / share).clamp(0.0, 1.0) } else { 0.0 };
        (1.0 + fallen * (to - 1.0)) as f32
    }
}

/// When a training ends: at what comes first.
#[derive(Clone, Copy, Debug, Default)]
pub struct End {
    /// The games learned from in all.
    pub games: Option<u64>,
    /// When the time is over, and how long the whole training will have taken then.
    pub time: Option<(Instant, Duration)>,
}

impl End {
    /// The share of the training that is done before this game; 0 if no end is known.
    pub(crate) fn done(self, game: u64) -> f64 {
        let by_games = self.games.map_or(0.0, |games| game as f64 / games.max(1) as f64);
        let by_time = self.time.map_or(0.0, |(deadline, whole)| {
            1.0 - deadline.saturating_duration_since(Instant::now()).as_secs_f64() / whole.as_secs_f64().max(1e-9)
        });
        by_games.max(by_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_in_a_straight_line_over_the_last_part() {
        let fall = Fall { share: 0.5, to: 0.2 };
        let factors = [0.0, 0.5, 0.75, 1.0, 1.5].map(|done| fall.factor(done));
        assert_eq!(factors, [1.0, 1.0, 0.6, 0.2, 0.2]);
        assert_eq!([0.0, 1.0].map(|done| Fall::NONE.factor(done)), [1.0, 1.0]);
        assert_eq!(Fall { share: 1.0, to: 0.0 }.factor(0.25), 0.75);
    }

    #[test]
    fn what_comes_first_ends_a_training() {
        let hour = Duration::from_secs(3600);
        let now = Instant::now();
        let by_games = End { games: Some(100), time: Some((now + hour, hour)) };
        assert!((by_games.done(50) - 0.5).abs() < 0.01);
        let by_time = End { games: Some(1_000_000), time: Some((now + hour, 4 * hour)) };
        assert!((by_time.done(50) - 0.75).abs() < 0.01);
        assert_eq!((End::default().done(50), End { games: None, time: Some((now, hour)) }.done(0)), (0.0, 1.0));
    }
}
