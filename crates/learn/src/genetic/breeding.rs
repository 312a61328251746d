//! The genetic operators: how a generation becomes the next one.

use afterstate_game::Dice;
use serde::{Deserialize, Serialize};

use super::brain::{Shape, uniform};
use crate::random::normal;

/// What becomes of a weight that mutates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mutation {
    /// A fresh random weight, as the thesis has it.
    Replace,
    /// Itself and a normal number of this share of the range of random weights.
    Add(f32),
}

/// Draws parents with a probability proportional to their fitness. Where nobody has any, everybody is drawn alike.
pub(super) struct Roulette {
    /// Sums of the fitness up to each individual.
    sums: Vec<f64>,
}

impl Roulette {
    pub(super) fn new(fitness: &[f64]) -> Self {
        let mut sum = 0.0;
        let sums = fitness.iter().map(|fitness| {
            sum += fitness.max(0.0);
            sum
        });
        Self { sums: sums.collect() }
    }

    pub(super) fn draw(&self, dice: &mut Dice) -> usize {
        let total = self.sums.last().copied().unwrap_or(0.0);
        if total <= 0.0 {
            return dice.below(self.sums.len() as u32) as usize;
        }
        let at = dice.unit() * total;
        self.sums.partition_point(|&sum| sum <= at).min(self.sums.len() - 1)
    }
}

/// Everything before a random point from one parent, everything behind it from the other.
pub(super) fn one_point(a: &[f32], b: &[f32], dice: &mut Dice) -> Vec<f32> {
    let point = dice.below(a.len() as u32 + 1) as usize;
    a[..point].iter().chain(&b[point..]).copied().collect()
}

/// Mutates every weight with probability `rate`.
pub(super) fn mutate(weights: &mut [f32], shape: &Shape, rate: f64, mutation: Mutation, scale: f32, dice: &mut Dice) {
    let ranges = Ranges::new(shape, scale);
    // The distance to the next weight that mutates is geometric: one random number for each of them, not for all.
    let mut at = skip(rate, dice);
    while at < weights.len() {
        let range = ranges.at(at);
        weights[at] = match mutation {
            Mutation::Replace => uniform(range, dice),
            Mutation::Add(share) => weights[at] + share * range * normal(dice) as f32,
        };
        at = at.saturating_add(1).saturating_add(skip(rate, dice));
    }
}

fn skip(rate: f64, dice: &mut Dice) -> usize {
    if rate >= 1.0 {
        return 0;
    }
    let gap = (1.0 - dice.unit()).ln() / (1.0 - rate).ln();
    if gap.is_finite() { gap as usize } else { usize::MAX }
}

/// The range of random values at each place of a chromosome.
struct Ranges {
    ends: Vec<(usize, f32)>,
}

impl Ranges {
    fn new(shape: &Shape, scale: f32) -> Self {
        let mut end = 0;
        let ends = shape.ranges().into_iter().map(|(count, range)| {
            end += count;
            (end, scale * range)
        });
        Self { ends: ends.collect() }
    }

    fn at(&self, place: usize) -> f32 {
        self.ends.iter().find(|(end, _)| place < *end).map_or(1.0, |(_, range)| *range)
    }
}

/// The largest and smallest value of every weight in a population.
pub(super) struct Extremes {
    max: Vec<f32>,
    min: Vec<f32>,
}

impl Extremes {
    pub(super) fn of<'a>(mut population: impl Iterator<Item = &'a [f32]>) -> Self {
        let first = population.next().unwrap_or_default();
        let mut extremes = Self { max: first.to_vec(), min: first.to_vec() };
        for weights in population {
            for ((max, min), weight) in extremes.max.iter_mut().zip(&mut extremes.min).zip(weights) {
                *max = max.max(*weight);
                *min = min.min(*weight);
            }
        }
        extremes
    }

    /// The four candidates of the improved crossover (equations 2.3.1 to 2.3.4 of the thesis).
    pub(super) fn crossover(&self, a: &[f32], b: &[f32], w: f32) -> [Vec<f32>; 4] {
        let combine = |rule: fn(f32, f32, f32, f32, f32) -> f32| -> Vec<f32> {
            let bounds = self.max.iter().zip(&self.min);
            a.iter().zip(b).zip(bounds).map(|((&a, &b), (&max, &min))| rule(a, b, max, min, w)).collect()
        };
        [
            combine(|a, b, _, _, _| (a + b) / 2.0),
            combine(|a, b, max, _, w| max * (1.0 - w) + a.max(b) * w),
            combine(|a, b, _, min, w| min * (1.0 - w) + a.min(b) * w),
            combine(|a, b, max, min, w| ((max + min) * (1.0 - w) + (a + b) * w) / 2.0),
        ]
    }
}

