//! Numbers as people read and write them.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A value without decimals: `-1234.4` as `-1,234`.
pub(crate) fn whole(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let sign = if number <= -0.5 { "-" } else { "" };
    format!("{sign}{}", grouped(number.abs().round() as u64))
}

/// A large number with a unit: `1234567.0` as `1.23 M`.
pub(crate) fn scaled(number: f64) -> String {
    let (value, unit) = match number.abs() {
        size if size >= 1e9 => (number / 1e9, " G"),
        size if size >= 1e6 => (number / 1e6, " M"),
        size if size >= 1e4 => (number / 1e3, " k"),
        _ => (number, ""),
    };
    format!("{value:.*}{unit}", if value.abs() >= 100.0 { 0 } else { 2 })
}

/// A value of an evaluation: as many digits as help to tell moves apart.
pub(crate) fn value(number: f64) -> String {
    format!("{number:.*}", if number.abs() >= 10_000.0 { 1 } else { 3 })
}

/// Reads a whole number of this range.
pub(crate) fn whole_number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match (range.start(), range.end()) {
            (least, &u64::MAX) => format!("expected a whole number from {least} on"),
            (least, most) => format!("expected a whole number from {least} to {most}"),
        })
    }
}

/// Reads a number that may have decimals.
pub(crate) fn decimal<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a number, such as 2 or 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(whole(-1_234.4), "-1,234");
        assert_eq!(whole(-0.2), "0");
        assert_eq!(whole(f64::INFINITY), "inf");
        assert_eq!(scaled(1_234_567.0), "1.23 M");
        assert_eq!(scaled(0.5), "0.50");
        assert_eq!(scaled(123_456.0), "123 k");
        assert_eq!(value(-1.5), "-1.500");
    }

    #[test]
    fn a_number_that_cannot_be_read_is_answered_with_what_would_be_right() {
        let games = whole_number::<u16>(1..=1024);
        assert_eq!((games("1"), games("1024")), (Ok(1), Ok(1024)));
        for wrong in ["0", "1025", "1e3", "1k", "", "-1", "99999999999999999999"] {
            assert_eq!(games(wrong), Err("expected a whole number from 1 to 1024".to_owned()));
        }
        assert_eq!(whole_number::<u64>(0..=u64::MAX)("x"), Err("expected a whole number from 0 on".to_owned()));
        assert_eq!(decimal::<f32>("0.5"), Ok(0.5));
        assert!(decimal::<f64>("a half").is_err());
    }
}
