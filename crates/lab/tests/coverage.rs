//! The promises of the statistics, kept in simulated experiments whose truth is known.

use afterstate_game::Dice;
use afterstate_lab::stats::{
    Distribution, EloScale, HeadToHead, Interval, PairedTally, Pentanomial, Rate, Sprt, Verdict, bradley_terry,
    elo_from_score, score_from_elo,
};

const EXPERIMENTS: u32 = 2_000;

/// Fails unless the intervals of simulated experiments contain the truth in 93% to 97% of them.
fn check_coverage(what: &str, truth: f64, experiment: impl FnMut(&mut Dice) -> Interval) {
    let share = coverage(truth, experiment);
    assert!((0.93..=0.97).contains(&share), "{what}: the interval covers in {:.1}%", 100.0 * share);
}

/// The share of simulated experiments whose intervals contain the truth.
fn coverage(truth: f64, mut experiment: impl FnMut(&mut Dice) -> Interval) -> f64 {
    let mut dice = Dice::seeded(95);
    let covered = (0..EXPERIMENTS).filter(|_| experiment(&mut dice).contains(truth)).count();
    covered as f64 / f64::from(EXPERIMENTS)
}

/// A score that is skewed like those of 2048: the sum of four exponential variables with mean 1,000.
fn skewed_score(dice: &mut Dice) -> i64 {
    (0..4).map(|_| -1000.0 * (1.0 - dice.unit()).ln()).sum::<f64>() as i64
}

/// The mean of [`skewed_score`]: rounding down takes one half.
const SKEWED_MEAN: f64 = 3999.5;

#[test]
fn intervals_of_the_mean_cover_skewed_scores() {
    for games in [20, 50, 200] {
        check_coverage(&format!("bootstrap of {games}"), SKEWED_MEAN, |dice| {
            let scores: Distribution = (0..games).map(|_| skewed_score(dice)).collect();
            scores.bootstrap_interval().unwrap()
        });
        check_coverage(&format!("student of {games}"), SKEWED_MEAN, |dice| {
            let scores: Distribution = (0..games).map(|_| skewed_score(dice)).collect();
            scores.student_interval().unwrap()
        });
    }
}

/// A score like the normal distribution's, with mean 6,000: the sum of twelve even ones.
fn even_score(dice: &mut Dice) -> i64 {
    (0..12).map(|_| 1000.0 * dice.unit()).sum::<f64>().round() as i64
}

#[test]
fn intervals_of_the_mean_cover_few_games() {
    let mean_of = |games, score: fn(&mut Dice) -> i64| {
        move |dice: &mut Dice| {
            let scores: Distribution = (0..games).map(|_| score(dice)).collect();
            scores.mean_estimate().unwrap().interval.unwrap()
        }
    };
    for games in [2, 3, 5, 8, 12] {
        check_coverage(&format!("mean of {games}"), 6000.0, mean_of(games, even_score));
        // Nothing that knows so few values can make up for their skewness; it may cost a few percent and no more.
        let share = coverage(SKEWED_MEAN, mean_of(games, skewed_score));
        assert!(share >= 0.9, "mean of {games} skewed: the interval covers in {:.1}%", 100.0 * share);
    }
}

/// Counts are discrete, so the coverage at one probability jumps about 95% with every game more; what Wilson's interval
/// promises is the mean over the probabilities (Agresti and Coull 1998).
#[test]
fn wilson_intervals_cover_rare_and_common_tiles() {
    for (from, to, games) in [(0.0, 1.0, 50), (0.02, 0.2, 100), (0.8, 0.98, 300)] {
        let mut dice = Dice::seeded(95);
        let covered = (0..EXPERIMENTS).filter(|_| {
            let truth = from + (to - from) * dice.unit();
            Rate::new((0..games).filter(|_| dice.chance(truth)).count() as u64, games).interval.contains(truth)
        });
        let share = covered.count() as f64 / f64::from(EXPERIMENTS);
        assert!((0.93..=0.97).contains(&share), "{from} to {to}: the interval covers in {:.1}%", 100.0 * share);
    }
}

#[test]
fn paired_differences_are_covered_and_narrower_than_unpaired_ones() {
    check_coverage("paired difference", 200.0, |dice| {
        let mut tally = PairedTally::default();
        for _ in 0..50 {
            // Both agents share the luck of the game and have some of their own.
            let luck = skewed_score(dice);
            tally.add(luck + 200 + skewed_score(dice) / 4, luck + skewed_score(dice) / 4);
        }
        tally.summary().difference.unwrap().interval.unwrap()
    });
}