/// The three candidates of the improved mutation: one weight, any number of weights, all weights made random.
pub(super) fn mutations(weights: &[f32], shape: &Shape, scale: f32, dice: &mut Dice) -> [Vec<f32>; 3] {
    let ranges = Ranges::new(shape, scale);
    let mut one = weights.to_vec();
    let place = dice.below(weights.len() as u32) as usize;
    one[place] = uniform(ranges.at(place), dice);
    let mut some = weights.to_vec();
    let share = dice.unit();
    mutate(&mut some, shape, share, Mutation::Replace, scale, dice);
    [one, some, shape.random(scale, dice)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::Encoding;

    #[test]
    fn the_roulette_draws_by_fitness() {
        let roulette = Roulette::new(&[1.0, 0.0, 3.0]);
        let mut dice = Dice::seeded(1);
        let mut drawn = [0; 3];
        (0..4000).for_each(|_| drawn[roulette.draw(&mut dice)] += 1);
        assert!(drawn[1] == 0 && (900..1100).contains(&drawn[0]), "{drawn:?}");
        let nobody = Roulette::new(&[0.0, 0.0]);
        assert!((0..20).map(|_| nobody.draw(&mut dice)).any(|who| who == 1));
    }

    #[test]
    fn one_point_keeps_the_order_of_both_parents() {
        let (a, b) = ([1.0; 8], [2.0; 8]);
        for seed in 0..20 {
            let child = one_point(&a, &b, &mut Dice::seeded(seed));
            let point = child.iter().filter(|weight| **weight == 1.0).count();
            assert!(child[..point].iter().all(|weight| *weight == 1.0) && child.len() == 8);
        }
    }

    #[test]
    fn the_four_candidates_are_the_equations_of_the_thesis() {
        let population = [[1.0f32, -4.0], [3.0, 2.0], [9.0, -8.0]];
        let extremes = Extremes::of(population.iter().map(|weights| &weights[..]));
        let [mean, high, low, middle] = extremes.crossover(&population[0], &population[1], 0.75);
        assert_eq!(mean, [2.0, -1.0]);
        assert_eq!(high, [9.0 * 0.25 + 3.0 * 0.75, 2.0 * 0.25 + 2.0 * 0.75]);
        assert_eq!(low, [1.0 * 0.25 + 1.0 * 0.75, -8.0 * 0.25 - 4.0 * 0.75]);
        assert_eq!(middle, [(10.0 * 0.25 + 4.0 * 0.75) / 2.0, (-6.0 * 0.25 - 2.0 * 0.75) / 2.0]);
    }

    #[test]
    fn mutation_changes_the_share_it_should() {
        let shape = Shape::new(Encoding::OneHot, &[64], 4).unwrap();
        let mut dice = Dice::seeded(2);
        for rate in [0.01, 0.1, 1.0] {
            let mut weights = vec![9.0; shape.weights()];
            mutate(&mut weights, &shape, rate, Mutation::Replace, 1.0, &mut dice);
            let share = weights.iter().filter(|weight| **weight != 9.0).count() as f64 / weights.len() as f64;
            assert!((share / rate - 1.0).abs() < 0.2, "{rate}: {share}");
        }
        let mut weights = vec![9.0; shape.weights()];
        mutate(&mut weights, &shape, 0.0, Mutation::Replace, 1.0, &mut dice);
        assert!(weights.iter().all(|weight| *weight == 9.0));
        let [one, _, all] = mutations(&weights, &shape, 1.0, &mut dice);
        assert_eq!(one.iter().filter(|weight| **weight != 9.0).count(), 1);
        assert!(all.iter().all(|weight| *weight != 9.0));
    }
}
