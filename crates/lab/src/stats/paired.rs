//! Two agents on the same chance: the difference game by game.

use serde::{Deserialize, Serialize};

use super::{Distribution, Estimate, binomial_two_sided};

/// Counts the differences of a paired comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairedTally {
    differences: Distribution,
    first_better: u64,
    second_better: u64,
}

/// What a paired comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedSummary {
    /// Games that both agents played.
    pub pairs: u64,
    /// The mean of first minus second.
    pub difference: Option<Estimate>,
    /// Games in which the first agent was better.
    pub first_better: u64,
    /// Games in which the second agent was better.
    pub second_better: u64,
    /// Games in which both were equal.
    pub equal: u64,
    /// The two-sided sign test: how likely so uneven a split is between equals. Equal games are left out.
    pub sign_test: f64,
}

impl PairedTally {
    /// Counts one game that both played.
    pub fn add(&mut self, first: i64, second: i64) {
        self.differences.add(first - second);
        self.first_better += u64::from(first > second);
        self.second_better += u64::from(second > first);
    }

    /// The mean difference with Student's interval, which costs less than that of [`Self::summary`].
    #[must_use]
    pub fn headline(&self) -> Option<Estimate> {
        Some(Estimate { value: self.differences.mean()?, interval: self.differences.student_interval() })
    }

    /// What the games so far say.
    #[must_use]
    pub fn summary(&self) -> PairedSummary {
        let pairs = self.differences.count();
        PairedSummary {
            pairs,
            difference: self.differences.mean_estimate(),
            first_better: self.first_better,
            second_better: self.second_better,
            equal: pairs - self.first_better - self.second_better,
            sign_test: binomial_two_sided(self.first_better, self.second_better),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Darwin's cross- and self-fertilised maize in eighths of an inch (Fisher, The Design of Experiments, 1935, section
    /// 17): mean difference 20.93 eighths, 13 of 15 pairs positive.
    #[test]
    fn darwins_maize_gives_fishers_difference() {
        let crossed = [188, 96, 168, 176, 153, 172, 177, 163, 146, 173, 186, 168, 177, 184, 96];
        let selfed = [139, 163, 160, 160, 147, 149, 149, 122, 132, 144, 130, 144, 102, 124, 144];
        let mut tally = PairedTally::default();
        crossed.into_iter().zip(selfed).for_each(|(a, b)| tally.add(a, b));
        let summary = tally.summary();
        let difference = summary.difference.unwrap();
        assert!((difference.value - 20.933).abs() < 1e-3);
        assert_eq!((summary.first_better, summary.second_better, summary.equal), (13, 2, 0));
        assert!((summary.sign_test - 0.007_385).abs() < 1e-6, "{}", summary.sign_test);
        // Fisher's t interval is 0.03 to 41.84.
        let student = tally.differences.student_interval().unwrap();
        assert!((student.low - 0.03).abs() < 0.02 && (student.high - 41.84).abs() < 0.02, "{student:?}");
    }
}
