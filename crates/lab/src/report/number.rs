//! Figures as text: as many digits as they are worth, grouped so that they can be read.

use crate::experiment::{Reading, Unit};

/// How numbers are written in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Between groups of three digits.
    pub(crate) group: &'static str,
    /// After a share.
    pub(crate) percent: &'static str,
    /// The unit of millionths of a second.
    pub(crate) micro: &'static str,
    /// A value without end.
    pub(crate) infinity: &'static str,
    /// Before a negative value.
    pub(crate) minus: &'static str,
}

impl Style {
    /// For people: Markdown and HTML.
    pub(crate) const PLAIN: Self = Self { group: ",", percent: "%", micro: "µs", infinity: "∞", minus: "-" };
    /// For LaTeX, in text mode.
    pub(crate) const LATEX: Self =
        Self { group: "\\,", percent: "\\%", micro: "\\textmu s", infinity: "$\\infty$", minus: "$-$" };

    /// A value in its unit.
    pub(crate) fn value(&self, value: f64, unit: Unit) -> String {
        if value.is_nan() {
            return "?".to_owned();
        }
        let sign = if value < 0.0 {
            self.minus
        } else if unit == Unit::Elo && value > 0.0 {
            "+"
        } else {
            ""
        };
        if value.is_infinite() {
            return format!("{sign}{}", self.infinity);
        }
        let size = value.abs();
        let text = match unit {
            Unit::Count => self.decimals(size, if size >= 100.0 || size.fract() == 0.0 { 0 } else { 1 }),
            Unit::Percent => format!("{}{}", self.decimals(size, 1), self.percent),
            Unit::Few => self.decimals(size, 2),
            Unit::Elo => self.decimals(size, 0),
            Unit::Seconds => self.time(size),
        };
        format!("{sign}{text}")
    }

    /// The interval of a reading, `low to high`; empty where there is none.
    pub(crate) fn interval(&self, reading: &Reading) -> String {
        reading.interval.map_or_else(String::new, |interval| {
            format!("{} to {}", self.value(interval.low, reading.unit), self.value(interval.high, reading.unit))
        })
    }

    fn decimals(&self, size: f64, decimals: usize) -> String {
        let text = format!("{size:.decimals$}");
        let (whole, rest) = text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
        let mut grouped = String::new();
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                grouped += self.group;
            }
            grouped.push(digit);
        }
        rest.map_or(grouped.clone(), |rest| format!("{grouped}.{rest}"))
    }

    fn time(&self, seconds: f64) -> String {
        let three_digits = |value: f64| match value {
            value if value >= 100.0 => self.decimals(value, 0),
            value if value >= 10.0 => self.decimals(value, 1),
            value => self.decimals(value, 2),
        };
        match seconds {
            0.0 => "0 s".to_owned(),
            seconds if seconds >= 1.0 => format!("{} s", three_digits(seconds)),
            seconds if seconds >= 1e-3 => format!("{} ms", three_digits(seconds * 1e3)),
            seconds => format!("{} {}", three_digits(seconds * 1e6), self.micro),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_they_are_worth() {
        let write = |value, unit| Style::PLAIN.value(value, unit);
        assert_eq!(write(42_080.4, Unit::Count), "42,080");
        assert_eq!(write(1_234_567.0, Unit::Count), "1,234,567");
        assert_eq!(write(50.0, Unit::Count), "50");
        assert_eq!(write(7.25, Unit::Count), "7.2");
        assert_eq!(write(64.0, Unit::Percent), "64.0%");
        assert_eq!(write(-12.4, Unit::Elo), "-12");
        assert_eq!(write(350.2, Unit::Elo), "+350");
        assert_eq!(write(f64::INFINITY, Unit::Elo), "+∞");
        assert_eq!(write(0.2, Unit::Seconds), "200 ms");
        assert_eq!(write(0.000_004_5, Unit::Seconds), "4.50 µs");
        assert_eq!(write(1101.0, Unit::Seconds), "1,101 s");
        assert_eq!(write(f64::NAN, Unit::Count), "?");
        assert_eq!(Style::LATEX.value(42_080.4, Unit::Count), "42\\,080");
    }
}
