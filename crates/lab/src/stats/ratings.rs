//! Ratings of more than two players from all their matches: the model of Bradley and Terry.

use serde::{Deserialize, Serialize};

use super::{Estimate, Interval, Outcomes, Z95};

/// One natural unit of the model in Elo.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The match of two of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadToHead<const N: usize> {
    /// The number of the first player.
    pub first: usize,
    /// The number of the second player.
    pub second: usize,
    /// The results as the first player sees them.
    pub results: Outcomes<N>,
}

/// A player's rating. The mean of all ratings is 0.
pub type Rating = Estimate;

/// Why no ratings can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum RatingsError {
    /// Some players have met nobody of the others, not even through third players.
    #[error("no ratings: not all players are connected by matches")]
    Disconnected,
    /// A match names a player that does not exist, or a player against itself.
    #[error("no ratings: a match names player {0}, which it cannot")]
    Player(usize),
}

/// Ratings in Elo with 95% intervals, by maximum likelihood; a draw is half a win for both.
///
/// `prior_draws` drawn games are added to every match that was played, so that a player who won everything has a finite
/// rating; 0 gives plain maximum likelihood. The intervals use the spread of the observed results (White's sandwich),
/// so draws and colour-swapped pairs make them as narrow as they deserve; where nearly everything is won they take the
/// spread that the model expects.
pub fn bradley_terry<const N: usize>(
    players: usize,
    matches: &[HeadToHead<N>],
    prior_draws: f64,
) -> Result<Vec<Rating>, RatingsError> {
    check(players, matches)?;
    let mut strengths = vec![0.0; players];
    for _ in 0..100 {
        let (gradient, curvature) = slopes(&strengths, matches, prior_draws);
        let inverse = invert(&with_gauge(curvature));
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        // The likelihood is concave; a bounded step keeps the first ones inside its quadratic part.
        let largest = step.iter().fold(0f64, |largest, change| largest.max(change.abs()));
        let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
        strengths.iter_mut().zip(&step).for_each(|(strength, change)| *strength += scale * change);
        if largest < 1e-12 {
            break;
        }
    }
    let errors = standard_errors(&strengths, matches, prior_draws);
    let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
    Ok(strengths
        .iter()
        .zip(errors)
        .map(|(strength, error)| {
            let elo = (strength - mean) * ELO;
            Estimate { value: elo, interval: Some(Interval::around(elo, Z95 * error * ELO)) }
        })
        .collect())
}

fn check<const N: usize>(players: usize, matches: &[HeadToHead<N>]) -> Result<(), RatingsError> {
    let mut group: Vec<usize> = (0..players).collect();
    for pairing in matches {
        let (first, second) = (pairing.first, pairing.second);
        if first >= players || first == second {
            return Err(RatingsError::Player(first));
        }
        if second >= players {
            return Err(RatingsError::Player(second));
        }
        if pairing.results.observations() > 0 {
            let (kept, joined) = (group[first], group[second]);
            group.iter_mut().filter(|group| **group == joined).for_each(|group| *group = kept);
        }
    }
    if group.windows(2).all(|two| two[0] == two[1]) { Ok(()) } else { Err(RatingsError::Disconnected) }
}

/// A match in games: how many, the first player's points, and the expected score.
fn in_games<const N: usize>(pairing: &HeadToHead<N>, strengths: &[f64], prior_draws: f64) -> Option<(f64, f64, f64)> {
    let mean = pairing.results.score()?;
    let games = pairing.results.observations() as f64 * Outcomes::<N>::GAMES_EACH;
    let expected = 1.0 / (1.0 + (strengths[pairing.second] - strengths[pairing.first]).exp());
    Some((games + prior_draws, games * mean + prior_draws / 2.0, expected))
}

/// The gradient and the negative second derivative of the log-likelihood.
fn slopes<const N: usize>(strengths: &[f64], matches: &[HeadToHead<N>], prior_draws: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = strengths.len();
    let mut gradient = vec![0.0; players];
    let mut curvature = vec![vec![0.0; players]; players];
    for pairing in matches {
        let Some((games, points, expected)) = in_games(pairing, strengths, prior_draws) else { continue };
        gradient[pairing.first] += points - games * expected;
        gradient[pairing.second] -= points - games * expected;
        add_contrast(&mut curvature, pairing, games * expected * (1.0 - expected));
    }
    (gradient, curvature)
}

/// Adds `weight` times the outer product of "first minus second" with itself.
fn add_contrast<const N: usize>(matrix: &mut [Vec<f64>], pairing: &HeadToHead<N>, weight: f64) {
    let (a, b) = (pairing.first, pairing.second);
    matrix[a][a] += weight;
    matrix[b][b] += weight;
    matrix[a][b] -= weight;
    matrix[b][a] -= weight;
}

