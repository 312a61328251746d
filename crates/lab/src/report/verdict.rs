//! Published figures beside measured ones: can the difference be chance?

use serde::Serialize;

use crate::experiment::{Reading, Unit};
use crate::stats::{Interval, score_from_elo, wilson};

/// How a measured figure stands to a published one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The difference can be chance.
    Agrees,
    /// More than published, and not by chance.
    Higher,
    /// Less than published, and not by chance.
    Lower,
    /// A cost: how many times the published one it is. Machines differ, so this is no contradiction.
    Times(f64),
    /// There is nothing to judge by: too few games, or a figure whose spread is not known.
    Open,
}

/// How many figures stand how to the published ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// The difference can be chance.
    pub agrees: u64,
    /// More than published.
    pub higher: u64,
    /// Less than published.
    pub lower: u64,
    /// Costs, and figures that cannot be judged.
    pub other: u64,
}

impl FromIterator<Verdict> for Agreement {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut agreement = Self::default();
        for verdict in verdicts {
            *match verdict {
                Verdict::Agrees => &mut agreement.agrees,
                Verdict::Higher => &mut agreement.higher,
                Verdict::Lower => &mut agreement.lower,
                Verdict::Times(_) | Verdict::Open => &mut agreement.other,
            } += 1;
        }
        agreement
    }
}

impl Verdict {
    /// Compares a reading with a value published for `published_games` games.
    ///
    /// Both sides are uncertain. A share is compared by the interval of the difference of two shares (Newcombe 1998,
    /// method 10); a mean by the difference in standard errors, with the spread of the measured games for both. Elo are
    /// compared as the scores that they stand for, because those of a match without a defeat are infinite. Without a number
    /// of published games, the published value is taken as exact.
    #[must_use]
    pub fn of(reading: &Reading, published: f64, published_games: Option<u64>) -> Self {
        let games_ratio = published_games.map_or(0.0, |games| reading.games as f64 / games.max(1) as f64);
        let difference = match (reading.unit, reading.interval) {
            (Unit::Seconds, _) => return Self::Times(reading.value / published),
            (_, None) => return Self::Open,
            (Unit::Percent, Some(interval)) => {
                difference_of_shares(reading.value, interval, published, published_games)
            }
            (Unit::Elo, Some(interval)) => difference_of_means(
                score_from_elo(reading.value),
                interval.map(score_from_elo),
                score_from_elo(published),
                games_ratio,
            ),
            (_, Some(interval)) => difference_of_means(reading.value, interval, published, games_ratio),
        };
        match difference {
            interval if interval.low > 0.0 => Self::Higher,
            interval if interval.high < 0.0 => Self::Lower,
            _ => Self::Agrees,
        }
    }

    /// The verdict in a few words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Agrees => "agrees".to_owned(),
            Self::Higher => "higher".to_owned(),
            Self::Lower => "lower".to_owned(),
            Self::Times(times) if *times >= 1.0 => format!("{times:.1} times the published"),
            Self::Times(times) if *times > 0.0 => format!("1/{:.0} of the published", 1.0 / times),
            Self::Times(_) | Self::Open => "open".to_owned(),
        }
    }
}

/// The interval of measured minus published share, both in percent.
fn difference_of_shares(measured: f64, interval: Interval, published: f64, games: Option<u64>) -> Interval {
    let around_published = games.map_or(Interval { low: published, high: published }, |games| {
        let games = games as f64;
        wilson(published / 100.0 * games, games).map(|share| 100.0 * share)
    });
    let difference = measured - published;
    Interval {
        low: difference - (measured - interval.low).hypot(around_published.high - published),
        high: difference + (interval.high - measured).hypot(published - around_published.low),
    }
}

/// The interval of measured minus published mean; each of its sides is as wide as that of the measured mean, and wider the
/// fewer games were published.
fn difference_of_means(measured: f64, interval: Interval, published: f64, games_ratio: f64) -> Interval {
    let (difference, wider) = (measured - published, (1.0 + games_ratio).sqrt());
    Interval {
        low: difference - wider * (measured - interval.low),
        high: difference + wider * (interval.high - measured),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Pentanomial, Rate};

    fn share(hits: u64, games: u64) -> Reading {
        let rate = Rate::new(hits, games);
        let interval = Some(rate.interval.map(|share| 100.0 * share));
        Reading { value: 100.0 * rate.share, interval, unit: Unit::Percent, games }
    }

    /// Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17
    /// (1998), table II, method 10: 56/70 - 48/80 is 0.0524 to 0.3339.
    #[test]
    fn differences_of_shares_are_those_of_newcombe() {
        let measured = share(56, 70);
        let interval = difference_of_shares(measured.value, measured.interval.unwrap(), 60.0, Some(80));
        assert!((interval.low - 5.24).abs() < 0.01 && (interval.high - 33.39).abs() < 0.01, "{interval:?}");
    }

    #[test]
    fn few_published_games_forgive_more_than_many() {
        let measured = share(700, 1000);
        assert_eq!(Verdict::of(&measured, 64.0, Some(50)), Verdict::Agrees);
        assert_eq!(Verdict::of(&measured, 64.0, None), Verdict::Higher);
        assert_eq!(Verdict::of(&measured, 95.0, Some(50)), Verdict::Lower);
    }

    #[test]
    fn means_are_compared_in_standard_errors() {
        let interval = Some(Interval::around(30_000.0, 1_000.0));
        let mean = Reading { value: 30_000.0, interval, unit: Unit::Count, games: 400 };
        assert_eq!(Verdict::of(&mean, 32_000.0, Some(50)), Verdict::Agrees);
        assert_eq!(Verdict::of(&mean, 34_000.0, Some(50)), Verdict::Lower);
        assert_eq!(Verdict::of(&Reading { interval: None, ..mean }, 34_000.0, None), Verdict::Open);
    }

    /// Won throughout: the Elo difference and the upper end of its interval are infinite.
    #[test]
    fn a_sweep_is_compared_by_the_end_that_faces_the_published_value() {
        let sweep = |counts| {
            let elo = Pentanomial { counts }.elo().unwrap();
            Reading { value: elo.value, interval: elo.interval, unit: Unit::Elo, games: 40 }
        };
        let (won, lost) = (sweep([0, 0, 0, 0, 20]), sweep([20, 0, 0, 0, 0]));
        for games in [None, Some(400)] {
            assert_eq!(Verdict::of(&won, 50.0, games), Verdict::Higher);
            assert_eq!(Verdict::of(&won, 700.0, games), Verdict::Agrees);
            assert_eq!(Verdict::of(&lost, -50.0, games), Verdict::Lower);
            assert_eq!(Verdict::of(&lost, -700.0, games), Verdict::Agrees);
        }
    }

    #[test]
    fn costs_are_told_as_factors() {
        let time = Reading { value: 0.001, interval: None, unit: Unit::Seconds, games: 10 };
        assert_eq!(Verdict::of(&time, 0.2, Some(50)).words(), "1/200 of the published");
    }
}
