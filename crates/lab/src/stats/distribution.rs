//! The distribution of a whole-number measure (score, moves, marbles) over many games.

use std::collections::BTreeMap;

use afterstate_game::Dice;

use super::{Estimate, Interval, normal_cdf, student_quantile};

/// More distinct values than this are counted in wider classes, so that memory does not grow with the games.
const MAX_CLASSES: usize = 1 << 17;
/// Up to this many values the interval of the mean is bootstrapped. Beyond, Student's interval differs from it by less
/// than the bootstrap's own noise and costs nothing.
const BOOTSTRAP_LIMIT: u64 = 5_000;
/// From this many values on it is bootstrapped: no resample reaches beyond the values themselves, and of fewer than these the
/// true mean often lies beyond all.
const BOOTSTRAP_FROM: u64 = 8;
const RESAMPLES: usize = 2_000;
/// Fixed, so that a report is the same every time.
const BOOTSTRAP_SEED: u64 = 0x0b00_757a;

/// How often each value occurred. Mean and spread are exact; quantiles are exact until there are more than 131,072
/// distinct values, and exact to a few units beyond that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    classes: BTreeMap<i64, u64>,
    /// The width of a class: the value `v` is counted in class `v / width`, rounded down.
    width: i64,
    count: u64,
    sum: i128,
    sum_of_squares: i128,
    min: i64,
    max: i64,
}

impl Default for Distribution {
    fn default() -> Self {
        Self { classes: BTreeMap::new(), width: 1, count: 0, sum: 0, sum_of_squares: 0, min: i64::MAX, max: i64::MIN }
    }
}

impl Distribution {
    /// Counts one value.
    pub fn add(&mut self, value: i64) {
        *self.classes.entry(value.div_euclid(self.width)).or_default() += 1;
        self.count += 1;
        self.sum += i128::from(value);
        self.sum_of_squares += i128::from(value) * i128::from(value);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        if self.classes.len() > MAX_CLASSES {
            self.widen();
        }
    }

    fn widen(&mut self) {
        self.width *= 2;
        let mut wider = BTreeMap::new();
        for (&class, &count) in &self.classes {
            *wider.entry(class.div_euclid(2)).or_default() += count;
        }
        self.classes = wider;
    }

    /// The number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all values.
    #[must_use]
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// The smallest value.
    #[must_use]
    pub fn min(&self) -> Option<i64> {
        (self.count > 0).then_some(self.min)
    }

    /// The largest value.
    #[must_use]
    pub fn max(&self) -> Option<i64> {
        (self.count > 0).then_some(self.max)
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The standard deviation of the population that the values were drawn from.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let n = i128::from(self.count);
        // In whole numbers there is no cancellation to fear.
        let scaled = n.checked_mul(self.sum_of_squares).zip(self.sum.checked_mul(self.sum)).map(|(a, b)| a - b);
        let numerator = scaled.map_or_else(
            || n as f64 * self.sum_of_squares as f64 - self.sum as f64 * self.sum as f64,
            |exact| exact as f64,
        );
        Some((numerator.max(0.0) / (n as f64 * (n - 1) as f64)).sqrt())
    }