fn standard_errors<const N: usize>(strengths: &[f64], matches: &[HeadToHead<N>], prior_draws: f64) -> Vec<f64> {
    let players = strengths.len();
    let (_, curvature) = slopes(strengths, matches, prior_draws);
    let inverse = invert(&with_gauge(curvature));
    let mut spread = vec![vec![0.0; players]; players];
    for pairing in matches {
        let Some((_, _, expected)) = in_games(pairing, strengths, prior_draws) else { continue };
        let squares: f64 = (pairing.results.counts.iter().enumerate())
            .map(|(i, &count)| count as f64 * (Outcomes::<N>::value(i) - expected).powi(2))
            .sum();
        let likely = pairing.results.observations() as f64 * expected * (1.0 - expected);
        // One observation of the largest possible spread on top, as `Outcomes::elo` has it: equal results do not look certain.
        let observed = likely * (squares + 0.25) / (likely + 0.25) * Outcomes::<N>::GAMES_EACH.powi(2);
        // The drawn games of the prior are results like others: in a lopsided match they are far from what was expected.
        let variance = observed + prior_draws * (0.5 - expected).powi(2);
        add_contrast(&mut spread, pairing, variance);
    }
    (0..players)
        .map(|player| {
            let weighted: Vec<f64> = spread.iter().map(|row| dot(row, &inverse[player])).collect();
            dot(&weighted, &inverse[player]).max(0.0).sqrt()
        })
        .collect()
}

/// Ratings are only defined up to a constant, so the curvature has no inverse; adding the same number everywhere pins
/// the mean and leaves all differences alone.
fn with_gauge(mut curvature: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let share = 1.0 / curvature.len().max(1) as f64;
    curvature.iter_mut().flatten().for_each(|entry| *entry += share);
    curvature
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a positive definite matrix by Gauss and Jordan.
fn invert(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| row.iter().copied().chain((0..size).map(|j| f64::from(u8::from(i == j)))).collect())
        .collect();
    for column in 0..size {
        let scale = 1.0 / rows[column][column].max(f64::MIN_POSITIVE);
        rows[column].iter_mut().for_each(|entry| *entry *= scale);
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(i, _)| i != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    rows.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Trinomial;

    /// Wins of the row over the column: Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore (American
    /// League East 1987; Agresti, Categorical Data Analysis, 2nd edition, table 10.10).
    const BASEBALL: [[u64; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];

    fn season() -> Vec<HeadToHead<3>> {
        let mut matches = Vec::new();
        for (first, wins) in BASEBALL.iter().enumerate() {
            for (second, losses) in BASEBALL.iter().enumerate().skip(first + 1) {
                let results = Trinomial::new(wins[second], 0, losses[first]);
                matches.push(HeadToHead { first, second, results });
            }
        }
        matches
    }

    /// Table 10.11 of the same book, with Baltimore at 0.
    #[test]
    fn the_baseball_season_has_agrestis_ratings() {
        let ratings = bradley_terry(7, &season(), 0.0).unwrap();
        let published = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0];
        for (rating, published) in ratings.iter().zip(published) {
            let found = (rating.value - ratings[6].value) / ELO;
            assert!((found - published).abs() < 0.006, "{found} is not {published}");
        }
        assert!(ratings.iter().map(|rating| rating.value).sum::<f64>().abs() < 1e-9);
    }

    #[test]
    fn two_players_differ_by_their_elo() {
        let results = Trinomial::new(60, 20, 20);
        let ratings = bradley_terry(2, &[HeadToHead { first: 0, second: 1, results }], 0.0).unwrap();
        let difference = ratings[0].value - ratings[1].value;
        assert!((difference - results.elo().unwrap().value).abs() < 1e-9);
    }

    #[test]
    fn a_sweep_is_finite_and_strangers_are_not_compared() {
        let sweep = HeadToHead { first: 0, second: 1, results: Trinomial::new(40, 0, 0) };
        let ratings = bradley_terry(2, &[sweep], 1.0).unwrap();
        assert!(ratings[0].value > 200.0 && ratings[0].value.is_finite());
        let interval = ratings[0].interval.unwrap();
        assert!(interval.low > 0.0 && interval.half_width() > 150.0, "a sweep says who is better, and not by how much");
        assert_eq!(bradley_terry(3, &[sweep], 1.0), Err(RatingsError::Disconnected));
        assert_eq!(bradley_terry(1, &[sweep], 1.0), Err(RatingsError::Player(1)));
        assert_eq!(bradley_terry::<3>(0, &[], 1.0), Ok(vec![]));
    }
}
