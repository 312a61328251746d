//! What can be said about a training, and the settings that come of it.

use std::path::{Path, PathBuf};

use afterstate_learn::ntuple::{
    BeginningError, Credit, Design, Fall, Model, Network, Phase, Rate, Restart, Settings, Stretch,
};
use afterstate_twenty48::Board;
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::number::{decimal, whole_number};
use crate::train::config::read_toml;
use crate::train::device::Device;

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// The network: 4x4, 4x6, 4x6+5x4, 8x6, or a TOML file with own tuples [default: 4x6]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) design: Option<String>,
    /// The tile sums at which a new set of weights takes over, such as 8256,16448
    #[arg(long, value_name = "SUMS", value_delimiter = ',', conflicts_with_all = ["resume", "settings"])]
    pub(super) stages: Option<Vec<u32>>,
    /// How large a step is: the same for all weights, or by the coherence of each
    #[arg(long, value_enum, default_value_t = Method::Tc, conflicts_with_all = ["resume", "settings"])]
    pub(super) method: Method,
    /// The learning rate [default: 1 for tc, 0.1 for td]
    #[arg(long, value_name = "RATE", conflicts_with_all = ["resume", "settings"], value_parser = decimal::<f32>)]
    pub(super) alpha: Option<f32>,
    /// The last share of the training, by games or minutes, over which the rate falls to a tenth; 0 keeps it as it is
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_FALL, conflicts_with_all = ["resume", "settings"], value_parser = decimal::<f32>)]
    pub(super) fall: f32,
    /// The last share of the training, by games or minutes, over which the weights are averaged; 0 takes the last ones
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_AVERAGE, conflicts_with_all = ["resume", "settings"], value_parser = decimal::<f32>)]
    pub(super) average: f32,
    /// The share of the observed return in what is learned; 0 learns online, move by move
    #[arg(long, default_value_t = DEFAULT_LAMBDA, conflicts_with_all = ["resume", "settings"], value_parser = decimal::<f32>)]
    pub(super) lambda: f32,
    /// What every board is worth at first; above what play can earn, learning explores
    #[arg(long, value_name = "POINTS", default_value_t = 0.0, conflicts_with_all = ["resume", "settings"], value_parser = decimal::<f32>)]
    pub(super) optimism: f32,
    /// Where games start beside the empty board
    #[arg(long, value_enum, default_value_t = RestartArg::Never, conflicts_with_all = ["resume", "settings"])]
    pub(super) restart: RestartArg,
    /// Start games from the boards of this file, one per line, instead of the empty board; with a recipe, those that its plans
    /// start from `given` boards
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "settings"])]
    pub(super) starts: Option<PathBuf>,
    /// End games at this sum of their tiles
    #[arg(long, value_name = "SUM", conflicts_with_all = ["resume", "settings"], value_parser = whole_number::<u32>(0..=u32::MAX.into()))]
    pub(super) until: Option<u32>,
    /// With --until: what a game is worth that comes there with the tile of that sum, such as the points that it would still
    /// bring
    #[arg(long, value_name = "POINTS", default_value_t = 0, requires = "until", conflicts_with_all = ["resume", "settings"], value_parser = whole_number::<u32>(0..=10_000_000))]
    pub(super) worth: u32,
    /// A TOML file with all settings of learning, several phases included
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "design"])]
    pub(super) settings: Option<PathBuf>,
    /// End after this many minutes [default: 5, unless the games are known]
    #[arg(long, value_parser = minutes, allow_negative_numbers = true)]
    pub(super) minutes: Option<f64>,
    /// End when this many games have been learned from, those before a checkpoint included [default: with --resume, those
    /// that the checkpoint was on its way to]
    #[arg(long, short = 'n', value_parser = whole_number::<u64>(1..=u64::MAX))]
    pub(super) games: Option<u64>,
    /// Evaluate after this many games
    #[arg(long, value_name = "GAMES", default_value_t = 10_000, value_parser = whole_number::<u64>(1..=u64::MAX),
          conflicts_with_all = ["resume", "settings"])]
    pub(super) evaluate: u64,
    /// The games of one evaluation
    #[arg(long, value_name = "GAMES", default_value_t = 1000, conflicts_with_all = ["resume", "settings"], value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(super) sample: u64,
    /// Threads that learn on one network [default: one per core]; one thread is reproducible to the last bit
    #[arg(long, short = 't', value_parser = whole_number::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// The seed of all games
    #[arg(long, default_value_t = 1, conflicts_with_all = ["resume", "settings"], value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(super) seed: u64,
    /// The model to write; its learning curve goes beside it as .csv and .svg
    #[arg(long, short, value_name = "FILE", default_value = "2048.model")]
    pub(super) out: PathBuf,
    /// Replace a model that is already there; --resume needs it for models that the same training has not written
    #[arg(long)]
    pub(super) force: bool,
    /// Write a checkpoint here after every evaluation and at the end; Ctrl-C writes one in any case
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Go on from a checkpoint, with its settings
    #[arg(long, value_name = "FILE")]
    pub(super) resume: Option<PathBuf>,
    /// Begin with the weights of a model; its tuples are kept, its stages unless others are named
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["resume", "design", "optimism"])]
    pub(super) from: Option<PathBuf>,
    /// Where to learn
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    pub(super) device: Device,
    /// With --device cuda: the recipe, a TOML file
    #[arg(long, value_name = "FILE", conflicts_with_all = SAID_BY_A_RECIPE)]
    pub(super) recipe: Option<PathBuf>,
    /// The model takes at most this many megabytes; weights are rounded so that they fit
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_SIZE, value_parser = whole_number::<u32>(1..=1_000_000))]
    pub(super) size: u32,
}

