//! A training on the GPU as data: phases by the clock, each with its own plan.

use std::ops::{Deref, Range};

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

/// A recipe that can be carried out, which [`Recipe::checked`] says: a run takes no other.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedRecipe(Recipe);

impl Deref for CheckedRecipe {
    type Target = Recipe;

    fn deref(&self) -> &Recipe {
        &self.0
    }
}

/// A recipe that cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecipeError {
    /// Nothing to do.
    #[error("a recipe needs at least one phase")]
    NoPhase,
    /// Something in one of the phases.
    #[error("phase {phase}: {error}")]
    Phase {
        /// Which, counted from 1.
        phase: usize,
        /// What is wrong with it.
        error: Box<Self>,
    },
    /// A number outside its range.
    #[error("{name} is {value}: it must be {range}")]
    OutOfRange {
        /// The entry.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        range: &'static str,
    },
    /// More numbers than there are stages.
    #[error("{name} has {count} numbers, and the design has room for {most}")]
    TooMany {
        /// The entry.
        name: &'static str,
        /// How many numbers it has.
        count: usize,
        /// How many it may have.
        most: usize,
    },
    /// Games start in no stage.
    #[error("starts has no number above 0: games must start somewhere")]
    NoStart,
    /// A stage that is not there.
    #[error("there is no stage {stage} to promote: the last one of the design is {last}, counted from 0")]
    NoStage {
        /// The stage.
        stage: usize,
        /// The last one.
        last: usize,
    },
    /// A number that is no tile, or none that has a half.
    #[error("{0} is no tile that can be lowered: those from 4 to 32768 are")]
    NoTile(u32),
}

type Numbers<'a> = (&'static str, &'a [f32]);

/// Refuses a number outside its range, `NaN` included.
fn require(holds: bool, name: &'static str, value: impl Into<f64>, range: &'static str) -> Result<(), RecipeError> {
    if holds { Ok(()) } else { Err(RecipeError::OutOfRange { name, value: value.into(), range }) }
}

impl Recipe {
    /// Checks every number, so that nothing is ignored and no hour is spent on a mistake.
    pub fn checked(self) -> Result<CheckedRecipe, RecipeError> {
        require((1..=MAX_GAMES).contains(&self.games), "games", self.games, "from 1 to 16777216")?;
        require((1..=MAX_GAMES).contains(&self.sample), "sample", self.sample, "from 1 to 16777216")?;
        if self.phases.is_empty() {
            return Err(RecipeError::NoPhase);
        }
        for (phase, number) in self.phases.iter().zip(1..) {
            let in_phase = |error| RecipeError::Phase { phase: number, error: Box::new(error) };
            phase.check(&self.design).map_err(in_phase)?;
        }
        Ok(CheckedRecipe(self))
    }

    /// The stages that the model holds.
    pub(super) fn stored_stages(&self) -> Range<usize> {
        self.from.map_or(0, |sum| self.design.view_of_sum(sum).stage)..self.design.stage_count()
    }
}

/// Games are counted by lanes on the device, in 32 bits.
const MAX_GAMES: u32 = 1 << 24;

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

impl GpuPhase {
    fn check(&self, design: &Design) -> Result<(), RecipeError> {
        let positive = |name, value: f64| require(value > 0.0 && value.is_finite(), name, value, "above 0");
        let rate = |name, value: f32| require(value > 0.0 && value <= 2.0, name, value, "above 0 and at most 2");
        positive("seconds", self.seconds)?;
        self.evaluate.map_or(Ok(()), |seconds| positive("evaluate", seconds))?;
        rate("plan.alpha", self.plan.alpha)?;
        self.final_alpha.map_or(Ok(()), |alpha| rate("final_alpha", alpha))?;
        self.plan.check(design)?;
        finite(("initial", &self.initial), design.stage_count())?;
        self.promote.iter().try_for_each(|promotion| promotion.check(design))?;
        if let Some(Fix { games, bytes, .. }) = self.fix {
            require((1..=MAX_GAMES).contains(&games), "fix.games", games, "from 1 to 16777216")?;
            require(bytes > 0, "fix.bytes", bytes as f64, "above 0")?;
        }
        Ok(())
    }
}

impl Plan {
    fn check(&self, design: &Design) -> Result<(), RecipeError> {
        let Self { fade, capture, given, doubled, .. } = *self;
        let shares = [("plan.fade", fade), ("plan.capture", capture), ("plan.given", given), ("plan.doubled", doubled)];
        for (name, share) in shares {
            require((0.0..=1.0).contains(&share), name, share, "from 0 to 1")?;
        }
        let sections = design.section_ends().len();
        for (name, numbers) in [("plan.starts", &self.starts), ("plan.rates", &self.rates)] {
            finite((name, numbers), sections)?;
            let wrong = numbers.iter().find(|&&number| number < 0.0);
            wrong.map_or(Ok(()), |&number| require(false, name, number, "at least 0 in every stage"))?;
        }
        finite(("plan.bridge", &self.bridge), sections + 1)?;
        finite(("plan.bonus", &self.bonus), sections + 1)?;
        if self.starts.iter().any(|&share| share > 0.0) { Ok(()) } else { Err(RecipeError::NoStart) }
    }
}