    /// The value below which a share `q` of the values lies; between two values their weighted mean (definition 7 of
    /// Hyndman and Fan 1996).
    #[must_use]
    pub fn quantile(&self, q: f64) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        let place = q.clamp(0.0, 1.0) * (self.count - 1) as f64;
        let (low, high) = (self.nth(place.floor() as u64), self.nth(place.ceil() as u64));
        Some(low + (high - low) * place.fract())
    }

    /// The middle value.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// The value at a place in ascending order; the middle of its class where classes are wide.
    fn nth(&self, place: u64) -> f64 {
        let mut seen = 0;
        let class = self.classes.iter().find(|&(_, &count)| {
            seen += count;
            seen > place
        });
        class.map_or(self.max as f64, |(&class, _)| (class * self.width) as f64 + (self.width - 1) as f64 / 2.0)
    }

    /// The mean with its 95% interval: a bootstrap, but Student's for fewer than 8 values and for more than 5,000.
    #[must_use]
    pub fn mean_estimate(&self) -> Option<Estimate> {
        let interval = if (BOOTSTRAP_FROM..=BOOTSTRAP_LIMIT).contains(&self.count) && self.width == 1 {
            self.bootstrap_interval()
        } else {
            self.student_interval()
        };
        Some(Estimate { value: self.mean()?, interval })
    }

    /// Student's 95% interval of the mean; `None` for fewer than two values.
    #[must_use]
    pub fn student_interval(&self) -> Option<Interval> {
        let error = self.deviation()? / (self.count as f64).sqrt();
        Some(Interval::around(self.mean()?, student_quantile((self.count - 1) as f64) * error))
    }

    /// The 95% bootstrap interval of the mean; `None` for fewer than two values.
    ///
    /// The percentile bootstrap is too narrow for small samples; its percentiles are moved outwards so that it is as
    /// wide as Student's interval where both are right (Hesterberg 2015, "What Teachers Should Know About the
    /// Bootstrap", expanded percentile interval). It ends with the smallest and the largest value, so that of fewer than 8
    /// values it covers much too seldom.
    #[must_use]
    pub fn bootstrap_interval(&self) -> Option<Interval> {
        if self.count < 2 {
            return None;
        }
        let values = self.sorted_values();
        let n = values.len();
        let mut dice = Dice::seeded(BOOTSTRAP_SEED);
        let mut sums: Vec<i64> =
            (0..RESAMPLES).map(|_| (0..n).map(|_| values[dice.below(n as u32) as usize]).sum()).collect();
        sums.sort_unstable();
        let size = n as f64;
        let tail = normal_cdf(-(size / (size - 1.0)).sqrt() * student_quantile(size - 1.0));
        Some(Interval { low: interpolated(&sums, tail) / size, high: interpolated(&sums, 1.0 - tail) / size })
    }

    fn sorted_values(&self) -> Vec<i64> {
        self.classes
            .iter()
            .flat_map(|(&class, &count)| std::iter::repeat_n(class * self.width, count as usize))
            .collect()
    }

    /// Every class with its lowest value, its width and its count, in ascending order.
    pub fn classes(&self) -> impl Iterator<Item = (i64, i64, u64)> + '_ {
        self.classes.iter().map(|(&class, &count)| (class * self.width, self.width, count))
    }
}

fn interpolated(sorted: &[i64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize] as f64, sorted[place.ceil() as usize] as f64);
    low + (high - low) * place.fract()
}

impl FromIterator<i64> for Distribution {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Self {
        let mut distribution = Self::default();
        values.into_iter().for_each(|value| distribution.add(value));
        distribution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Michelson's first twenty determinations of the speed of light (1879, km/s minus 299,000; data set `morley` of
    /// R, experiment 1): mean 909, sd 104.926, median 940.
    #[test]
    fn michelsons_speed_of_light_has_its_published_summary() {
        let run =
            [850, 740, 900, 1070, 930, 850, 950, 980, 980, 880, 1000, 980, 930, 650, 760, 810, 1000, 1000, 960, 960];
        let distribution: Distribution = run.into_iter().collect();
        assert_eq!(distribution.mean(), Some(909.0));
        assert!((distribution.deviation().unwrap() - 104.926).abs() < 1e-3);
        assert_eq!(distribution.median(), Some(940.0));
        let student = distribution.student_interval().unwrap();
        assert!((student.half_width() - 2.093 * 104.926 / 20f64.sqrt()).abs() < 0.05);
    }

    #[test]
    fn quantiles_interpolate_between_values() {
        let distribution: Distribution = [1, 2, 3, 4].into_iter().collect();
        assert_eq!(distribution.quantile(0.25), Some(1.75));
        assert_eq!(distribution.median(), Some(2.5));
        assert_eq!(distribution.quantile(1.0), Some(4.0));
    }

    #[test]
    fn too_few_values_have_no_interval_and_none_have_no_mean() {
        let one: Distribution = [7].into_iter().collect();
        assert_eq!(one.mean_estimate(), Some(Estimate { value: 7.0, interval: None }));
        assert_eq!(Distribution::default().mean_estimate(), None);
        assert_eq!(Distribution::default().median(), None);
    }

    #[test]
    fn memory_is_bounded_and_wide_classes_keep_the_mean_exact() {
        let values = (0..4 * MAX_CLASSES as i64).map(|i| i * 3);
        let distribution: Distribution = values.clone().collect();
        assert!(distribution.classes.len() <= MAX_CLASSES);
        assert_eq!(distribution.mean(), Some(values.clone().sum::<i64>() as f64 / values.clone().count() as f64));
        let median = distribution.median().unwrap();
        assert!((median / distribution.mean().unwrap() - 1.0).abs() < 1e-4);
        let backwards: Distribution = values.rev().collect();
        assert_eq!(backwards, distribution, "the order of the values does not matter");
    }
}
