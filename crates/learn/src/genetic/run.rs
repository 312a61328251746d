//! A genetic run: one generation after another.

use std::sync::Arc;
use std::time::Instant;

use afterstate_game::{Dice, Stop, derive_seed};
use serde::{Deserialize, Serialize};

use super::brain::{Brain, Shape};
use super::breeding::{Extremes, Roulette, mutate, mutations, one_point};
use super::fitness::{Worth, play_games};
use super::settings::{BreedingSettings, Chance, GeneticError, GeneticSettings, Operators, Selection};
use crate::parallel;

/// A population under evolution. The same seed gives the same run, whatever the number of threads.
#[derive(Clone, Debug)]
pub struct Genetic {
    pub(super) settings: GeneticSettings,
    pub(super) shape: Shape,
    /// The networks of the generation that is played next.
    pub(super) population: Vec<Arc<Brain>>,
    /// The best networks of the last generation that was played, the best first.
    pub(super) best: Vec<Arc<Brain>>,
    pub(super) curve: Vec<Generation>,
}

/// What one generation came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u64,
    /// The mean score of all networks.
    pub mean: f64,
    /// The mean score of the best network.
    pub best_mean: f64,
    /// The best score of any game.
    pub best: u32,
    /// The median of the largest tiles of all games.
    pub median_tile: u32,
    /// Moves played by all networks.
    pub moves: u64,
    /// How long it took to play and breed.
    pub seconds: f64,
}

/// How many of the best are kept for a final comparison.
pub(super) const FINALISTS: usize = 16;

/// Seeds of the kinds of randomness.
const FIRST: u64 = 0;
const GAMES: u64 = 1;
const BREEDING: u64 = 2;
const CANDIDATES: u64 = 3;
const FINALS: u64 = 4;

impl Genetic {
    /// A population of random networks.
    pub fn new(settings: GeneticSettings) -> Result<Self, GeneticError> {
        let shape = settings.shape()?;
        let newborn = |number: usize| {
            let mut dice = Dice::seeded(derive_seed(settings.seed, &[FIRST, number as u64]));
            let weights = shape.random(settings.scale, &mut dice);
            Brain::new(shape.clone(), weights).map(Arc::new)
        };
        let population = (0..settings.population).filter_map(newborn).collect();
        Ok(Self { settings, shape, population, best: Vec::new(), curve: Vec::new() })
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &GeneticSettings {
        &self.settings
    }

    /// The generations so far.
    #[must_use]
    pub fn curve(&self) -> &[Generation] {
        &self.curve
    }

    /// Whether all generations have been played.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.curve.len() as u64 >= self.settings.generations
    }

    /// Plays a generation and breeds the next. `None` if it was stopped: then nothing has changed.
    pub fn generation(&mut self, threads: usize, stop: &Stop) -> Option<Generation> {
        let started = Instant::now();
        let number = self.curve.len() as u64;
        let worths = parallel::map(self.population.len(), threads, |individual| {
            let seed = self.game_seed(number, individual as u64);
            play_games(&self.population[individual], self.settings.role, self.settings.games, seed, stop)
        })?;
        let fitness: Vec<f64> = worths.iter().map(Worth::mean).collect();
        let mut order: Vec<usize> = (0..fitness.len()).collect();
        order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        let breeder = Breeder::new(self, &fitness, &order, number);
        let next = parallel::map(self.population.len(), threads, |child| breeder.child(child, stop))?;
        let best = order.iter().take(FINALISTS).map(|&who| Arc::clone(&self.population[who])).collect();
        let mut generation = summary(number + 1, &worths, &fitness);
        generation.seconds = started.elapsed().as_secs_f64();
        (self.population, self.best) = (next, best);
        self.curve.push(generation);
        Some(generation)
    }

    fn game_seed(&self, generation: u64, individual: u64) -> u64 {
        match self.settings.chance {
            Chance::Common => derive_seed(self.settings.seed, &[GAMES, generation]),
            Chance::Own => derive_seed(self.settings.seed, &[GAMES, generation, individual]),
        }
    }

    /// Lets the best networks of the last generation play the games of the finals on the same fresh chance and returns the
    /// winner with what it reached in `games` others, on which it was not chosen. `None` before the first generation or if
    /// it was stopped.
    pub fn finals(&self, games: u32, threads: usize, stop: &Stop) -> Option<(Arc<Brain>, Worth)> {
        let play = |who: usize, round: u64| {
            let seed = derive_seed(self.settings.seed, &[FINALS, self.curve.len() as u64, round]);
            play_games(&self.best[who], self.settings.role, self.settings.finals, seed, stop)
        };
        let worths = parallel::map(self.best.len(), threads, |who| play(who, 0))?;
        let winner = (0..worths.len()).max_by(|&a, &b| worths[a].mean().total_cmp(&worths[b].mean()))?;
        // The games of one network are split over the threads by playing them one by one.
        let seed = derive_seed(self.settings.seed, &[FINALS, self.curve.len() as u64, 1]);
        let brain = &self.best[winner];
        let single = parallel::map(games as usize, threads, |game| {
            play_games(brain, self.settings.role, 1, derive_seed(seed, &[game as u64]), stop)
        })?;
        let mut worth = Worth::default();
        for game in single {
            worth.scores.extend(game.scores);
            worth.tiles.extend(game.tiles);
            worth.moves += game.moves;
        }
        Some((Arc::clone(brain), worth))
    }
}