/// Finite numbers, one for each of `most` stages or fewer.
fn finite((name, numbers): Numbers<'_>, most: usize) -> Result<(), RecipeError> {
    let count = numbers.len();
    if count > most {
        return Err(RecipeError::TooMany { name, count, most });
    }
    let wrong = numbers.iter().find(|number| !number.is_finite());
    wrong.map_or(Ok(()), |&number| require(false, name, number, "a finite number in every stage"))
}

impl Promotion {
    fn check(&self, design: &Design) -> Result<(), RecipeError> {
        let last = design.stage_count() - 1;
        if let Some(stage) = [self.from, self.to].into_iter().find(|&stage| stage > last) {
            return Err(RecipeError::NoStage { stage, last });
        }
        let is_tile = |tile: u32| tile.is_power_of_two() && (4..=32_768).contains(&tile);
        self.lowered.iter().find(|&&tile| !is_tile(tile)).map_or(Ok(()), |&tile| Err(RecipeError::NoTile(tile)))
    }
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
    fn a_recipe_that_cannot_be_carried_out_is_refused_with_its_reason() {
        let text = r#"
            games = 4096
            design = { name = "x", tuples = ["a1 b1"], stages = [100] }
            [[phases]]
            seconds = 5
            initial = [1, 2]
            promote = [{ from = 0, to = 1, lowered = [64] }]
            fix = { games = 10, bytes = 1000 }
            plan = { alpha = 0.1, given = 0.5, starts = [1, 2], bridge = [1, 2, 3], bonus = [1, 2, 3], rates = [1, 2] }
        "#;
        let checked = |text: &str| toml::from_str::<Recipe>(text).unwrap().checked();
        assert_eq!(checked(text).map(|recipe| recipe.games), Ok(4096));
        let check = |from: &str, to: &str, reason: &str| {
            assert!(text.contains(from), "{from}");
            let error = checked(&text.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        check("games = 4096", "games = 0", "games is 0: it must be from 1 to 16777216");
        check("games = 4096", "sample = 0", "sample is 0");
        check("seconds = 5", "seconds = 0", "phase 1: seconds is 0: it must be above 0");
        check("seconds = 5", "seconds = nan", "seconds is NaN");
        check("seconds = 5", "seconds = 5\nevaluate = 0.0", "evaluate is 0");
        check("seconds = 5", "seconds = 5\nfinal_alpha = -1.0", "final_alpha is -1");
        check("alpha = 0.1", "alpha = inf", "plan.alpha is inf: it must be above 0 and at most 2");
        check("given = 0.5", "given = 1.5", "plan.given is 1.5: it must be from 0 to 1");
        check("given = 0.5", "fade = nan", "plan.fade is NaN");
        check("starts = [1, 2]", "starts = [0, 0]", "starts has no number above 0");
        check("starts = [1, 2]", "starts = [1, -2]", "plan.starts is -2: it must be at least 0");
        check("starts = [1, 2]", "starts = [1, 2, 3]", "plan.starts has 3 numbers, and the design has room for 2");
        check("rates = [1, 2]", "rates = [1, nan]", "plan.rates is NaN: it must be a finite number");
        check("bridge = [1, 2, 3]", "bridge = [1, 2, 3, 4]", "plan.bridge has 4 numbers");
        check("bonus = [1, 2, 3]", "bonus = [inf]", "plan.bonus is inf");
        check("initial = [1, 2]", "initial = [1, 2, 3]", "initial has 3 numbers");
        check("to = 1", "to = 2", "there is no stage 2 to promote: the last one of the design is 1");
        check("lowered = [64]", "lowered = [65]", "65 is no tile");
        check("games = 10", "games = 0", "fix.games is 0");
        let none = Recipe { phases: Vec::new(), ..toml::from_str(text).unwrap() };
        assert_eq!(none.checked(), Err(RecipeError::NoPhase));
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
            let recipe = recipe.checked().unwrap_or_else(|error| panic!("{path:?}: {error}"));
            let stages = recipe.design.section_ends().len();
            let fits = |plan: &Plan| plan.starts.len() <= stages && plan.bridge.len() == stages + 1;
            assert!(recipe.phases.iter().all(|phase| fits(&phase.plan)), "{path:?}");
            assert!(!recipe.stored_stages().is_empty(), "{path:?}");
        }
    }
}
