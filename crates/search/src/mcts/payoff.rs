//! From values to payoffs.

use afterstate_game::{Outcome, Side};

use super::settings::{Over, Payoff, Scale};

impl Payoff {
    /// The payoff of a value in the unit of the evaluation. What is not a number counts as a draw, so that one bad
    /// value cannot spoil every mean above it.
    #[inline]
    pub(super) fn of(&self, value: f64) -> f64 {
        let value = if value.is_finite() { value } else { 0.0 };
        match self.scale {
            Scale::Raw => value,
            Scale::Linear { half_range } => (value / half_range).clamp(-1.0, 1.0).mul_add(0.5, 0.5),
            Scale::Logistic { scale } => (1.0 + (-value / scale).exp()).recip(),
        }
    }

    /// The same payoff for the other side.
    #[inline]
    pub(super) fn flipped(&self, payoff: f64) -> f64 {
        match self.scale {
            Scale::Raw => -payoff,
            Scale::Linear { .. } | Scale::Logistic { .. } => 1.0 - payoff,
        }
    }

    /// The value of a finished game for `side`; `judged` is asked for it where the evaluation decides.
    #[inline]
    pub(super) fn of_outcome(&self, outcome: Outcome, side: Side, judged: impl FnOnce() -> f64) -> f64 {
        match (outcome, self.over) {
            (Outcome::Over, Over::Evaluation) => judged(),
            (Outcome::Over, Over::Worth(value)) => value,
            (Outcome::Won(_) | Outcome::Drawn, _) => self.win * f64::from(outcome.sign_for(side)),
        }
    }
}
