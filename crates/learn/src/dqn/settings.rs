//! A training as it stands in its file.

use serde::{Deserialize, Serialize};

use crate::neural::{Design, DesignError, Encoding};

/// What is learned, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DqnSettings {
    /// A short name; the folder of the run is called after it.
    pub name: String,
    /// What the run is about, in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The seed of everything random.
    #[serde(default = "one")]
    pub seed: u64,
    /// What the network judges.
    pub variant: Variant,
    /// The hidden layers of a fully connected network.
    #[serde(default)]
    pub hidden: Vec<usize>,
    /// A built-in network by name or a design, instead of `hidden`.
    #[serde(default, deserialize_with = "Design::maybe_named_or_own", skip_serializing_if = "Option::is_none")]
    pub network: Option<Design>,
    /// Moves in all. More can be asked for later.
    pub moves: u64,
    /// Games played side by side.
    #[serde(default = "sixteen")]
    pub games: usize,
    /// How much later points count less, per move.
    #[serde(default = "undiscounted")]
    pub discount: f32,
    /// Points that count as one unit of the network's outputs.
    #[serde(default = "thousand")]
    pub unit: f32,
    /// The moves whose points are seen before the network is asked.
    #[serde(default = "single")]
    pub steps: usize,
    /// Which slide counts where the network is asked.
    #[serde(default)]
    pub ahead: Ahead,
    /// Whether the network chooses the best next slide and its older copy judges it.
    #[serde(default = "yes")]
    pub double: bool,
    /// Whether slides are chosen by their mean over the symmetries of the board: eight times the questions, and games that come
    /// much further. What is learned of a board is still seen through one symmetry at a time.
    #[serde(default)]
    pub averaged: bool,
    /// How often a random slide is played.
    #[serde(default)]
    pub epsilon: Epsilon,
    /// Remembered moves.
    #[serde(default = "hundred_thousand")]
    pub memory: usize,
    /// Remember surprising moves better; all alike if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Whether remembered moves are seen through a random symmetry of the board.
    #[serde(default = "yes")]
    pub symmetries: bool,
    /// Remembered moves in one step of learning.
    #[serde(default = "batch")]
    pub batch: usize,
    /// Steps of the games between two steps of learning.
    #[serde(default = "single")]
    pub every: usize,
    /// The learning rate.
    #[serde(default = "rate")]
    pub rate: f32,
    /// How the learning rate falls; it stays if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decay: Option<Decay>,
    /// Steps of learning between two renewals of the older copy.
    #[serde(default = "five_hundred")]
    pub target_every: u64,
    /// Moves between two evaluations.
    #[serde(default = "hundred_thousand_moves")]
    pub evaluate: u64,
    /// Games of an evaluation, without random slides.
    #[serde(default = "hundred")]
    pub sample: u32,
}

fn one() -> u64 {
    1
}

fn single() -> usize {
    1
}

fn sixteen() -> usize {
    16
}

fn yes() -> bool {
    true
}

fn undiscounted() -> f32 {
    1.0
}

fn thousand() -> f32 {
    1000.0
}

fn hundred_thousand() -> usize {
    100_000
}

fn hundred_thousand_moves() -> u64 {
    100_000
}

fn batch() -> usize {
    128
}

fn rate() -> f32 {
    0.0005
}

fn five_hundred() -> u64 {
    500
}

fn hundred() -> u32 {
    100
}

/// What the network judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// The four slides of a board.
    Q,
    /// The board after a slide.
    Afterstate,
}

impl Variant {
    /// The outputs of the network.
    #[must_use]
    pub fn outputs(self) -> usize {
        match self {
            Self::Q => 4,
            Self::Afterstate => 1,
        }
    }
}

/// Which slide counts where the points that were seen end and the network is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ahead {
    /// The best one, as the network sees it now: the best of several guesses, which is too high on average.
    #[default]
    Best,
    /// The one that was played. Nothing is guessed too high, and the network is asked for one board instead of up to four.
    Played,
}

/// How often a random slide is played: falls in a line, then stays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Epsilon {
    /// At first.
    pub from: f64,
    /// In the end.
    pub to: f64,
    /// After so many moves.
    pub moves: u64,
}

impl Default for Epsilon {
    fn default() -> Self {
        Self { from: 0.3, to: 0.0, moves: 200_000 }
    }
}

impl Epsilon {
    pub(super) fn at(&self, moves: u64) -> f64 {
        let share = (moves as f64 / self.moves.max(1) as f64).min(1.0);
        self.from + share * (self.to - self.from)
    }
}

/// How the learning rate falls: by the same factor with every move between two moments. Tied to moves and not to the length
/// of the run, so that a run can be made longer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decay {
    /// The move after which it begins to fall.
    pub from: u64,
    /// The move after which it falls no more.
    pub until: u64,
    /// The rate that is left.
    pub to: f32,
}

impl Decay {
    fn rate(&self, start: f32, moves: u64) -> f32 {
        let share = moves.saturating_sub(self.from) as f64 / self.until.saturating_sub(self.from).max(1) as f64;
        start * (self.to / start).powf(share.min(1.0) as f32)
    }
}

/// How much better surprising moves are remembered (Schaul and others 2016).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Priority {
    /// The power of the surprise: 0 remembers all alike.
    pub alpha: f32,
    /// How far the bias of it is corrected: 1 corrects it in full.
    pub beta: f32,
}

impl Default for Priority {
    fn default() -> Self {
        Self { alpha: 0.6, beta: 0.5 }
    }
}

