//! Axes: which values stand on them, and where.

use crate::experiment::Unit;
use crate::report::number::Style;

/// From values to places along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// The place of `low` and that of `high`.
    from: f64,
    to: f64,
    scale: Scale,
}

/// How values follow each other on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    /// In equal steps of this size.
    Linear(f64),
    /// In powers of ten.
    Log,
}

impl Axis {
    /// An axis that holds these values between round ends. Logarithmic only where all values are positive.
    pub(super) fn new(values: impl Iterator<Item = f64>, with_zero: bool, log: bool, from: f64, to: f64) -> Self {
        let (mut low, mut high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if log && low > 0.0 {
            (low, high) = (10f64.powf(low.log10().floor()), 10f64.powf(high.log10().ceil()));
            return Self { low, high: high.max(low * 10.0), from, to, scale: Scale::Log };
        }
        if with_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if high - low < 1e-12 * high.abs().max(1.0) {
            high = low + low.abs().max(1.0);
        }
        let step = round_step(high - low);
        (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Self { low, high, from, to, scale: Scale::Linear(step) }
    }

    /// Where a value stands; values beyond the ends stand at them.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Log => (value.max(self.low).ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
            Scale::Linear(_) => (value - self.low) / (self.high - self.low),
        };
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }

    /// The values that are written on the axis.
    pub(super) fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Log => {
                let decades = (self.high / self.low).log10().round() as i32;
                let every = 1 + decades / 8;
                (0..=decades / every).map(|n| self.low * 10f64.powi(n * every)).collect()
            }
            Scale::Linear(step) => {
                let count = ((self.high - self.low) / step).round() as u32;
                (0..=count).map(|n| self.low + f64::from(n) * step).collect()
            }
        }
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides the span into four to ten parts.
fn round_step(span: f64) -> f64 {
    let rough = span / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = match rough / power {
        factor if factor < 1.5 => 1.0,
        factor if factor < 3.5 => 2.0,
        factor if factor < 7.5 => 5.0,
        _ => 10.0,
    };
    factor * power
}

/// A value as it is written on an axis.
pub(super) fn tick_text(value: f64) -> String {
    let value = if value.abs() < 1e-12 { 0.0 } else { value };
    if value.abs() >= 1e6 {
        return format!("{}M", trimmed(value / 1e6, 2));
    }
    if value == 0.0 || value.abs() >= 1.0 {
        return if value.fract().abs() < 1e-9 {
            Style::PLAIN.value(value.round(), Unit::Count)
        } else {
            trimmed(value, 2)
        };
    }
    if value.abs() >= 1e-3 { trimmed(value, 4) } else { format!("{value:.0e}") }
}

fn trimmed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_the_values() {
        let axis = Axis::new([3.0, 87.0].into_iter(), true, false, 0.0, 100.0);
        assert_eq!(axis.ticks(), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0]);
        assert!((axis.place(45.0) - 50.0).abs() < 1e-9);
        let log = Axis::new([20.0, 4000.0].into_iter(), false, true, 0.0, 300.0);
        let ticks: Vec<String> = log.ticks().into_iter().map(tick_text).collect();
        assert_eq!(ticks, ["10", "100", "1,000", "10,000"]);
        assert!((log.place(100.0) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn odd_values_make_an_axis_all_the_same() {
        for values in [vec![], vec![0.0], vec![5.0, 5.0], vec![f64::NAN, f64::INFINITY], vec![-3.0, -2.0]] {
            let axis = Axis::new(values.into_iter(), false, false, 0.0, 10.0);
            assert!(axis.ticks().len() >= 2 && axis.place(f64::MAX).is_finite());
        }
    }
}
