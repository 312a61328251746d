//! A training on the GPU as data: phases by the clock, each with its own plan.

use std::time::Instant;

use afterstate_game::{Stop, derive_seed};
use serde::{Deserialize, Serialize};

use super::device::{GpuError, GpuTraining, StageEvents};
use super::{Plan, Promotion};
use crate::ntuple::{CurvePoint, Design};

/// What to train on the GPU and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The network.
    pub design: Design,
    /// Games that are played at once.
    #[serde(default = "default_games")]
    pub games: u32,
    /// Fixes the chance of each game. Which game comes first to a weight is up to the device.
    #[serde(default)]
    pub seed: u64,
    /// Games of one evaluation.
    #[serde(default = "default_sample")]
    pub sample: u32,
    /// One after the other.
    pub phases: Vec<GpuPhase>,
}

fn default_games() -> u32 {
    65_536
}

fn default_sample() -> u32 {
    8192
}

/// A part of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuPhase {
    /// How long it lasts.
    pub seconds: f64,
    /// How to learn.
    #[serde(default)]
    pub plan: Plan,
    /// The rate at the end of the phase, to which that of the plan falls or rises by the same factor in each second.
    #[serde(default)]
    pub final_alpha: Option<f32>,
    /// What all boards of a stage are worth when the phase begins, by stage; where it is negative or missing, a stage stays as it
    /// is.
    #[serde(default)]
    pub initial: Vec<f32>,
    /// Stages that begin with the weights of others when the phase begins, one after the other.
    #[serde(default)]
    pub promote: Vec<Promotion>,
    /// Whether the weights of the phase are averaged, and the average taken at its end.
    #[serde(default)]
    pub average: bool,
    /// Seconds between two evaluations; the end of a phase is always evaluated.
    #[serde(default)]
    pub evaluate: Option<f64>,
}

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

/// Steps between two looks at the clock: a fraction of a second on any device.
const STEPS: u32 = 128;

impl Recipe {
    /// Trains from nothing through all phases, or until `stop` is raised.
    pub fn run(&self, stop: &Stop, observe: impl FnMut(&GpuProgress)) -> Result<GpuTraining, GpuError> {
        let training = GpuTraining::new(&self.design, self.games, self.seed)?;
        let mut run = Run { recipe: self, training, observe, seconds: 0.0, games: 0 };
        for phase in &self.phases {
            run.phase(phase, stop)?;
        }
        Ok(run.training)
    }
}

struct Run<'a, O> {
    recipe: &'a Recipe,
    training: GpuTraining,
    observe: O,
    seconds: f64,
    games: u64,
}

impl<O: FnMut(&GpuProgress)> Run<'_, O> {
    fn phase(&mut self, phase: &GpuPhase, stop: &Stop) -> Result<(), GpuError> {
        for (stage, &value) in phase.initial.iter().enumerate().filter(|(_, value)| **value >= 0.0) {
            self.training.initialise(stage, value)?;
        }
        for promotion in &phase.promote {
            self.training.promote(promotion)?;
        }
        let mut plan = phase.plan.clone();
        let growth = phase.final_alpha.map_or(1.0, |last| f64::from(last) / f64::from(plan.alpha));
        let begin = self.seconds;
        let mut samples = 0;
        let mut report = Report::new(self.seconds, self.training.moves());
        while self.seconds - begin < phase.seconds && !stop.is_raised() {
            let done = (self.seconds - begin) / phase.seconds;
            plan.alpha = (f64::from(phase.plan.alpha) * growth.powf(done)) as f32;
            let started = Instant::now();
            self.training.learn(&plan, STEPS)?;
            if phase.average {
                samples += 1;
                self.training.average(1.0 / samples as f32)?;
            }
            self.seconds += started.elapsed().as_secs_f64();
            let due = phase.evaluate.is_some_and(|every| self.seconds - report.evaluated >= every);
            if due || self.seconds - report.told >= 2.0 {
                self.tell(&mut report, due)?;
            }
        }
        if phase.average {
            self.training.adopt_average();
        }
        self.tell(&mut report, true)
    }

    fn tell(&mut self, report: &mut Report, evaluate: bool) -> Result<(), GpuError> {
        let stages = self.training.take_events()?;
        self.games += stages.iter().map(|stage| stage.lost).sum::<u64>();
        let moves = self.training.moves();
        let speed = (moves - report.moves) as f64 / (self.seconds - report.told).max(1e-9);
        let point = if evaluate {
            let sample =
                self.training.play_games(self.recipe.sample, derive_seed(self.recipe.seed, &[u64::MAX, moves]))?;
            report.evaluated = self.seconds;
            Some(CurvePoint { games: self.games, moves, seconds: self.seconds, sample })
        } else {
            None
        };
        (self.observe)(&GpuProgress { seconds: self.seconds, moves, speed, stages, point });
        (report.told, report.moves) = (self.seconds, moves);
        Ok(())
    }
}

/// When something was last told.
struct Report {
    told: f64,
    moves: u64,
    evaluated: f64,
}

impl Report {
    fn new(seconds: f64, moves: u64) -> Self {
        Self { told: seconds, moves, evaluated: seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_read_from_toml() {
        let text = r#"
            design = { name = "x", tuples = ["a1 b1"], stages = [100] }
            [[phases]]
            seconds = 5
            plan = { alpha = 0.1, coherent = false, starts = [1, 2], segments = true }
            final-alpha = 0.01
        "#;
        let error = toml::from_str::<Recipe>(text).unwrap_err().to_string();
        assert!(error.contains("final-alpha"), "{error}");
        let recipe: Recipe = toml::from_str(&text.replace("final-alpha", "final_alpha")).unwrap();
        assert_eq!(recipe.phases[0].plan.starts, [1.0, 2.0]);
        assert_eq!((recipe.games, recipe.phases[0].final_alpha), (65_536, Some(0.01)));
    }
}
