//! A recipe being carried out: phase by phase, by the clock, interruptible at any moment.

use std::path::PathBuf;
use std::time::Instant;

use afterstate_game::{Stop, derive_seed};
use afterstate_twenty48::Board;
use serde::{Deserialize, Serialize};

use super::device::{GpuTraining, StageEvents};
use super::recipe::{CheckedRecipe, Fix, GpuPhase, Recipe, RecipeError};
use crate::FileError;
use crate::cuda::GpuError;
use crate::ntuple::{CurvePoint, Network, Quantiser, Rounding, Sample};

/// What is told of a training on the GPU about every other second.
#[derive(Clone, Debug)]
pub struct GpuProgress {
    /// Seconds of learning so far.
    pub seconds: f64,
    /// Moves learned from so far.
    pub moves: u64,
    /// Moves per second since the last report.
    pub speed: f64,
    /// What happened in each stage since the last report.
    pub stages: Vec<StageEvents>,
    /// The evaluation, where one was due.
    pub point: Option<CurvePoint>,
}

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A file, or rounding the weights for one.
    #[error(transparent)]
    File(#[from] FileError),
    /// A checkpoint of a recipe that this program does not carry out.
    #[error("{path}: {error}")]
    Recipe {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with its recipe.
        error: RecipeError,
    },
}

/// How far a run is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Reached {
    /// The phase, and whether it has begun.
    pub(super) phase: usize,
    pub(super) begun: bool,
    /// Seconds of learning in this phase and in all.
    pub(super) seconds_in_phase: f64,
    pub(super) seconds: f64,
    /// Games that were played to their end.
    pub(super) games: u64,
    /// How many weights of this phase are in the running mean.
    pub(super) averaged: u32,
    pub(super) curve: Vec<CurvePoint>,
}

/// A recipe being carried out.
pub struct GpuRun {
    pub(super) recipe: CheckedRecipe,
    pub(super) training: GpuTraining,
    pub(super) reached: Reached,
    /// How the model is rounded, once that is fixed.
    pub(super) quantiser: Option<Quantiser>,
}

/// Steps between two looks at the clock: a fraction of a second on any device.
const STEPS: u32 = 128;

impl GpuRun {
    /// A run that starts from nothing, or from the weights of a network of the same design.
    pub fn new(recipe: CheckedRecipe, beginning: Option<&Network>) -> Result<Self, GpuError> {
        let mut training = GpuTraining::new(&recipe.design, recipe.games, recipe.seed)?;
        beginning.map_or(Ok(()), |network| training.load(network))?;
        Ok(Self { recipe, training, reached: Reached::default(), quantiser: None })
    }

    /// Takes boards from which games start where the recipe says so, and says how many of them are of use.
    pub fn give(&mut self, boards: &[Board]) -> Result<usize, GpuError> {
        self.training.give(boards)
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The evaluations so far.
    #[must_use]
    pub fn curve(&self) -> &[CurvePoint] {
        &self.reached.curve
    }

    /// Whether all phases are over.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.reached.phase >= self.recipe.phases.len()
    }

    /// Goes through the phases, or as far as it gets until `stop` is raised.
    pub fn run(&mut self, stop: &Stop, mut observe: impl FnMut(&GpuProgress)) -> Result<(), RunError> {
        while let Some(phase) = self.recipe.phases.get(self.reached.phase).cloned() {
            if !self.reached.begun {
                self.enter(&phase)?;
            }
            self.learn(&phase, stop, &mut observe)?;
            if self.reached.seconds_in_phase < phase.seconds {
                break;
            }
            self.leave(&phase, &mut observe)?;
        }
        Ok(())
    }

    fn enter(&mut self, phase: &GpuPhase) -> Result<(), RunError> {
        for (stage, &value) in phase.initial.iter().enumerate().filter(|(_, value)| **value >= 0.0) {
            self.training.initialise(stage, value)?;
        }
        for promotion in &phase.promote {
            self.training.promote(promotion)?;
        }
        if let Some(fix) = phase.fix {
            let quantiser = self.quantiser_for(fix, Rounding::LearnedAround)?;
            self.training.freeze(&quantiser, self.recipe.stored_stages())?;
            self.quantiser = Some(quantiser);
        }
        self.reached.begun = true;
        Ok(())
    }

    fn leave(&mut self, phase: &GpuPhase, observe: &mut impl FnMut(&GpuProgress)) -> Result<(), GpuError> {
        if phase.average {
            self.training.adopt_average();
        }
        self.tell(&mut Report::new(self), true, observe)?;
        let Reached { phase, begun, seconds_in_phase, averaged, .. } = &mut self.reached;
        (*phase, *begun, *seconds_in_phase, *averaged) = (*phase + 1, false, 0.0, 0);
        Ok(())
    }

