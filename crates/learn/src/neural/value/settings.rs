//! What a training of a value network is told.

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::targets::Boards;
use crate::neural::Design;
use crate::neural::fit::{Copies, FitSettings, RateFrom};

/// The word in the spec of the player that stands for the file of the network.
pub const NETWORK: &str = "NETWORK";

/// A training of a value network: games of a teacher, pretraining on its heuristic, training on its values, games with the
/// network, training on those, and so on. The defaults are those of the `dietenberger` thesis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ValueSettings {
    /// Fixes all chance.
    pub seed: u64,
    /// A built-in network by name, or a design.
    #[serde(deserialize_with = "Design::named_or_own")]
    pub network: Design,
    /// What an output of 1 stands for.
    pub scale: f32,
    /// A network file to begin with, of the same design and scale; empty for random weights.
    pub start: PathBuf,
    /// The spec of the player whose games are learned from first.
    pub teacher: String,
    /// The spec of the player with the network, whose file the word `NETWORK` stands for.
    pub player: String,
    /// The games of the teacher, and of the player in every iteration; the last number holds for all that follow.
    pub games: Vec<u32>,
    /// How often the player plays.
    pub iterations: u32,
    /// Whether values are points still to come, so that the search adds those on the way (`points=on` in the player's spec)
    /// and a lost game is worth 0; otherwise they are what a heuristic says.
    pub points: bool,
    /// Which boards of a game are learned.
    pub boards: Boards,
    /// How many iterations' games are learned from: those of the last one, and of those before it.
    pub window: u32,
    /// How far the points that followed count beside the values of the search, from 0 (not at all: the loop of the thesis) to
    /// 1 (nothing else counts): for the teacher's games, and for those of every iteration; the last number holds for all that
    /// follow. Of a position that was played without a search, nothing else is known: there it is 1. Where values are no points, such
    /// a position is not learned.
    pub lambda: Vec<f32>,
    /// What points that followed are worth for every slide that they came later, so that a network need not know the far end
    /// of a game: 0.998 halves them in 346 slides. Only where `lambda` is above 0.
    pub discount: f32,
    /// The symmetric copies of every board that are learned from.
    pub copies: Copies,
    /// The share of the games that is not learned from, but tells when to stop.
    pub validation: f64,
    /// The share of the teacher's positions that are judged once more with all tiles raised, so that the network has seen
    /// high tiles before its player gets there.
    pub high_tiles: f64,
    /// Learning the heuristic itself, before the values of the search; no epochs for not at all.
    pub pretraining: FitSettings,
    /// Learning the values of the search, in every iteration.
    pub training: FitSettings,
    /// A deeper search that the player is compared with; empty for none.
    pub check: String,
    /// The positions of that comparison, in every iteration.
    pub check_positions: u32,
}

impl Default for ValueSettings {
    fn default() -> Self {
        let rates = [(0, 0.001), (50, 0.0001)].map(|(from, rate)| RateFrom { from, rate });
        Self {
            seed: 1,
            network: Design::built_in("cnn").unwrap_or_else(|_| unreachable!("cnn is built in")),
            scale: 1000.0,
            start: PathBuf::new(),
            teacher: "dietenberger/exp4".to_owned(),
            player: format!("dietenberger/exp4(eval=neural(model={NETWORK}))"),
            games: vec![300, 150, 100],
            iterations: 2,
            points: false,
            boards: Boards::Positions,
            window: 1,
            lambda: vec![0.0],
            discount: 1.0,
            copies: Copies::Rotations,
            validation: 0.1,
            high_tiles: 0.0,
            pretraining: FitSettings { rates: rates.to_vec(), ..FitSettings::default() },
            training: FitSettings::default(),
            check: String::new(),
            check_positions: 100,
        }
    }
}

