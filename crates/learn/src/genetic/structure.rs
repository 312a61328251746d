//! The search for layers: each round tries neighbours of the best structure, each bred anew with the same effort.

use afterstate_game::{Dice, Stop, derive_seed};
use serde::{Deserialize, Serialize};

use super::run::Genetic;
use super::settings::{GeneticError, GeneticSettings, StructureSettings};

/// A search for layers under way.
#[derive(Clone, Debug)]
pub struct Structures {
    settings: GeneticSettings,
    search: StructureSettings,
    attempts: Vec<Attempt>,
}

/// A structure that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The round, from 0; the structure of the settings is round 0.
    pub round: u64,
    /// Its hidden layers.
    pub hidden: Vec<usize>,
    /// The mean score of its best network in games on which it was not chosen.
    pub mean: f64,
    /// The standard error of that mean.
    pub error: f64,
}

impl Structures {
    /// Starts a search, or goes on with the attempts of an earlier one.
    pub fn new(settings: GeneticSettings, attempts: Vec<Attempt>) -> Result<Self, GeneticError> {
        settings.shape()?;
        let search =
            settings.structure.ok_or(GeneticError::Setting { setting: "structure", expected: "its settings" })?;
        Ok(Self { settings, search, attempts })
    }

    /// What was tried so far.
    #[must_use]
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The best structure so far.
    #[must_use]
    pub fn best(&self) -> Option<&Attempt> {
        self.best_of_rounds(u64::MAX)
    }

    fn best_of_rounds(&self, end: u64) -> Option<&Attempt> {
        let known = self.attempts.iter().filter(|attempt| attempt.round < end);
        known.max_by(|a, b| a.mean.total_cmp(&b.mean))
    }

    /// Whether all rounds have been played.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.attempts.len() as u64 > self.search.rounds * self.search.attempts
    }

    /// Breeds the next structure; `None` if it was stopped.
    pub fn attempt(&mut self, threads: usize, stop: &Stop) -> Option<&Attempt> {
        let number = self.attempts.len() as u64;
        let round = number.div_ceil(self.search.attempts);
        let mut dice = Dice::seeded(derive_seed(self.settings.seed, &[number]));
        let hidden = match self.best_of_rounds(round) {
            Some(best) => neighbour(&best.hidden, &mut dice),
            None => self.settings.hidden.clone().unwrap_or_default(),
        };
        let finals = self.search.games;
        let settings =
            GeneticSettings { hidden: Some(hidden.clone()), structure: None, finals, ..self.settings.clone() };
        let mut run = Genetic::new(settings).ok()?;
        while !run.is_finished() {
            run.generation(threads, stop)?;
        }
        let (_, worth) = run.finals(self.search.games, threads, stop)?;
        let (mean, count) = (worth.mean(), worth.scores.len() as f64);
        let squares: f64 = worth.scores.iter().map(|&score| (f64::from(score) - mean).powi(2)).sum();
        let error = (squares / (count - 1.0).max(1.0) / count.max(1.0)).sqrt();
        self.attempts.push(Attempt { round, hidden, mean, error });
        self.attempts.last()
    }
}

/// One layer doubled, halved, added or left out.
fn neighbour(hidden: &[usize], dice: &mut Dice) -> Vec<usize> {
    let mut layers = hidden.to_vec();
    let place = dice.below(layers.len().max(1) as u32) as usize;
    match (dice.below(4), layers.get_mut(place)) {
        (0, Some(size)) => *size = (*size * 2).min(1024),
        (1, Some(size)) => *size = (*size / 2).max(4),
        (2, Some(_)) if hidden.len() > 1 => drop(layers.remove(place)),
        (_, size) if hidden.len() < 8 => {
            let size = size.map_or(32, |size| *size);
            layers.insert(place, size);
        }
        _ => {}
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_structures_again() {
        let mut dice = Dice::seeded(3);
        let mut layers = vec![32];
        for _ in 0..500 {
            layers = neighbour(&layers, &mut dice);
            assert!(
                (1..=8).contains(&layers.len()) && layers.iter().all(|size| (4..=1024).contains(size)),
                "{layers:?}"
            );
        }
    }
}
