//! A training on the GPU as data: phases by the clock, each with its own plan.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Plan, Promotion};
use crate::ntuple::Design;

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
    /// The tile sum from which on the model holds weights, all stages where it is missing: for a network that takes over from
    /// another one, which knows the stages before.
    #[serde(default)]
    pub from: Option<u32>,
    /// One after the other.
    pub phases: Vec<GpuPhase>,
}

impl Recipe {
    /// The stages that the model holds.
    pub(super) fn stored_stages(&self) -> Range<usize> {
        self.from.map_or(0, |sum| self.design.view_of_sum(sum).stage)..self.design.stage_count()
    }
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
    /// Fixes the weights that a model stores coarsely when the phase begins, after the promotions.
    #[serde(default)]
    pub fix: Option<Fix>,
    /// Whether the weights of the phase are averaged, and the average taken at its end.
    #[serde(default)]
    pub average: bool,
    /// Seconds between two evaluations; the end of a phase is always evaluated.
    #[serde(default)]
    pub evaluate: Option<f64>,
}

/// How the model is rounded before the end, so that what is fine can still learn to make up for what is coarse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fix {
    /// The games in which the look-ups of each weight are counted; where the model lacks the first stages, games that start behind
    /// them.
    pub games: u32,
    /// The size of the model file.
    pub bytes: u64,
    /// As how many look-ups one of the stages above the ceiling counts: who searches gets there more often than these games do.
    #[serde(default = "once")]
    pub late: u32,
}

fn once() -> u32 {
    1
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

    #[test]
    fn the_recipes_of_the_project_can_be_read() {
        let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let files = ["models", "trainings/ntuple"].map(|folder| std::fs::read_dir(top.join(folder)).unwrap());
        let paths = files.into_iter().flatten().map(|file| file.unwrap().path());
        let recipes: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
        assert!(recipes.len() >= 7, "{recipes:?}");
        for path in recipes {
            let recipe: Recipe = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(recipe.phases.iter().all(|phase| phase.seconds > 0.0 && phase.plan.alpha > 0.0), "{path:?}");
            let stages = recipe.design.section_ends().len();
            let fits = |plan: &Plan| plan.starts.len() <= stages && plan.bridge.len() == stages + 1;
            assert!(recipe.phases.iter().all(|phase| fits(&phase.plan)), "{path:?}");
            assert!(!recipe.stored_stages().is_empty(), "{path:?}");
        }
    }
}
