//! A genetic run as it stands in its file.

use serde::{Deserialize, Serialize};

use super::brain::{BrainError, Shape};
use super::breeding::Mutation;
use super::fitness::Role;
use crate::neural::{Design, Encoding};

/// What is bred, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GeneticSettings {
    /// A short name; the folder of the run is called after it.
    pub name: String,
    /// What the run is about, in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The seed of everything random.
    #[serde(default = "one")]
    pub seed: u64,
    /// What the outputs mean.
    #[serde(default = "policy")]
    pub role: Role,
    /// How a board becomes the inputs of the hidden layers.
    #[serde(default)]
    pub encoding: Encoding,
    /// The hidden layers of a fully connected network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Vec<usize>>,
    /// A built-in network by name or a design, instead of `encoding` and `hidden`.
    #[serde(default, deserialize_with = "Design::maybe_named_or_own", skip_serializing_if = "Option::is_none")]
    pub network: Option<Design>,
    /// Networks in a generation.
    pub population: usize,
    /// How many generations in all. More can be asked for later.
    pub generations: u64,
    /// Games of every network in a generation.
    #[serde(default = "single")]
    pub games: u32,
    /// Whether all networks of a generation meet the same chance.
    #[serde(default)]
    pub chance: Chance,
    /// The range of random weights, as a multiple of one over the root of a layer's inputs.
    #[serde(default = "unit")]
    pub scale: f32,
    /// Games in which the best networks of the last generation are compared at the end.
    #[serde(default = "two_hundred")]
    pub finals: u32,
    /// How a generation becomes the next one.
    #[serde(default)]
    pub breeding: BreedingSettings,
    /// Search the layers too, starting from `hidden`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<StructureSettings>,
}

fn one() -> u64 {
    1
}

fn single() -> u32 {
    1
}

fn two_hundred() -> u32 {
    200
}

fn unit() -> f32 {
    1.0
}

fn policy() -> Role {
    Role::Policy
}

/// What chance the networks of a generation meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chance {
    /// All the same: luck does not rank them.
    #[default]
    Common,
    /// Each its own, as in the thesis.
    Own,
}

/// How a generation becomes the next one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct BreedingSettings {
    /// Which operators.
    pub operators: Operators,
    /// How parents are chosen.
    pub selection: Selection,
    /// How often a child has two parents.
    pub crossover: f64,
    /// How often a weight mutates.
    pub mutation_rate: f64,
    /// What becomes of it.
    pub mutation: Mutation,
    /// How many of the best live on unchanged.
    pub elite: usize,
    /// With the improved operators: the weight of the parents against the extremes of the population.
    pub w: f32,
}

impl Default for BreedingSettings {
    fn default() -> Self {
        Self {
            operators: Operators::Plain,
            selection: Selection::Roulette,
            crossover: 0.5,
            mutation_rate: 0.05,
            mutation: Mutation::Replace,
            elite: 0,
            w: 0.5,
        }
    }
}

/// The genetic operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operators {
    /// One-point crossover and mutation weight by weight (section 2.2 of the thesis).
    #[default]
    Plain,
    /// Four candidates for each crossover, three for each mutation; the best of them is kept (section 2.3).
    Improved,
}

/// How parents are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// With a probability proportional to their fitness.
    #[default]
    Roulette,
    /// Alike among this share of the best.
    Truncation(f64),
}

/// How the layers are searched: every round tries neighbours of the best structure, each bred anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StructureSettings {
    /// How many rounds.
    pub rounds: u64,
    /// Structures tried in each.
    pub attempts: u64,
    /// Games that the best network of a structure plays to be compared with others.
    pub games: u32,
}

/// Settings that make no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeneticError {
    /// The layers.
    #[error("hidden: {0}")]
    Brain(#[from] BrainError),
    /// A network for another role.
    #[error("network: it has {found} outputs: this role needs {wanted}")]
    Outputs {
        /// How many it has.
        found: usize,
        /// How many it should have.
        wanted: usize,
    },
    /// A number out of range.
    #[error("{setting}: expected {expected}")]
    Setting {
        /// Which one.
        setting: &'static str,
        /// What would be right.
        expected: &'static str,
    },
}

