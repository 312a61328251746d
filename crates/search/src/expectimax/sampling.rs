//! Chance nodes that look at some of the answers only.
//!
//! Which answers a node looks at depends on the seed of the game and on the node alone. So a sampled search is an exact
//! search of a thinned game: its values depend neither on the order of the search nor on what a table still holds.

use afterstate_game::{Afterstate, Dice, Evaluation, Position, derive_seed};

use super::settings::Chance;
use super::tree::Search;

impl<P: Position, E: Evaluation<P>> Search<'_, P, E> {
    /// The mean over the chosen answers, weighted by their probabilities among the chosen.
    pub(super) fn mean_over_some(&mut self, afterstate: &P::Afterstate, plies: u32, reach: f32) -> f32 {
        let base = self.answers.len();
        afterstate.for_each_answer(|position, probability| self.answers.push((position, probability)));
        let mut dice = Dice::seeded(derive_seed(self.seed, &[afterstate.key()]));
        let count = choose(self.settings.chance, &mut self.answers[base..], &mut dice);
        self.answers.truncate(base + count);

        let total: f32 = self.answers[base..].iter().map(|&(_, probability)| probability).sum();
        let mut mean = 0.0;
        for index in base..base + count {
            let (position, probability) = self.answers[index].clone();
            let share = probability / total;
            let value = self.answer(&position, plies - 1, reach * share);
            mean += f64::from(share) * f64::from(value);
        }
        self.answers.truncate(base);
        mean as f32
    }
}

/// Moves the chosen answers to the front and says how many they are.
fn choose<P>(chance: Chance, answers: &mut [(P, f32)], dice: &mut Dice) -> usize {
    match chance {
        Chance::Full => answers.len(),
        Chance::Sampled(count) => draw_by_probability(answers, count as usize, dice),
        Chance::Likeliest(count) => draw_likeliest(answers, count as usize, dice),
    }
}

/// Draws one after the other, each with its probability among those that are left.
///
/// For 2048 this is the rule of `dietenberger`: with `u2` twos and `u4` fours left, the next one is a two with
/// probability `0.9 u2 / (0.9 u2 + 0.1 u4)`, on a uniformly chosen cell among those where the two is left.
fn draw_by_probability<P>(answers: &mut [(P, f32)], count: usize, dice: &mut Dice) -> usize {
    if answers.len() <= count {
        return answers.len();
    }
    let mut left: f32 = answers.iter().map(|&(_, probability)| probability).sum();
    for drawn in 0..count {
        let mut target = dice.unit() as f32 * left;
        let rest = answers[drawn..].iter().position(|&(_, probability)| {
            target -= probability;
            target < 0.0
        });
        // Rounding may leave a target beyond the last answer.
        let index = rest.map_or(answers.len() - 1, |rest| drawn + rest);
        left -= answers[index].1;
        answers.swap(drawn, index);
    }
    count
}

/// Draws uniformly among the answers of the highest probability.
fn draw_likeliest<P>(answers: &mut [(P, f32)], count: usize, dice: &mut Dice) -> usize {
    let highest = answers.iter().map(|&(_, probability)| probability).fold(0.0, f32::max);
    let mut likeliest = 0;
    for index in 0..answers.len() {
        if answers[index].1 == highest {
            answers.swap(likeliest, index);
            likeliest += 1;
        }
    }
    if likeliest <= count {
        return likeliest;
    }
    for drawn in 0..count {
        let index = drawn + dice.below((likeliest - drawn) as u32) as usize;
        answers.swap(drawn, index);
    }
    count
}