    fn learn(&mut self, phase: &GpuPhase, stop: &Stop, observe: &mut impl FnMut(&GpuProgress)) -> Result<(), GpuError> {
        let mut plan = phase.plan.clone();
        let growth = phase.final_alpha.map_or(1.0, |last| f64::from(last) / f64::from(plan.alpha));
        let mut report = Report::new(self);
        while self.reached.seconds_in_phase < phase.seconds && !stop.is_raised() {
            let done = self.reached.seconds_in_phase / phase.seconds;
            plan.alpha = (f64::from(phase.plan.alpha) * growth.powf(done)) as f32;
            let started = Instant::now();
            self.training.learn(&plan, STEPS)?;
            if phase.average {
                self.reached.averaged += 1;
                self.training.average(1.0 / self.reached.averaged as f32)?;
            }
            let taken = started.elapsed().as_secs_f64();
            self.reached.seconds += taken;
            self.reached.seconds_in_phase += taken;
            let due = phase.evaluate.is_some_and(|every| self.reached.seconds - report.evaluated >= every);
            if due || self.reached.seconds - report.told >= 2.0 {
                self.tell(&mut report, due, observe)?;
            }
        }
        Ok(())
    }

    fn tell(
        &mut self,
        report: &mut Report,
        evaluate: bool,
        observe: &mut impl FnMut(&GpuProgress),
    ) -> Result<(), GpuError> {
        let stages = self.training.take_events()?;
        let Reached { games, seconds, curve, .. } = &mut self.reached;
        *games += stages.iter().map(|stage| stage.lost).sum::<u64>();
        let (seconds, moves) = (*seconds, self.training.moves());
        let speed = (moves - report.moves) as f64 / (seconds - report.told).max(1e-9);
        let point = if evaluate {
            let seed = derive_seed(self.recipe.seed, &[u64::MAX, moves]);
            let sample = self.training.play_games(self.recipe.sample, seed)?;
            report.evaluated = seconds;
            let point = CurvePoint { games: *games, moves, seconds, sample };
            curve.push(point.clone());
            Some(point)
        } else {
            None
        };
        observe(&GpuProgress { seconds, moves, speed, stages, point });
        (report.told, report.moves) = (seconds, moves);
        Ok(())
    }

    fn quantiser_for(&self, fix: Fix, rounding: Rounding) -> Result<Quantiser, RunError> {
        let first = self.recipe.stored_stages().start;
        // Few whole games come to the late stages, and none where a search would.
        let starts = if first > 0 { self.training.starts_from(first)? } else { Vec::new() };
        let mut visits = self.training.count_visits(fix.games, derive_seed(self.recipe.seed, &[VISITS]), &starts)?;
        visits[..self.training.places().begin(first)].fill(0);
        let late = self.training.places().begin(self.recipe.design.early_count());
        visits[late..].iter_mut().for_each(|count| *count = count.saturating_mul(fix.late));
        Ok(self.network()?.quantiser_within(fix.bytes, &visits, rounding)?)
    }

    /// The network as the model holds it: stages that it does not hold are zeros.
    fn network(&self) -> Result<Network, GpuError> {
        let network = self.training.network()?;
        for stage in 0..self.recipe.stored_stages().start {
            network.values.fill(self.training.places().of(stage), 0.0);
        }
        Ok(network)
    }

    /// The network as it is now, and how its model is rounded: as the recipe fixed it, or else by `fix`.
    pub fn export(&self, fix: Fix) -> Result<(Network, Quantiser), RunError> {
        let quantiser = match &self.quantiser {
            Some(quantiser) => quantiser.clone(),
            None => self.quantiser_for(fix, Rounding::Final)?,
        };
        Ok((self.network()?, quantiser))
    }

    /// Plays games with the weights as they are, and then with those of a network of the same design. Stages that the model does
    /// not hold stay as they are.
    pub fn compare(mut self, other: &Network, games: u32, seed: u64) -> Result<[Sample; 2], GpuError> {
        let before = self.training.play_games(games, seed)?;
        self.training.load_stages(other, self.recipe.stored_stages())?;
        Ok([before, self.training.play_games(games, seed)?])
    }
}

/// The path from which the seed of the games that count look-ups is derived.
const VISITS: u64 = u64::MAX - 1;

/// When something was last told.
struct Report {
    told: f64,
    moves: u64,
    evaluated: f64,
}

impl Report {
    fn new(run: &GpuRun) -> Self {
        let seconds = run.reached.seconds;
        let last = run.reached.curve.last().map_or(0.0, |point| point.seconds);
        Self { told: seconds, moves: run.training.moves(), evaluated: last }
    }
}