fn summary(generation: u64, worths: &[Worth], fitness: &[f64]) -> Generation {
    let mut tiles: Vec<u32> = worths.iter().flat_map(|worth| worth.tiles.iter().copied()).collect();
    tiles.sort_unstable();
    Generation {
        generation,
        mean: fitness.iter().sum::<f64>() / fitness.len().max(1) as f64,
        best_mean: fitness.iter().copied().fold(0.0, f64::max),
        best: worths.iter().flat_map(|worth| worth.scores.iter().copied()).max().unwrap_or(0),
        median_tile: tiles.get(tiles.len() / 2).copied().unwrap_or(0),
        moves: worths.iter().map(|worth| worth.moves).sum(),
        seconds: 0.0,
    }
}

/// Everything that a child of this generation can come from.
struct Breeder<'a> {
    run: &'a Genetic,
    breeding: &'a BreedingSettings,
    /// The population by fitness, the best first.
    order: &'a [usize],
    roulette: Roulette,
    extremes: Option<Extremes>,
    generation: u64,
}

impl<'a> Breeder<'a> {
    fn new(run: &'a Genetic, fitness: &[f64], order: &'a [usize], generation: u64) -> Self {
        let improved = run.settings.breeding.operators == Operators::Improved;
        let extremes = improved.then(|| Extremes::of(run.population.iter().map(|brain| brain.weights())));
        Self { breeding: &run.settings.breeding, roulette: Roulette::new(fitness), order, run, extremes, generation }
    }

    /// The network that takes this place in the next generation; the first places are the elite's.
    fn child(&self, place: usize, stop: &Stop) -> Option<Arc<Brain>> {
        if place < self.breeding.elite {
            return Some(Arc::clone(&self.run.population[self.order[place]]));
        }
        let path = [BREEDING, self.generation, place as u64];
        let mut dice = Dice::seeded(derive_seed(self.run.settings.seed, &path));
        let weights = match &self.extremes {
            None => self.plain(&mut dice),
            Some(extremes) => self.improved(extremes, place as u64, &mut dice, stop)?,
        };
        Brain::new(self.run.shape.clone(), weights).map(Arc::new)
    }

    fn parent(&self, dice: &mut Dice) -> &'a [f32] {
        let who = match self.breeding.selection {
            Selection::Roulette => self.roulette.draw(dice),
            Selection::Truncation(share) => {
                let best = (share * self.order.len() as f64).ceil().max(1.0) as u32;
                self.order[dice.below(best.min(self.order.len() as u32)) as usize]
            }
        };
        self.run.population[who].weights()
    }

    fn plain(&self, dice: &mut Dice) -> Vec<f32> {
        let parent = self.parent(dice);
        let mut weights = if dice.chance(self.breeding.crossover) {
            one_point(parent, self.parent(dice), dice)
        } else {
            parent.to_vec()
        };
        let BreedingSettings { mutation_rate, mutation, .. } = *self.breeding;
        mutate(&mut weights, &self.run.shape, mutation_rate, mutation, self.run.settings.scale, dice);
        weights
    }

    fn improved(&self, extremes: &Extremes, place: u64, dice: &mut Dice, stop: &Stop) -> Option<Vec<f32>> {
        let parent = self.parent(dice);
        let seed = derive_seed(self.run.settings.seed, &[CANDIDATES, self.generation, place]);
        let crossed = if dice.chance(self.breeding.crossover) {
            let candidates = extremes.crossover(parent, self.parent(dice), self.breeding.w);
            self.fittest(candidates.into(), seed, stop)?
        } else {
            parent.to_vec()
        };
        let candidates = mutations(&crossed, &self.run.shape, self.run.settings.scale, dice);
        self.fittest(candidates.into(), seed, stop)
    }

    /// The best of some candidates, which meet the same chance.
    fn fittest(&self, candidates: Vec<Vec<f32>>, seed: u64, stop: &Stop) -> Option<Vec<f32>> {
        let mut best: Option<(f64, Arc<Brain>)> = None;
        for weights in candidates {
            let brain = Arc::new(Brain::new(self.run.shape.clone(), weights)?);
            let worth = play_games(&brain, self.run.settings.role, self.run.settings.games, seed, stop)?.mean();
            if best.as_ref().is_none_or(|(highest, _)| worth > *highest) {
                best = Some((worth, brain));
            }
        }
        best.map(|(_, brain)| brain.weights().to_vec())
    }
}
