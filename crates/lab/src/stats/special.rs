//! The few distribution functions that the intervals and tests need.

use super::Z95;

/// The probability that a standard normal variable is below `z`.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The inverse of [`normal_cdf`]. Bisection: it is called a handful of times per report.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    bisect(-40.0, 40.0, |z| normal_cdf(z) - probability)
}

/// The two-sided 95% point of Student's distribution, e.g. 2.228 for 10 degrees of freedom.
#[must_use]
pub fn student_quantile(degrees: f64) -> f64 {
    if degrees > 1e6 {
        return Z95;
    }
    bisect(1.0, 13.0, |t| 0.05 - student_two_sided(t, degrees))
}

/// The probability that Student's variable is farther from 0 than `t`: `I_x(n/2, 1/2)` with `x = n / (n + t^2)`
/// (Abramowitz and Stegun 26.7.1).
fn student_two_sided(t: f64, degrees: f64) -> f64 {
    incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t))
}

/// The two-sided probability of a split of `a + b` fair coins at least as uneven as `a` to `b`: the sign test.
#[must_use]
pub fn binomial_two_sided(a: u64, b: u64) -> f64 {
    let (few, many) = (a.min(b), a.max(b));
    if few == many {
        return 1.0;
    }
    // P(X <= few) for X ~ B(few + many, 1/2) is I_1/2(many, few + 1) (Abramowitz and Stegun 26.5.24).
    (2.0 * incomplete_beta(many as f64, few as f64 + 1.0, 0.5)).min(1.0)
}

/// The regularised incomplete beta function by its continued fraction (DLMF 8.17.22), evaluated with Lentz's method.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    front * beta_fraction(a, b, x)
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for step in 1..=10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            value *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The zero of a growing function between `low` and `high`, to the last bit that bisection can tell apart.
pub(super) fn bisect(mut low: f64, mut high: f64, growing: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if growing(middle) < 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn the_normal_distribution_has_its_tabulated_values() {
        close(normal_cdf(1.0), 0.841_344_746_068_543, 1e-14);
        close(normal_quantile(0.975), Z95, 1e-12);
        close(normal_quantile(0.05), -1.644_853_626_951_472, 1e-12);
    }

    /// Table of the t distribution, e.g. NIST/SEMATECH e-Handbook 1.3.6.7.2.
    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (degrees, quantile) in [(1.0, 12.706), (2.0, 4.303), (10.0, 2.228), (29.0, 2.045), (100.0, 1.984)] {
            close(student_quantile(degrees), quantile, 5e-4);
        }
    }

    #[test]
    fn the_sign_test_sums_the_binomial_tails() {
        close(binomial_two_sided(8, 2), 2.0 * f64::from(1 + 10 + 45) / 1024.0, 1e-13);
        close(binomial_two_sided(0, 5), 2.0 / 32.0, 1e-14);
        close(binomial_two_sided(7, 7), 1.0, 0.0);
        assert!(binomial_two_sided(60_000, 40_000) < 1e-300);
    }
}