/// The result of a pair whose games share an opening: the two are correlated.
fn play_pair(dice: &mut Dice, score: f64, drawish: f64) -> usize {
    let draw = drawish * 2.0 * score.min(1.0 - score);
    let win = score - draw / 2.0;
    // A biased opening favours whoever plays first, so the colour-swapped games pull apart.
    let bias = 0.3 * win.min(1.0 - win - draw) * if dice.chance(0.5) { 1.0 } else { -1.0 };
    [bias, -bias]
        .map(|bias| match dice.unit() {
            roll if roll < win + bias => 2,
            roll if roll < win + bias + draw => 1,
            _ => 0,
        })
        .iter()
        .sum()
}

fn play_match(dice: &mut Dice, pairs: u32, score: f64, drawish: f64) -> Pentanomial {
    let mut results = Pentanomial::default();
    (0..pairs).for_each(|_| results.add(play_pair(dice, score, drawish)));
    results
}

#[test]
fn elo_intervals_cover_equal_and_unequal_players() {
    for (elo, pairs, drawish) in [(0.0, 100, 0.3), (80.0, 100, 0.5), (200.0, 50, 0.2), (400.0, 200, 0.1)] {
        check_coverage(&format!("{elo} Elo, {pairs} pairs"), elo, |dice| {
            play_match(dice, pairs, score_from_elo(elo), drawish).elo().unwrap().interval.unwrap()
        });
    }
}

#[test]
fn normalised_elo_intervals_cover() {
    for elo in [0.0, 60.0, 150.0] {
        // The truth is the value of a match so long that its own error does not matter.
        let truth =
            play_match(&mut Dice::seeded(1), 4_000_000, score_from_elo(elo), 0.4).normalised_elo().unwrap().value;
        check_coverage(&format!("{truth} normalised Elo"), truth, |dice| {
            play_match(dice, 150, score_from_elo(elo), 0.4).normalised_elo().unwrap().interval.unwrap()
        });
    }
}

/// The rating of one of several players after everybody has met everybody.
fn rating(dice: &mut Dice, strengths: &[f64], pairs: u32, player: usize) -> Interval {
    let mut matches = Vec::new();
    for first in 0..strengths.len() {
        for second in first + 1..strengths.len() {
            let score = score_from_elo(strengths[first] - strengths[second]);
            matches.push(HeadToHead { first, second, results: play_match(dice, pairs, score, 0.3) });
        }
    }
    let ratings = bradley_terry(strengths.len(), &matches, 1.0).expect("players who have met");
    ratings[player].interval.expect("an interval")
}

#[test]
fn bradley_terry_intervals_cover() {
    for (strengths, pairs) in [(&[120.0, 40.0, -60.0, -100.0][..], 60), (&[300.0, -300.0], 20), (&[600.0, -600.0], 20)]
    {
        let what = format!("rating of the first of {strengths:?}");
        check_coverage(&what, strengths[0], |dice| rating(dice, strengths, pairs, 0));
    }
    // The drawn game that is added to every match pulls the ratings of so unequal players together, whatever the interval.
    let strengths = [400.0, 100.0, -500.0];
    for (player, &strength) in strengths.iter().enumerate() {
        let share = coverage(strength, |dice| rating(dice, &strengths, 20, player));
        assert!(share >= 0.9, "rating of {strength}: the interval covers in {:.1}%", 100.0 * share);
    }
}

/// How often H1 is accepted when the players truly differ by `elo` on the test's own scale.
fn share_of_h1(test: &Sprt, score: f64, experiments: u32) -> f64 {
    let mut dice = Dice::seeded(7);
    let accepted = (0..experiments).filter(|_| {
        let mut results = Pentanomial::default();
        loop {
            results.add(play_pair(&mut dice, score, 0.4));
            match test.state(&results).verdict {
                Verdict::Undecided => {}
                verdict => break verdict == Verdict::AcceptH1,
            }
        }
    });
    accepted.count() as f64 / f64::from(experiments)
}

#[test]
fn the_sprt_keeps_its_error_rates() {
    let logistic = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic };
    assert!(share_of_h1(&logistic, score_from_elo(0.0), 1000) <= 0.065);
    assert!(share_of_h1(&logistic, score_from_elo(40.0), 1000) >= 0.935);

    let normalised = Sprt { elo1: 60.0, scale: EloScale::Normalised, ..logistic };
    assert!(share_of_h1(&normalised, 0.5, 500) <= 0.07);
    // The score at which these players differ by 60 normalised Elo.
    let long = |score| play_match(&mut Dice::seeded(2), 1_000_000, score, 0.4).normalised_elo().unwrap().value;
    let score = (0..100).map(|i| 0.5 + f64::from(i) / 1000.0).find(|&score| long(score) >= 60.0).unwrap();
    assert!((20.0..80.0).contains(&elo_from_score(score)));
    assert!(share_of_h1(&normalised, score, 500) >= 0.93);
}
