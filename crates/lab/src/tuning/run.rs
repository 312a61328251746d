//! The run of a tuning: one generation after another.

use std::ops::ControlFlow;
use std::path::Path;

use afterstate_abalone::Position as Abalone;
use afterstate_game::derive_seed;
use afterstate_learn::evolution::CmaEs;
use afterstate_twenty48::State;
use serde::{Deserialize, Serialize};

use super::arena::{Against, Alone, Arena, Confirmation};
use super::settings::TuningSettings;
use super::weights::Weights;
use crate::duel::DuelRun;
use crate::executor::{Delivery, run_jobs};
use crate::experiment::{GameName, draw_rules, limits, openings};
use crate::series::{counted, end_with};
use crate::{LabError, Machinery};

/// A tuning under way.
#[derive(Debug)]
pub struct Tuning {
    pub(super) settings: TuningSettings,
    pub(super) search: CmaEs,
    pub(super) champion: Champion,
    pub(super) curve: Vec<Generation>,
    weights: Weights,
    field: Field,
}

/// The best agent that was confirmed so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Champion {
    /// Its spec.
    pub spec: String,
    /// The generation that found it; 0 for the agent as it was given.
    pub generation: u64,
}

/// What one generation came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u64,
    /// Games played so far by all candidates, without those of confirmations.
    pub games: u64,
    /// The mean of the best candidate.
    pub best: f64,
    /// The mean of all candidates.
    pub mean: f64,
    /// The overall step size of the search.
    pub step: f64,
    /// The weights in the middle of the distribution, in the order of the file.
    pub weights: Vec<f64>,
    /// What the comparison with the champion said, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
}

#[derive(Debug)]
enum Field {
    Alone(afterstate_game::Limits),
    Against(Box<DuelRun<Abalone>>),
}

/// Seeds of the three kinds of randomness.
const CANDIDATES: u64 = 0;
const GAMES: u64 = 1;
const CONFIRMATIONS: u64 = 2;

impl Tuning {
    /// Starts a tuning. Files of openings are looked for beside the tuning's own, in `folder`.
    pub fn new(settings: TuningSettings, folder: &Path) -> Result<Self, LabError> {
        let limits = limits(&settings.limits)?;
        let (weights, field) = match settings.game {
            GameName::Twenty48 => (Weights::new::<State>(&settings)?, Field::Alone(limits)),
            GameName::Abalone => {
                let weights = Weights::new::<Abalone>(&settings)?;
                let opponent = settings.opponent.clone().unwrap_or_else(|| settings.agent.clone());
                afterstate_players::build::<Abalone>(&opponent)?;
                let run = DuelRun {
                    agents: [String::new(), opponent],
                    openings: openings(settings.openings.as_ref(), folder)?,
                    rules: draw_rules(settings.draws.unwrap_or_default()),
                    limits,
                    seed: settings.seed,
                };
                (weights, Field::Against(Box::new(run)))
            }
        };
        let size = weights.len();
        let population = settings.population.unwrap_or_else(|| CmaEs::usual_population(size));
        let champion = Champion { spec: settings.agent.clone(), generation: 0 };
        Ok(Self {
            search: CmaEs::new(vec![0.0; size], 1.0, population),
            champion,
            curve: Vec::new(),
            weights,
            field,
            settings,
        })
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &TuningSettings {
        &self.settings
    }

    /// The best agent that was confirmed so far.
    #[must_use]
    pub fn champion(&self) -> &Champion {
        &self.champion
    }

    /// The generations so far.
    #[must_use]
    pub fn curve(&self) -> &[Generation] {
        &self.curve
    }

    /// The agent in the middle of the distribution: the best guess, confirmed or not.
    #[must_use]
    pub fn guess(&self) -> String {
        self.weights.spec(self.search.mean()).to_string()
    }

    /// Whether all generations have been played.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.search.generation() >= self.settings.generations
    }