/// What else would say how to learn, or has no meaning on a GPU.
const SAID_BY_A_RECIPE: [&str; 18] = [
    "resume", "design", "stages", "method", "alpha", "fall", "average", "lambda", "optimism", "restart", "until",
    "worth", "settings", "games", "evaluate", "sample", "threads", "seed",
];

/// What a model takes at most, in megabytes.
pub(super) const DEFAULT_SIZE: u32 = 48;

/// Between learning from the next move alone and from the whole rest of the game.
const DEFAULT_LAMBDA: f32 = 0.5;

/// The rate stays: the mean of the weights does better than a rate that falls to a tenth.
const DEFAULT_FALL: f32 = 0.0;
const FALLS_TO: f32 = 0.1;

/// The weights of a model are their mean over this last share of the training.
const DEFAULT_AVERAGE: f32 = 0.2;

/// How large a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    /// The same for all weights
    Td,
    /// By the coherence of each weight: small where its errors cancel
    Tc,
}

/// Where games start beside the empty board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RestartArg {
    /// Nowhere else
    Never,
    /// In the middle of the game before, then in the middle of the rest, and so on
    Midpoint,
    /// Where earlier games entered a stage, every stage in its turn
    Carousel,
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes: f64 = text.parse().map_err(|_| "expected a number of minutes, such as 5 or 0.5".to_owned())?;
    if (0.0..=1e6).contains(&minutes) { Ok(minutes) } else { Err("expected from 0 to 1000000 minutes".to_owned()) }
}

impl TrainArgs {
    /// The settings of a training that starts from nothing, or from a network of this design.
    pub(super) fn settings(&self, beginning: Option<&Design>) -> Result<Settings, Failure> {
        let mut settings = match &self.settings {
            Some(path) => read_toml(path)?,
            None => self.flags(beginning)?,
        };
        if let Some(threads) = self.threads {
            settings.threads = threads.into();
        }
        Ok(settings)
    }

    fn flags(&self, beginning: Option<&Design>) -> Result<Settings, Failure> {
        let wanted = self.design()?.or_else(|| beginning.cloned());
        let design = wanted.map_or_else(|| Design::built_in("4x6"), Ok).map_err(Failure::input)?;
        let design = match &self.stages {
            Some(stages) => design.with_stages(stages).map_err(Failure::input)?,
            None => design,
        };
        let rate = match self.method {
            Method::Td => Rate::Constant(self.alpha.unwrap_or(0.1)),
            Method::Tc => Rate::Coherent(self.alpha.unwrap_or(1.0)),
        };
        let credit = if self.lambda == 0.0 { Credit::Online } else { Credit::Backward(self.lambda) };
        let restart = match self.restart {
            RestartArg::Never => Restart::Never,
            RestartArg::Midpoint => Restart::Midpoint,
            RestartArg::Carousel => Restart::Carousel,
        };
        let phases = vec![Phase { games: u64::MAX, rate, credit, restart }];
        let fall = if self.fall == 0.0 { Fall::NONE } else { Fall { share: self.fall, to: FALLS_TO } };
        let stretch = Stretch { starts: self.start_boards()?, until: self.until, worth: self.worth };
        let Self { average, optimism, seed, sample, .. } = *self;
        Ok(Settings {
            design,
            optimism,
            phases,
            stretch,
            fall,
            average,
            seed,
            round: self.evaluate,
            sample,
            threads: 0,
        })
    }

    /// The boards that games start from, if a file was named.
    pub(super) fn start_boards(&self) -> Result<Vec<Board>, Failure> {
        let Some(path) = &self.starts else { return Ok(Vec::new()) };
        let content = text(path)?;
        let lines = content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let board = |(number, line): (usize, &str)| {
            line.trim().parse().map_err(|error| in_file(path, format!("line {}: {error}", number + 1)))
        };
        let boards = lines.map(board).collect::<Result<Vec<Board>, _>>()?;
        if boards.is_empty() { Err(in_file(path, "there is no board in it")) } else { Ok(boards) }
    }

    /// The model to begin with, if one was named.
    pub(super) fn beginning(&self) -> Result<Option<Model>, Failure> {
        self.from.as_deref().map(Model::load).transpose().map_err(Failure::unread_file)
    }

    /// The network of this design to begin with, if a model was named.
    pub(super) fn first_network(&self, model: Option<&Model>, design: &Design) -> Result<Option<Network>, Failure> {
        let (Some(model), Some(path)) = (model, &self.from) else { return Ok(None) };
        model.network.to_floats_for(design).map(Some).map_err(|error| match error {
            BeginningError::Memory(_) => Failure::World(error.to_string()),
            BeginningError::OtherTuples { .. } => in_file(path, error),
        })
    }

    /// The largest size of the model. The notes in it take some of it.
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.size) * 990_000
    }

    /// The design that was asked for, if one was: a built-in name, or the file of that name.
    pub(super) fn design(&self) -> Result<Option<Design>, Failure> {
        let Some(name) = &self.design else { return Ok(None) };
        let path = Path::new(name);
        let design = if path.is_file() {
            Design::from_toml(&text(path)?).map_err(|error| in_file(path, error))?
        } else if path.extension().is_some() {
            return Err(Failure::input(format!("there is no file {name}")));
        } else {
            Design::built_in(name).map_err(|error| Failure::input(format!("{error}, or a TOML file")))?
        };
        Ok(Some(design))
    }
}

/// The text of a file that the user named.
fn text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::unread(path, &error))
}

/// An error in a file that the user named, on one line.
pub(super) fn in_file(path: &Path, error: impl std::fmt::Display) -> Failure {
    let lines: Vec<String> = error.to_string().lines().map(|line| line.trim().to_owned()).collect();
    Failure::input(format!("{}: {}", path.display(), lines.join(" ")))
}
