//! Results of a match between two players, counted by what they scored.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How often each score occurred, from the first player's point of view: `counts[i]` observations were worth
/// `i / (N - 1)`, from all lost to all won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes<const N: usize> {
    /// The counts, lowest score first.
    pub counts: [u64; N],
}

/// Single games: lost, drawn, won.
pub type Trinomial = Outcomes<3>;

/// Pairs of games from the same opening with colours swapped: 0, 1/2, 1, 3/2 or 2 points. The two games of a pair are
/// not independent, so intervals built on pairs are the right ones.
pub type Pentanomial = Outcomes<5>;

impl<const N: usize> Default for Outcomes<N> {
    fn default() -> Self {
        Self { counts: [0; N] }
    }
}

impl Trinomial {
    /// Games won, drawn and lost by the first player.
    #[must_use]
    pub fn new(won: u64, drawn: u64, lost: u64) -> Self {
        Self { counts: [lost, drawn, won] }
    }

    /// Games won by the first player.
    #[must_use]
    pub fn won(&self) -> u64 {
        self.counts[2]
    }

    /// Games nobody won.
    #[must_use]
    pub fn drawn(&self) -> u64 {
        self.counts[1]
    }

    /// Games lost by the first player.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.counts[0]
    }
}

/// Mean and central moments of the score per observation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) observations: f64,
    pub(super) mean: f64,
    pub(super) variance: f64,
    pub(super) third: f64,
    pub(super) fourth: f64,
}

impl<const N: usize> Outcomes<N> {
    /// The games behind one observation.
    pub const GAMES_EACH: f64 = (N - 1) as f64 / 2.0;

    /// Counts one observation by its score in half points.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.counts.get_mut(half_points) {
            *count += 1;
        }
    }

    /// The number of observations.
    #[must_use]
    pub fn observations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The score in `0..=1`; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.observations() > 0).then(|| self.moments().mean)
    }

    /// The same match seen by the other player.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.counts.reverse();
        self
    }

    pub(super) fn value(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    pub(super) fn moments(&self) -> Moments {
        let observations = self.observations() as f64;
        let expect = |f: &dyn Fn(f64) -> f64| {
            let sum: f64 = self.counts.iter().enumerate().map(|(i, &count)| count as f64 * f(Self::value(i))).sum();
            if observations > 0.0 { sum / observations } else { 0.0 }
        };
        let mean = expect(&|score| score);
        Moments {
            observations,
            mean,
            variance: expect(&|score| (score - mean).powi(2)),
            third: expect(&|score| (score - mean).powi(3)),
            fourth: expect(&|score| (score - mean).powi(4)),
        }
    }
}

impl<const N: usize> std::ops::AddAssign for Outcomes<N> {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

impl<const N: usize> Serialize for Outcomes<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.counts.as_slice().serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Outcomes<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let counts = Vec::<u64>::deserialize(deserializer)?;
        let found = counts.len();
        let counts = counts.try_into().map_err(|_| de::Error::invalid_length(found, &"one count per score"))?;
        Ok(Self { counts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_back_from_text_and_a_wrong_number_is_refused() {
        let pairs = Pentanomial { counts: [1, 2, 3, 4, 5] };
        let text = serde_json::to_string(&pairs).unwrap();
        assert_eq!(text, "[1,2,3,4,5]");
        assert_eq!(serde_json::from_str::<Pentanomial>(&text).unwrap(), pairs);
        assert!(serde_json::from_str::<Trinomial>(&text).is_err());
    }

    #[test]
    fn the_other_player_scores_the_rest() {
        let games = Trinomial::new(5, 3, 2);
        assert_eq!(games.score(), Some(0.65));
        assert!((games.reversed().score().unwrap() - 0.35).abs() < 1e-15);
        assert_eq!(Trinomial::default().score(), None);
    }
}