impl GeneticSettings {
    /// The layers, after checking all settings.
    pub fn shape(&self) -> Result<Shape, GeneticError> {
        let breeding = &self.breeding;
        let share = 0.0..=1.0;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let named = !self.name.is_empty() && self.name.chars().all(is_plain) && !self.name.starts_with('.');
        let checks = [
            (named, "name", "letters, digits, `-`, `_` and `.`: a folder is called after it"),
            ((2..=100_000).contains(&self.population), "population", "2 to 100000 networks"),
            ((1..=100_000).contains(&self.games), "games", "1 to 100000 games"),
            ((1..=100_000).contains(&self.finals), "finals", "1 to 100000 games"),
            (self.scale.is_finite() && self.scale > 0.0, "scale", "a number above 0"),
            (share.contains(&breeding.crossover), "breeding.crossover", "a probability"),
            (share.contains(&breeding.mutation_rate), "breeding.mutation-rate", "a probability"),
            (breeding.elite < self.population, "breeding.elite", "fewer than the population"),
            ((0.0..=1.0).contains(&breeding.w), "breeding.w", "a number from 0 to 1"),
            (
                !matches!(breeding.selection, Selection::Truncation(part) if !(part > 0.0 && part <= 1.0)),
                "breeding.selection",
                "a share of the best above 0, at most 1",
            ),
            (
                !matches!(breeding.mutation, Mutation::Add(size) if !(size.is_finite() && size > 0.0)),
                "breeding.mutation",
                "replace, or add with a number above 0",
            ),
            (!matches!(self.role, Role::Value { depth } if !(1..=9).contains(&depth)), "role", "a depth of 1 to 9"),
            (self.hidden.is_some() != self.network.is_some(), "hidden", "the hidden layers, or a `network` instead"),
            (
                self.network.is_none() || self.encoding == Encoding::default(),
                "encoding",
                "none: the network has its own",
            ),
            (
                self.structure.is_none() || self.hidden.is_some(),
                "structure",
                "`hidden` layers: those of a `network` are not searched",
            ),
            (
                self.structure.is_none_or(|search| search.rounds > 0 && search.attempts > 0 && search.games > 0),
                "structure",
                "at least one round, attempt and game",
            ),
        ];
        match checks.into_iter().find(|(holds, ..)| !holds) {
            Some((_, setting, expected)) => Err(GeneticError::Setting { setting, expected }),
            None => self.layers(),
        }
    }

    fn layers(&self) -> Result<Shape, GeneticError> {
        let wanted = self.role.outputs();
        match &self.network {
            Some(network) if network.outputs() != wanted => {
                Err(GeneticError::Outputs { found: network.outputs(), wanted })
            }
            Some(network) => Ok(Shape::of(network.clone())),
            None => Ok(Shape::new(self.encoding, self.hidden.as_deref().unwrap_or_default(), wanted)?),
        }
    }

    /// Whether a checkpoint of `other` belongs to this run: everything but its length and its end is the same.
    pub(super) fn continues(&self, other: &Self) -> bool {
        let Self { generations, finals, .. } = *self;
        let lengthened = Self { generations, finals, about: self.about.clone(), ..other.clone() };
        *self == lengthened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runs_of_the_repository_can_be_started() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../trainings/dietenberger/ga");
        let mut found = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let settings: GeneticSettings = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(settings.shape().is_ok(), "{}: {:?}", path.display(), settings.shape());
            found += 1;
        }
        assert!(found >= 7, "{found}");
    }

    #[test]
    fn networks_that_do_not_fit_are_named() {
        let error = |more: &str| {
            let text = format!("name = \"x\"\npopulation = 4\ngenerations = 1\n{more}");
            let settings: GeneticSettings = toml::from_str(&text).unwrap();
            settings.shape().map(drop).unwrap_err().to_string()
        };
        let structure = "[structure]\nrounds = 1\nattempts = 1\ngames = 1";
        assert_eq!(error(""), "hidden: expected the hidden layers, or a `network` instead");
        assert_eq!(error("network = \"cnn\""), "network: it has 1 outputs: this role needs 4");
        assert_eq!(
            error("network = \"policy\"\nencoding = \"slides\""),
            "encoding: expected none: the network has its own"
        );
        assert_eq!(
            error(&format!("network = \"policy\"\n{structure}")),
            "structure: expected `hidden` layers: those of a `network` are not searched"
        );
    }

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let error = |more: &str| {
            let text = format!("name = \"x\"\nhidden = [8]\npopulation = 4\ngenerations = 1\n{more}");
            match toml::from_str::<GeneticSettings>(&text) {
                Ok(settings) => settings.shape().map(drop).unwrap_err().to_string(),
                Err(error) => error.message().to_owned(),
            }
        };
        assert_eq!(error("games = 0"), "games: expected 1 to 100000 games");
        assert_eq!(error("[breeding]\nelite = 4"), "breeding.elite: expected fewer than the population");
        assert_eq!(error("[breeding]\nmutation-rate = 1.5"), "breeding.mutation-rate: expected a probability");
        assert_eq!(error("role = { value = { depth = 0 } }"), "role: expected a depth of 1 to 9");
        let policy = "network = \"policy\"";
        assert_eq!(error(policy), "hidden: expected the hidden layers, or a `network` instead");
        assert!(error("[breeding]\nmutation-rat = 1").contains("unknown field `mutation-rat`"));
    }
}
