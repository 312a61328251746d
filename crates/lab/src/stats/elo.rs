//! How much stronger: Elo differences, normalised Elo and the likelihood of superiority.

use serde::{Deserialize, Serialize};

use super::{Estimate, Interval, Outcomes, Z95, normal_cdf, wilson};

/// One unit of a player's score per standard deviation of a game, in normalised Elo (Van den Bergh, "Normalized Elo",
/// 2021): 800 / ln 10.
pub(super) const NORMALISED_UNIT: f64 = 347.435_585_522_601_4;

/// What an Elo figure means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// The usual one: a score of `1 / (1 + 10^(-elo / 400))`.
    #[default]
    Logistic,
    /// Score above one half in standard deviations of a game: proportional to how quickly a match can tell the
    /// difference, and nearly independent of openings and draws.
    Normalised,
}

/// The expected score of a player who is stronger by this many Elo.
#[must_use]
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference that explains a score; infinite for 0 and 1.
#[must_use]
pub fn elo_from_score(score: f64) -> f64 {
    // Not the negative of a product: an even score is worth 0, which reads better than -0.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

impl<const N: usize> Outcomes<N> {
    /// The Elo difference with its 95% interval; `None` without games.
    ///
    /// The interval is Wilson's for the score, with as many effective games as the spread of the observations says: it
    /// stays inside `0..=1` and keeps its coverage when nearly everything is won. One observation of the largest
    /// possible spread is assumed on top, so that a few equal results do not look certain.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        let moments = self.moments();
        if moments.observations == 0.0 {
            return None;
        }
        let (n, mean) = (moments.observations, moments.mean);
        let spread = (n * moments.variance + 0.25) / (n * mean * (1.0 - mean) + 0.25);
        let effective = n / spread;
        let interval = wilson(mean * effective, effective).map(elo_from_score);
        Some(Estimate { value: elo_from_score(mean), interval: Some(interval) })
    }

    /// The normalised Elo difference with its 95% interval; `None` where all observations are equal.
    ///
    /// The variance of a standardised mean is that of the Sharpe ratio (Mertens 2002): it counts that the standard
    /// deviation is estimated too.
    #[must_use]
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let moments = self.moments();
        if moments.variance <= 0.0 {
            return None;
        }
        let deviation = moments.variance.sqrt();
        let t = (moments.mean - 0.5) / deviation;
        let skewness = moments.third / deviation.powi(3);
        let kurtosis = moments.fourth / deviation.powi(4);
        let error = ((1.0 - t * skewness + t * t * (kurtosis - 1.0) / 4.0).max(0.0) / moments.observations).sqrt();
        let unit = NORMALISED_UNIT / Self::GAMES_EACH.sqrt();
        Some(Estimate { value: t * unit, interval: Some(Interval::around(t * unit, Z95 * error * unit)) })
    }

    /// The likelihood of superiority: how sure it is that the first player is the stronger one. For single games this is
    /// the usual `Phi((won - lost) / sqrt(won + lost))`.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        let lead = |index: usize| Self::value(index) - 0.5;
        let sum: f64 = self.counts.iter().enumerate().map(|(i, &count)| count as f64 * lead(i)).sum();
        let squares: f64 = self.counts.iter().enumerate().map(|(i, &count)| count as f64 * lead(i).powi(2)).sum();
        if squares == 0.0 { 0.5 } else { normal_cdf(sum / squares.sqrt()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Pentanomial, Trinomial};

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(score_from_elo(400.0), 10.0 / 11.0, 1e-15);
        close(elo_from_score(0.75), 190.848_501_887_864_98, 1e-9);
        for elo in [-700.0, -3.0, 0.0, 55.5, 1200.0] {
            close(elo_from_score(score_from_elo(elo)), elo, 1e-9);
        }
        assert_eq!(elo_from_score(0.5).to_string(), "0", "an even score is not worth -0");
    }

    /// Figures printed by fastchess for these pairs: (pairs, Elo, its half-width, nElo). Its intervals are Wald's, so they
    /// agree up to some percent and not more; its intervals of nElo take the standard deviation as known and are left out.
    /// <https://github.com/Disservin/fastchess/issues/807>, <https://github.com/Disservin/fastchess/issues/1007>
    #[test]
    fn pairs_give_the_elo_that_fastchess_prints() {
        for (counts, elo, elo_error, normalised) in [
            ([30, 6, 18, 0, 6], -168.40, 73.37, -170.08),
            ([5, 5, 36, 22, 22], 101.21, 42.63, 128.22),
            ([1, 3, 4, 1, 4], 53.88, 134.87, 57.12),
        ] {
            let pairs = Pentanomial { counts };
            let estimate = pairs.elo().unwrap();
            close(estimate.value, elo, 0.006);
            close(estimate.interval.unwrap().half_width() / elo_error, 1.0, 0.12);
            close(pairs.normalised_elo().unwrap().value, normalised, 0.006);
        }
    }

    /// The example of the Chess Programming Wiki, "Match Statistics": LOS = Phi((wins - losses) / sqrt(wins + losses)).
    #[test]
    fn superiority_is_the_formula_of_the_wiki() {
        close(Trinomial::new(30, 100, 20).superiority(), normal_cdf(10.0 / 50f64.sqrt()), 1e-14);
        close(Trinomial::new(0, 9, 0).superiority(), 0.5, 0.0);
        assert!(Pentanomial { counts: [0, 0, 0, 0, 20] }.superiority() > 0.99);
    }

    #[test]
    fn a_clean_sweep_has_a_finite_lower_end() {
        let sweep = Pentanomial { counts: [0, 0, 0, 0, 20] };
        let interval = sweep.elo().unwrap().interval.unwrap();
        assert!(interval.low > 200.0 && interval.low.is_finite() && interval.high == f64::INFINITY, "{interval:?}");
        assert_eq!(sweep.normalised_elo(), None);
        assert_eq!(Pentanomial::default().elo(), None);
    }
}
