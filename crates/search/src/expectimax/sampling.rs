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

#[cfg(test)]
mod tests {
    use super::*;

    /// `twos` cells for a two and as many for a four, numbered.
    fn spawns(cells: u32) -> Vec<((u32, u32), f32)> {
        let share = 1.0 / cells as f32;
        (0..cells).flat_map(|cell| [((cell, 2), 0.9 * share), ((cell, 4), 0.1 * share)]).collect()
    }

    #[test]
    fn the_next_sample_is_a_two_with_the_probability_of_the_document() {
        let mut dice = Dice::seeded(1);
        // How often, with so many twos and fours left, the next sample was a two.
        let mut seen = std::collections::HashMap::<(u32, u32), (u32, u32)>::new();
        for _ in 0..40_000 {
            let mut answers = spawns(6);
            let count = draw_by_probability(&mut answers, 10, &mut dice);
            assert_eq!(count, 10);
            let (mut twos, mut fours) = (6, 6);
            for ((_, tile), _) in &answers[..count] {
                let (two, all) = seen.entry((twos, fours)).or_default();
                *all += 1;
                if *tile == 2 {
                    *two += 1;
                    twos -= 1;
                } else {
                    fours -= 1;
                }
            }
        }
        let mut checked = 0;
        for ((twos, fours), (two, all)) in seen.into_iter().filter(|&(_, (_, all))| all >= 2000) {
            let (u2, u4) = (f64::from(twos) * 0.9, f64::from(fours) * 0.1);
            let (expected, all) = (u2 / (u2 + u4), f64::from(all));
            let tolerance = 5.0 * (expected * (1.0 - expected) / all).sqrt() + 1e-6;
            assert!((f64::from(two) / all - expected).abs() < tolerance, "{twos} twos, {fours} fours");
            checked += 1;
        }
        assert!(checked > 10);
    }

    #[test]
    fn samples_are_drawn_without_repetition_on_uniform_cells() {
        let mut dice = Dice::seeded(2);
        let mut cells = [0u32; 8];
        for _ in 0..8000 {
            let mut answers = spawns(8);
            let count = draw_by_probability(&mut answers, 10, &mut dice);
            let mut drawn: Vec<_> = answers[..count].iter().map(|&(spawn, _)| spawn).collect();
            cells[drawn[0].0 as usize] += 1;
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len(), 10);
        }
        assert!(cells.iter().all(|&count| (850..1150).contains(&count)), "{cells:?}");
    }

    #[test]
    fn the_likeliest_are_twos_on_uniformly_chosen_cells() {
        let mut dice = Dice::seeded(3);
        let mut cells = [0u32; 9];
        for _ in 0..9000 {
            let mut answers = spawns(9);
            let count = draw_likeliest(&mut answers, 4, &mut dice);
            let mut drawn: Vec<_> = answers[..count].iter().map(|&(spawn, _)| spawn).collect();
            drawn.sort_unstable();
            drawn.dedup();
            assert!(drawn.len() == 4 && drawn.iter().all(|&(_, tile)| tile == 2));
            drawn.iter().for_each(|&(cell, _)| cells[cell as usize] += 1);
        }
        assert!(cells.iter().all(|&count| (3800..4200).contains(&count)), "{cells:?}");
    }

    #[test]
    fn few_answers_are_all_taken() {
        let mut dice = Dice::seeded(4);
        assert_eq!(draw_by_probability(&mut spawns(5), 10, &mut dice), 10);
        assert_eq!(draw_likeliest(&mut spawns(3), 4, &mut dice), 3);
    }
}