    /// Plays one generation. `None` if it was stopped: then nothing has changed, and the generation can be played again.
    pub fn generation(&mut self, machinery: &Machinery) -> Result<Option<&Generation>, LabError> {
        let found = match &self.field {
            Field::Alone(limits) => self.next(&Alone::<State>::new(*limits), machinery)?,
            Field::Against(run) => {
                let gain = self.settings.gain.unwrap_or_default();
                self.next(&Against { run: (**run).clone(), gain }, machinery)?
            }
        };
        let Some((search, generation)) = found else { return Ok(None) };
        if generation.confirmation.is_some_and(|confirmation| confirmation.is_better) {
            let spec = self.weights.spec(search.mean()).to_string();
            self.champion = Champion { spec, generation: generation.generation };
        }
        self.search = search;
        self.curve.push(generation);
        Ok(self.curve.last())
    }

    fn next<A: Arena>(&self, arena: &A, machinery: &Machinery) -> Result<Option<(CmaEs, Generation)>, LabError> {
        let seed = |kind: u64| derive_seed(self.settings.seed, &[kind, self.search.generation()]);
        let candidates = self.search.ask(derive_seed(self.settings.seed, &[CANDIDATES]));
        let specs: Vec<String> = candidates.iter().map(|point| self.weights.spec(point).to_string()).collect();
        let Some(means) = judge_all(arena, &specs, seed(GAMES), self.settings.games, machinery)? else {
            return Ok(None);
        };
        let mut ranked: Vec<(f64, Vec<f64>)> = means.iter().copied().zip(candidates).collect();
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let best = ranked.first().map_or(0.0, |(mean, _)| *mean);
        let mut search = self.search.clone();
        search.tell(&ranked.into_iter().map(|(_, point)| point).collect::<Vec<_>>());
        let number = search.generation();
        let due = number.is_multiple_of(self.settings.confirm.every) || number >= self.settings.generations;
        let guess = self.weights.spec(search.mean()).to_string();
        let mut confirmation = None;
        if due && guess != self.champion.spec {
            let games = self.settings.confirm.games;
            confirmation = arena.compare(&guess, &self.champion.spec, seed(CONFIRMATIONS), games, machinery)?;
            if confirmation.is_none() {
                return Ok(None);
            }
        }
        let generation = Generation {
            generation: number,
            games: number * means.len() as u64 * self.settings.games,
            best,
            mean: means.iter().sum::<f64>() / means.len() as f64,
            step: search.step(),
            weights: self.weights.values(search.mean()),
            confirmation,
        };
        Ok(Some((search, generation)))
    }
}

/// The mean worth of every candidate over the same games; `None` if it was stopped.
fn judge_all<A: Arena>(
    arena: &A,
    specs: &[String],
    seed: u64,
    games: u64,
    machinery: &Machinery,
) -> Result<Option<Vec<f64>>, LabError> {
    let jobs = (0..specs.len()).flat_map(|candidate| (0..games).map(move |game| (candidate, game)));
    let mut worths = Vec::new();
    let mut failure = None;
    run_jobs(
        machinery,
        Delivery::InOrder,
        jobs,
        || None,
        |seated: &mut Option<(usize, A::Players)>, (candidate, game), stop| {
            if seated.as_ref().is_none_or(|(who, _)| *who != candidate) {
                match arena.seat(&specs[candidate]) {
                    Ok(players) => *seated = Some((candidate, players)),
                    Err(error) => return Some(Err(error)),
                }
            }
            let (_, players) = seated.as_mut()?;
            counted(arena.judge(players, seed, game, stop), machinery, game, || specs[candidate].clone())
        },
        |worth| match worth {
            Ok(worth) => {
                worths.push(worth);
                ControlFlow::Continue(())
            }
            Err(error) => end_with(error, &mut failure),
        },
    );
    match failure {
        Some(error) => Err(error),
        None if worths.len() as u64 != specs.len() as u64 * games => Ok(None),
        None => Ok(Some(worths.chunks(games as usize).map(|part| part.iter().sum::<f64>() / games as f64).collect())),
    }
}
