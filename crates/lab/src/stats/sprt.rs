//! The sequential probability ratio test: play until it is clear which of two hypotheses holds.
//!
//! This is the generalised test of chess-engine testing (Van den Bergh, "A practical introduction to the GSPRT"): the
//! log-likelihood ratio of the two distributions that fit the results best among those with exactly `elo0` and `elo1`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::NORMALISED_UNIT;
use super::{EloScale, Outcomes, score_from_elo};

/// A score that never occurred counts as this many observations, so that no distribution is ruled out by its absence.
const UNSEEN: f64 = 1e-3;

/// Two hypotheses about an Elo difference and the error rates that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1; larger than `elo0`.
    pub elo1: f64,
    /// How often H1 may be accepted although H0 is true.
    pub alpha: f64,
    /// How often H0 may be accepted although H1 is true.
    pub beta: f64,
    /// What the Elo figures mean.
    pub scale: EloScale,
}

/// Settings with which no test can be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("sprt: elo0 = {elo0} must be below elo1 = {elo1}")]
    Hypotheses {
        /// The difference under H0.
        elo0: f64,
        /// The difference under H1.
        elo1: f64,
    },
    /// An error rate is not a usable probability.
    #[error("sprt: {name} = {value} must be above 0 and below 0.5")]
    ErrorRate {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// H0 is accepted: the first player is not stronger by `elo1`.
    AcceptH0,
    /// H1 is accepted: the first player is stronger by more than `elo0`.
    AcceptH1,
    /// More games are needed.
    Undecided,
}

/// A test in progress.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The test.
    pub test: Sprt,
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// What follows.
    pub verdict: Verdict,
}

