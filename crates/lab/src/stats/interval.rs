//! An estimate and how sure it is.

use serde::{Deserialize, Serialize};

/// A 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval from `centre - half_width` to `centre + half_width`.
    #[must_use]
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self { low: centre - half_width, high: centre + half_width }
    }

    /// Half of the width.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a value lies inside, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Both ends through a growing function.
    #[must_use]
    pub fn map(self, growing: impl Fn(f64) -> f64) -> Self {
        Self { low: growing(self.low), high: growing(self.high) }
    }
}

/// A measured value with its 95% interval, which is missing where there are too few games to tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its 95% interval.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// The estimate of a figure that is never below zero: neither is its interval.
    #[must_use]
    pub fn of_no_less_than_zero(self) -> Self {
        Self { interval: self.interval.map(|interval| interval.map(|end| end.max(0.0))), ..self }
    }
}
