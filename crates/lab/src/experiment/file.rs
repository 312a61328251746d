//! An experiment as it stands in its file.
//!
//! ```toml
//! name = "depths"
//! game = "2048"
//! games = 50
//!
//! [[agents]]
//! name = "EXP_{depth}"
//! spec = "expectimax(eval=maqsood)"
//! sweep = { depth = [2, 3, 4] }
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::StopRule;
use super::count::{games, some_games};
use super::measure::Measure;

/// The games that experiments can be made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameName {
    /// One player against chance.
    #[serde(rename = "2048")]
    Twenty48,
    /// Two players.
    #[serde(rename = "abalone")]
    Abalone,
}

/// An experiment: what is played, how often, and what is shown of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// A short name; the results file is called after it.
    pub name: String,
    /// The heading of the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the experiment is about, in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The name of the results file, where it is not the experiment's own: experiments with the same one share games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<String>,
    /// The game.
    pub game: GameName,
    /// The seed that every game's seed is derived from.
    #[serde(default = "one")]
    pub seed: u64,
    /// The number of games of every series; short for a rule with a fixed number.
    #[serde(default, deserialize_with = "some_games", skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// When a series has enough games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopRule>,
    /// Limits per move on top of the agents' own.
    #[serde(default, skip_serializing_if = "LimitSettings::is_none")]
    pub limits: LimitSettings,
    /// Who plays.
    pub agents: Vec<AgentSettings>,
    /// Who meets whom, in a game of two players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<Pairing>,
    /// Where games of two players start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PositionSettings>,
    /// Positions to decide instead of games to play: every agent decides each of them once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<PositionSettings>,
    /// When a game of two players that nobody wins ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<DrawSettings>,
    /// The tables of the report; one with the usual measures if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableSettings>,
    /// The figures of the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<FigureSettings>,
    /// What others have published about the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// Settings under a name, put over the others by `profile=NAME`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub profiles: BTreeMap<String, toml::Table>,
}

impl Experiment {
    /// An experiment with nothing but its agents; everything else is as in a file that does not mention it.
    #[must_use]
    pub fn new(name: impl Into<String>, game: GameName, specs: impl IntoIterator<Item = String>) -> Self {
        let agent = |spec| AgentSettings { name: None, spec, sweep: BTreeMap::new(), games: None };
        Self {
            name: name.into(),
            title: None,
            about: None,
            results: None,
            game,
            seed: one(),
            games: None,
            stop: None,
            limits: LimitSettings::default(),
            agents: specs.into_iter().map(agent).collect(),
            pairing: None,
            openings: None,
            positions: None,
            draws: None,
            tables: Vec::new(),
            figures: Vec::new(),
            published: None,
            profiles: BTreeMap::new(),
        }
    }
}

fn one() -> u64 {
    1
}

/// Limits as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// Half-moves or levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Monte Carlo iterations per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Time per move, such as `20s` or `5ms`; not reproducible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

impl LimitSettings {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// One agent, or several that differ in the values of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSettings {
    /// Its name in tables; `{key}` stands for the value of a swept key. The spec itself if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The agent.
    pub spec: String,
    /// Keys of the spec and the values they take, in all combinations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sweep: BTreeMap<String, Vec<toml::Value>>,
    /// The number of games of this agent, where it differs.
    #[serde(default, deserialize_with = "some_games", skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
}

/// Who meets whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first agent meets all others.
    Gauntlet,
    /// These pairs, by name.
    Pairs(Vec<[String; 2]>),
}

/// Positions by name or from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionSettings {
    /// Layouts by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<String>,
    /// A file with a position on each line, relative to the experiment's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Positions, `name: position` or bare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<String>,
}

/// When a game that nobody wins ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawSettings {
    /// Occurrences of a position that make a draw.
    #[serde(default = "three")]
    pub repetitions: u32,
    /// Half-moves after which a game is cut.
    #[serde(default = "many_plies")]
    pub max_plies: u32,
    /// How a game that is cut ends.
    #[serde(default)]
    pub at_limit: AtLimit,
}

fn three() -> u32 {
    3
}

fn many_plies() -> u32 {
    400
}

impl Default for DrawSettings {
    fn default() -> Self {
        Self { repetitions: three(), max_plies: many_plies(), at_limit: AtLimit::default() }
    }
}

/// How a game that is cut at the ply limit ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtLimit {
    /// Nobody wins.
    #[default]
    Draw,
    /// Who has pushed off more marbles wins.
    LeaderWins,
}

/// A table: one row per series, one column per measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSettings {
    /// Its caption.
    pub title: String,
    /// Its columns.
    pub measures: Vec<Measure>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FigureSettings {
    /// A bar with its interval for every series; published values as marks.
    Bars {
        /// Its caption.
        title: String,
        /// What is shown.
        measure: Measure,
        /// Whether the vertical axis is logarithmic.
        #[serde(default)]
        log: bool,
    },
    /// A line over the values of a swept key, one for each combination of the other keys.
    Lines {
        /// Its caption.
        title: String,
        /// The swept key.
        over: String,
        /// What is shown.
        measure: Measure,
        /// Whether the vertical axis is logarithmic.
        #[serde(default)]
        log: bool,
        /// Only rows whose name contains this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<String>,
    },
    /// How the scores of every series are spread.
    Distribution {
        /// Its caption.
        title: String,
        /// Whether the axis of the scores is logarithmic.
        #[serde(default)]
        log: bool,
    },
    /// A value over the course of the first games.
    Course {
        /// Its caption.
        title: String,
        /// How many games of each series.
        #[serde(default = "one", deserialize_with = "games")]
        games: u64,
        /// The agent whose value is shown, move by move; without one, the score or the lead in marbles.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        judge: Option<String>,
    },
}

/// Published figures to compare with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Where they were published.
    pub source: String,
    /// How many games they rest on.
    #[serde(default, deserialize_with = "some_games", skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// By series and measure.
    #[serde(default)]
    pub values: BTreeMap<String, BTreeMap<String, f64>>,
    /// What has to be known about single rows, by series.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<String, String>,
}