impl ValueSettings {
    /// Reads settings from TOML.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let settings: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        settings.check()?;
        Ok(settings)
    }

    /// What is wrong with the settings, if something is.
    pub fn check(&self) -> Result<(), String> {
        let within = |name: &str, value: f64, Range { start, end }: Range<f64>| {
            if value >= start && value < end {
                return Ok(());
            }
            Err(format!("{name} is {value}: it must be at least {start} and below {end}"))
        };
        within("validation", self.validation, 0.0..1.0)?;
        within("high-tiles", self.high_tiles, 0.0..1.0 + f64::EPSILON)?;
        within("scale", f64::from(self.scale), 1e-6..1e9)?;
        if self.network.outputs() != 1 {
            return Err(format!("the network has {} outputs: a value network has one", self.network.outputs()));
        }
        if self.games.is_empty() || self.games.contains(&0) {
            return Err("games must be one number or more, each at least 1".to_owned());
        }
        within("discount", self.discount.into(), 0.0..1.0 + f64::EPSILON)?;
        if self.boards != Boards::Positions && self.high_tiles > 0.0 {
            return Err("high-tiles must be 0 unless boards = \"positions\": raised positions have no slide".to_owned());
        }
        if self.window == 0 {
            return Err("window is 0: the games of at least 1 iteration are learned from".to_owned());
        }
        if self.lambda.is_empty() {
            return Err("lambda must be one number or more, each from 0 to 1".to_owned());
        }
        self.lambda.iter().try_for_each(|&lambda| within("lambda", lambda.into(), 0.0..1.0 + f64::EPSILON))?;
        if !self.points && self.lambda.iter().any(|&lambda| lambda > 0.0) {
            return Err(
                "lambda is above 0, but values are no points: say points = true, or leave lambda out".to_owned()
            );
        }
        if self.boards == Boards::Slides && self.lambda.iter().any(|&lambda| lambda > 0.0) {
            return Err(
                "lambda must be 0 with boards = \"slides\": nothing followed slides that were not played".to_owned()
            );
        }
        if !self.player.contains(NETWORK) {
            return Err(format!("the spec of the player must say {NETWORK} where the file of the network goes"));
        }
        self.pretraining.check().map_err(|error| format!("pretraining: {error}"))?;
        self.training.check().map_err(|error| format!("training: {error}"))
    }

    /// The games of an iteration; 0 is the teacher's.
    #[must_use]
    pub fn games_of(&self, iteration: u32) -> u32 {
        of_iteration(&self.games, iteration)
    }

    /// How far the points that followed count in the games of an iteration; 0 is the teacher's.
    #[must_use]
    pub fn lambda_of(&self, iteration: u32) -> f32 {
        of_iteration(&self.lambda, iteration)
    }
}

/// The entry of an iteration; the last one holds for all that follow.
fn of_iteration<T: Copy + Default>(entries: &[T], iteration: u32) -> T {
    entries.get(iteration as usize).or(entries.last()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_wrong_ones_named() {
        let settings = ValueSettings::from_toml("network = \"fc\"\ngames = [3, 2]\n[training]\nepochs = 5").unwrap();
        assert_eq!([0, 1, 5].map(|iteration| settings.games_of(iteration)), [3, 2, 2]);
        assert_eq!((settings.training.epochs, settings.training.batch), (5, 1024));
        assert_eq!(ValueSettings::from_toml(&toml::to_string(&settings).unwrap()).unwrap(), settings);
        let check = |text: &str, reason: &str| {
            let error = ValueSettings::from_toml(text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        };
        check("network = \"policy\"", "the network has 4 outputs");
        check("network = \"cmm\"", "no built-in network is called `cmm`");
        check("network = { encoding = \"planes\", layers = [] }", "the network has 0 layers");
        check("games = []", "games must be");
        check("lambda = []", "lambda must be");
        check("lambda = [1.0, 1.5]", "lambda is 1.5");
        check("discount = 1.1", "discount is 1.1");
        check("lambda = [0.0, 0.5]", "say points = true");
        check("boards = \"afterstates\"\nhigh-tiles = 0.2", "high-tiles must be 0");
        check("boards = \"slides\"\npoints = true\nlambda = [0.5]", "lambda must be 0");
        check("window = 0", "window is 0");
        check("validation = 1.0", "validation is 1");
        check("player = \"greedy\"", "must say NETWORK");
        check("[training]\nbatch = 0", "training: batch is 0");
        check("[training]\nepoch = 3", "unknown field `epoch`");
        check("iteration = 3", "unknown field `iteration`");
    }
}
