//! A tuning as it stands in its file.
//!
//! ```toml
//! name = "maqsood"
//! game = "2048"
//! agent = "maqsood/exp2(eval=maqsood)"
//! games = 25
//! generations = 30
//!
//! [[weights]]
//! key = "eval.monotonicity"
//! scale = "log"
//! ```

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::experiment::{DrawSettings, ExperimentError, GameName, LimitSettings, PositionSettings, explain};

/// What is tuned, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningSettings {
    /// A short name; the folder of the run is called after it.
    pub name: String,
    /// What the tuning is about, in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The game.
    pub game: GameName,
    /// The agent whose numbers are tuned. What a key's path goes through must be written out.
    pub agent: String,
    /// The seed of the search and of all games.
    #[serde(default = "one")]
    pub seed: u64,
    /// How many generations in all. More can be asked for later.
    pub generations: u64,
    /// Candidates of a generation; what is usual for the number of weights if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<usize>,
    /// Games of each candidate in a generation; even numbers in a game of two players.
    pub games: u64,
    /// When the best guess is compared with the champion.
    #[serde(default)]
    pub confirm: ConfirmSettings,
    /// What a game of two players is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// Whom candidates meet in a game of two players; the agent as it stands if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// Limits per move on top of the agent's own.
    #[serde(default)]
    pub limits: LimitSettings,
    /// Where games of two players start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PositionSettings>,
    /// When a game of two players that nobody wins ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<DrawSettings>,
    /// The numbers that are searched.
    pub weights: Vec<WeightSettings>,
}

fn one() -> u64 {
    1
}

/// When the best guess is compared with the champion, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConfirmSettings {
    /// After every so many generations, and after the last.
    pub every: u64,
    /// The most games; fewer where the first quarter or half already tells.
    pub games: u64,
}

impl Default for ConfirmSettings {
    fn default() -> Self {
        Self { every: 5, games: 400 }
    }
}

/// What a game of two players is worth for a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gain {
    /// One point for a win, half a point for a draw.
    #[default]
    Points,
    /// The marbles pushed off minus those lost: tells candidates apart in fewer games.
    Marbles,
}

/// A number of the agent's spec that is searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightSettings {
    /// The path of its key, such as `eval.empty`.
    pub key: String,
    /// Where the search starts; the value in the agent's spec, or its default, if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// The standard deviation of the first generation: in units of the key on a linear scale (three tenths of the start
    /// if missing), as a power of e on a logarithmic one (0.5 if missing).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// The least value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// How steps are measured.
    #[serde(default)]
    pub scale: Scale,
}

/// How steps of a weight are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// By differences.
    #[default]
    Linear,
    /// By factors: the weight keeps its sign.
    Log,
}

impl TuningSettings {
    /// Reads the file of a tuning.
    pub fn read(path: &Path) -> Result<Self, ExperimentError> {
        let text = std::fs::read_to_string(path).map_err(|error| ExperimentError::unreadable(path, &error))?;
        Self::parse(&text)
    }

    /// Reads the text of such a file.
    pub fn parse(text: &str) -> Result<Self, ExperimentError> {
        let settings: Self = toml::from_str(text).map_err(|error| explain(text, &error))?;
        settings.check()?;
        Ok(settings)
    }

    /// Whether the numbers make sense; agents and keys are checked where they are built.
    fn check(&self) -> Result<(), ExperimentError> {
        let wrong = |setting: &str, reason: &str| Err(ExperimentError::setting(setting, reason));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || !self.name.chars().all(is_plain) || self.name.starts_with('.') {
            return wrong("name", "expected letters, digits, `-`, `_` and `.`: a folder is called after it");
        }
        if self.games == 0 || self.games > 1_000_000 {
            return wrong("games", "expected 1 to 1000000 games");
        }
        if self.population.is_some_and(|population| !(4..=10_000).contains(&population)) {
            return wrong("population", "expected 4 to 10000 candidates");
        }
        if self.weights.is_empty() || self.weights.len() > 100 {
            return wrong("weights", "expected 1 to 100 weights");
        }
        if self.confirm.every == 0 || self.confirm.games < 8 {
            return wrong("confirm", "expected every >= 1 and games >= 8");
        }
        match self.game {
            GameName::Twenty48 => {
                let of_two =
                    [self.gain.is_some(), self.opponent.is_some(), self.openings.is_some(), self.draws.is_some()];
                if of_two.contains(&true) {
                    return wrong("gain, opponent, openings, draws", "2048 has one player: leave these out");
                }
            }
            GameName::Abalone if !self.games.is_multiple_of(2) => {
                return wrong("games", "expected an even number: every opening is played with both colours");
            }
            GameName::Abalone => {}
        }
        Ok(())
    }

    /// Whether a checkpoint of `other` belongs to this tuning: everything but the length is the same.
    pub(super) fn continues(&self, other: &Self) -> bool {
        let lengthened = Self { generations: self.generations, about: self.about.clone(), ..other.clone() };
        *self == lengthened
    }
}
