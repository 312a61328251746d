//! Numbers as people read them.

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
}