/// Settings that make no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DqnError {
    /// The layers.
    #[error("hidden: {0}")]
    Design(#[from] DesignError),
    /// A network for another variant.
    #[error("network: it has {found} outputs: this variant needs {wanted}")]
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

impl DqnSettings {
    /// The network, after checking all settings.
    pub fn design(&self) -> Result<Design, DqnError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let named = !self.name.is_empty() && self.name.chars().all(is_plain) && !self.name.starts_with('.');
        let share = 0.0..=1.0;
        let positive = |number: f32| number.is_finite() && number > 0.0;
        let priority = self.priority.unwrap_or_default();
        let falls = |decay: Decay| decay.from < decay.until && positive(decay.to);
        let checks = [
            (named, "name", "letters, digits, `-`, `_` and `.`: a folder is called after it"),
            ((1..=100_000).contains(&self.games), "games", "1 to 100000 games side by side"),
            ((0.0..=1.0).contains(&self.discount), "discount", "a number from 0 to 1"),
            (positive(self.unit), "unit", "a number above 0"),
            ((1..=100).contains(&self.steps), "steps", "1 to 100 moves"),
            (
                self.ahead == Ahead::Best || self.variant == Variant::Afterstate,
                "ahead",
                "`best` where slides are judged",
            ),
            (self.ahead == Ahead::Best || self.steps > 1, "steps", "2 to 100 moves where `ahead` is `played`"),
            (share.contains(&self.epsilon.from) && share.contains(&self.epsilon.to), "epsilon", "probabilities"),
            ((1..=100_000_000).contains(&self.memory), "memory", "1 to 100000000 moves"),
            ((0.0..=1.0).contains(&priority.alpha), "priority.alpha", "a number from 0 to 1"),
            ((0.0..=1.0).contains(&priority.beta), "priority.beta", "a number from 0 to 1"),
            ((1..=1_000_000).contains(&self.batch) && self.batch <= self.memory, "batch", "1 to `memory` moves"),
            (self.every > 0, "every", "at least 1"),
            (positive(self.rate), "rate", "a number above 0"),
            (self.decay.is_none_or(falls), "decay", "`from` before `until`, and `to` above 0"),
            (self.hidden.is_empty() || self.network.is_none(), "network", "either `hidden` or `network`"),
            (self.target_every > 0, "target-every", "at least 1"),
            (self.evaluate > 0, "evaluate", "at least 1 move"),
            (self.sample > 0, "sample", "at least 1 game"),
        ];
        match checks.into_iter().find(|(holds, ..)| !holds) {
            Some((_, setting, expected)) => Err(DqnError::Setting { setting, expected }),
            None => self.network(),
        }
    }

    fn network(&self) -> Result<Design, DqnError> {
        let wanted = self.variant.outputs();
        match &self.network {
            Some(network) if network.outputs() != wanted => Err(DqnError::Outputs { found: network.outputs(), wanted }),
            Some(network) => Ok(network.clone()),
            None => Ok(Design::rectified(Encoding::OneHot, &self.hidden, wanted)?),
        }
    }

    /// The learning rate after so many moves.
    pub(super) fn rate_at(&self, moves: u64) -> f32 {
        self.decay.map_or(self.rate, |decay| decay.rate(self.rate, moves))
    }

    /// Whether a checkpoint of `other` belongs to this run: everything but its length is the same.
    pub(super) fn continues(&self, other: &Self) -> bool {
        let lengthened = Self { moves: self.moves, about: self.about.clone(), ..other.clone() };
        *self == lengthened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trainings_of_the_repository_can_be_started() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../trainings/dqn");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let settings: DqnSettings = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(settings.design().is_ok(), "{}: {:?}", path.display(), settings.design());
        }
    }

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let error_of = |variant: &str, more: &str| {
            let text = format!("name = \"x\"\nvariant = \"{variant}\"\nmoves = 1\n{more}");
            let settings: DqnSettings = toml::from_str(&text).unwrap();
            settings.design().map(drop).unwrap_err().to_string()
        };
        let error = |more| error_of("q", more);
        assert_eq!(error("hidden = [8]\nbatch = 0"), "batch: expected 1 to `memory` moves");
        assert_eq!(error("hidden = [8]\nrate = nan"), "rate: expected a number above 0");
        assert_eq!(error("network = \"fc\""), "network: it has 1 outputs: this variant needs 4");
        assert_eq!(error("network = \"policy\"\nhidden = [8]"), "network: expected either `hidden` or `network`");
        let played = "hidden = [8]\nahead = \"played\"";
        assert_eq!(error(played), "ahead: expected `best` where slides are judged");
        let steps = "steps: expected 2 to 100 moves where `ahead` is `played`";
        assert_eq!(error_of("afterstate", played), steps);
        let decay = "hidden = [8]\ndecay = { from = 5, until = 5, to = 0.1 }";
        assert_eq!(error(decay), "decay: expected `from` before `until`, and `to` above 0");
        assert!(error("hidden = [0]").starts_with("hidden: layer 1 has 0 outputs"), "{}", error("hidden = [0]"));
    }

    #[test]
    fn the_rate_falls_by_equal_factors() {
        let text = "name = \"x\"\nvariant = \"afterstate\"\nnetwork = \"cnn-small\"\nmoves = 1\nrate = 0.01\n\
                    decay = { from = 100, until = 300, to = 0.0001 }";
        let settings: DqnSettings = toml::from_str(text).unwrap();
        assert_eq!(settings.design().unwrap(), Design::built_in("cnn-small").unwrap());
        for (moves, rate) in [(0, 0.01), (100, 0.01), (200, 0.001), (300, 0.0001), (900, 0.0001)] {
            assert!((settings.rate_at(moves) / rate - 1.0).abs() < 1e-4, "{moves}: {}", settings.rate_at(moves));
        }
    }
}