impl Sprt {
    /// Checks the settings.
    pub fn validate(&self) -> Result<(), SprtError> {
        // A comparison that is false for values that are no numbers.
        if !(self.elo0 < self.elo1 && self.elo0.is_finite() && self.elo1.is_finite()) {
            return Err(SprtError::Hypotheses { elo0: self.elo0, elo1: self.elo1 });
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate { name, value });
            }
        }
        Ok(())
    }

    /// The test's state after these results.
    #[must_use]
    pub fn state<const N: usize>(&self, results: &Outcomes<N>) -> SprtState {
        let (lower, upper) = ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln());
        let llr = self.llr(results);
        let verdict = if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Undecided
        };
        SprtState { test: *self, llr, lower, upper, verdict }
    }

    /// The log-likelihood ratio of H1 to H0.
    #[must_use]
    pub fn llr<const N: usize>(&self, results: &Outcomes<N>) -> f64 {
        if results.observations() == 0 {
            return 0.0;
        }
        let weights = results.counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = weights.iter().sum();
        let observed = weights.map(|weight| weight / total);
        let values: [f64; N] = std::array::from_fn(Outcomes::<N>::value);
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| match self.scale {
            EloScale::Logistic => with_mean(&observed, &values, score_from_elo(elo)),
            EloScale::Normalised => {
                with_standardised_mean(&observed, &values, elo / NORMALISED_UNIT * Outcomes::<N>::GAMES_EACH.sqrt())
            }
        });
        total * observed.iter().zip(h0.iter().zip(h1)).map(|(p, (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }
}

/// The most likely distribution over `values` with the given mean. With a Lagrange multiplier `x` it is
/// `p / (1 + x (value - mean))`, and `x` is the only zero of a falling function between two poles.
fn with_mean<const N: usize>(observed: &[f64; N], values: &[f64; N], mean: f64) -> [f64; N] {
    let offsets = values.map(|value| value - mean);
    let (least, most) = offsets.iter().fold((f64::MAX, f64::MIN), |(a, b), &offset| (a.min(offset), b.max(offset)));
    if least >= 0.0 || most <= 0.0 {
        // No distribution over these values has that mean; the one nearest to it is the best there is.
        return *observed;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, offset) in observed.iter().zip(offsets) {
            let ratio = offset / (1.0 + x * offset);
            value += p * ratio;
            slope -= p * ratio * ratio;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        // Newton's step where it stays between the poles, bisection where it does not.
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-14 * (1.0 + x.abs()) {
            break;
        }
        x = next;
    }
    std::array::from_fn(|i| observed[i] / (1.0 + x * offsets[i]))
}

/// The most likely distribution whose mean lies `t` standard deviations above one half. The condition is not linear in
/// the probabilities; it is made so at the current distribution, solved, and repeated.
fn with_standardised_mean<const N: usize>(observed: &[f64; N], values: &[f64; N], t: f64) -> [f64; N] {
    // Starting from the observed distribution can be far off; the even one is always inside.
    let mut current = [1.0 / N as f64; N];
    for _ in 0..50 {
        let mean: f64 = current.iter().zip(values).map(|(p, value)| p * value).sum();
        let variance: f64 = current.iter().zip(values).map(|(p, value)| p * (value - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let linearised =
            values.map(|value| value - 0.5 - t * deviation / 2.0 * (1.0 + ((value - mean) / deviation).powi(2)));
        let next = with_mean(observed, &linearised, 0.0);
        let change = next.iter().zip(current).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        current = next;
        if change < 1e-10 {
            break;
        }
    }
    current
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, .. } = self.test;
        let unit = match self.test.scale {
            EloScale::Logistic => "Elo",
            EloScale::Normalised => "normalised Elo",
        };
        match self.verdict {
            Verdict::AcceptH0 => write!(f, "H0 accepted: not stronger by {elo1} {unit}")?,
            Verdict::AcceptH1 => write!(f, "H1 accepted: stronger by more than {elo0} {unit}")?,
            Verdict::Undecided => write!(f, "undecided between {elo0} and {elo1} {unit}")?,
        }
        write!(f, " (LLR {:.2}, bounds {:.2} and {:.2})", self.llr, self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;

    fn test(elo0: f64, elo1: f64, scale: EloScale) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, scale }
    }

    /// Log-likelihood ratios printed by fishtest under Stockfish pull requests, with logistic bounds (2020) and
    /// normalised ones (from 2021). Pull requests 3209, 2951, 3514, 3679 and 3972 of official-stockfish/Stockfish.
    #[test]
    fn ratios_are_those_that_fishtest_printed() {
        use EloScale::{Logistic, Normalised};
        for (counts, elo0, elo1, scale, llr) in [
            ([253, 4282, 17604, 4431, 286], -0.25, 1.25, Logistic, 2.94),
            ([59, 754, 2467, 865, 75], -0.5, 1.5, Logistic, 2.95),
            ([264, 5737, 31270, 5964, 269], -0.5, 2.5, Normalised, 2.97),
            ([117, 4287, 9664, 4481, 135], -0.5, 2.5, Normalised, 2.95),
            ([11, 1383, 3682, 1571, 17], 0.5, 3.5, Normalised, 2.94),
            ([327, 8113, 21317, 8168, 347], -2.25, 0.25, Normalised, 2.96),
        ] {
            let found = test(elo0, elo1, scale).llr(&Pentanomial { counts });
            assert!((found - llr).abs() < 0.012, "{found} is not {llr}");
        }
    }

    #[test]
    fn bounds_are_walds() {
        let state = test(0.0, 5.0, EloScale::Logistic).state(&Pentanomial::default());
        assert!((state.lower + 2.944).abs() < 1e-3 && (state.upper - 2.944).abs() < 1e-3);
        assert_eq!((state.llr, state.verdict), (0.0, Verdict::Undecided));
    }

    #[test]
    fn hypotheses_in_the_wrong_order_are_refused() {
        assert!(test(5.0, 0.0, EloScale::Logistic).validate().is_err());
        assert!(test(f64::NAN, 0.0, EloScale::Logistic).validate().is_err());
        assert!(Sprt { alpha: 0.0, ..test(0.0, 5.0, EloScale::Logistic) }.validate().is_err());
        assert_eq!(test(0.0, 5.0, EloScale::Normalised).validate(), Ok(()));
    }

    #[test]
    fn a_sweep_is_decided_and_never_infinite() {
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            let sweep = test(0.0, 200.0, scale).state(&Pentanomial { counts: [0, 0, 0, 0, 60] });
            assert!(sweep.llr.is_finite() && sweep.verdict == Verdict::AcceptH1, "{sweep:?}");
            let swept = test(0.0, 200.0, scale).state(&Pentanomial { counts: [60, 0, 0, 0, 0] });
            assert!(swept.llr.is_finite() && swept.verdict == Verdict::AcceptH0, "{swept:?}");
        }
    }
}
