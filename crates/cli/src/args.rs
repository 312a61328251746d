//! The command line, as it is typed. Turned into typed settings once, here.

use std::path::PathBuf;
use std::time::Duration;

use afterstate_game::Limits;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::experiment::adhoc::AdhocArgs;
use crate::experiment::args as experiment;
use crate::number::{decimal, whole_number};

const EXAMPLES: &str = "\
Examples:
  afterstate play 2048 --agent maqsood/exp4 --games 100
  afterstate play 2048 --agent xiao --watch
  afterstate play 2048 --agent human --hint xiao
  afterstate analyse 2048 -p '4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0' -a xiao
  echo '2 2 4 4/0 0 0 0/0 0 0 0/0 0 0 0' | afterstate moves 2048
  afterstate agents 2048
  afterstate train 2048

Exit codes: 0 success, 1 the world failed (disk, terminal), 2 wrong input or usage, 130 interrupted by Ctrl-C: \
the first one ends the games in play and reports what was finished, a second one ends the program at once and \
reports nothing; 141 the reader of the output left before its end, as `head` does: games, models and reports are \
stored all the same.";

/// Plays, analyses and compares programs for 2048 and Abalone.
#[derive(Debug, Parser)]
#[command(name = "afterstate", version, after_help = EXAMPLES, max_term_width = 120)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play games and show the statistics, or watch one, or play yourself
    #[command(subcommand)]
    Play(Play),
    /// List the legal moves of positions as JSON lines
    Moves(MovesArgs),
    /// Show what an agent thinks of a position
    Analyse(AnalyseArgs),
    /// List every agent, key, default, range and preset
    Agents(AgentsArgs),
    /// Play a match between two agents, every opening with both colours
    #[command(subcommand)]
    Match(Match),
    /// Compare two agents game by game on the same chance
    #[command(subcommand)]
    Compare(Compare),
    /// Run or resume an experiment, or a folder of them, and write the report
    Run(experiment::RunArgs),
    /// Play the games of one task of a cluster run; written into the job's script by `run --slurm`
    #[command(hide = true)]
    SlurmTask(experiment::TaskArgs),
    /// Take over the games of an experiment that were played elsewhere
    Merge(experiment::MergeArgs),
    /// Show how far an experiment is, also while it runs
    Status(experiment::StatusArgs),
    /// Write the report of what an experiment has found so far
    Report(experiment::ReportArgs),
    /// Write out the games of an experiment: figures or whole records
    Export(experiment::ExportArgs),
    /// Find neutral early positions to start matches from
    #[command(subcommand)]
    Openings(Openings),
    /// Count the positions after each number of half-moves
    #[command(subcommand)]
    Perft(Perft),
    /// Convert Abalone positions and games between notations
    Convert(ConvertArgs),
    /// Learn to play: from self-play to a model that any agent can use
    #[command(subcommand)]
    Train(crate::train::Train),
    /// Measure the speed of the rules and the searches
    Bench(BenchArgs),
    /// Speak the Universal Game Interface on standard input and output
    Engine(EngineArgs),
    /// Show the web page: play, watch and analyse in a browser
    Serve(crate::serve::ServeArgs),
    /// Play somebody else's 2048 page through a browser
    Drive(crate::drive::DriveArgs),
    /// Build, list and check endgame tables of 2048
    #[command(subcommand)]
    Tables(crate::endgame::TablesCommand),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// The games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Game {
    /// One player against chance
    #[value(name = "2048")]
    Twenty48,
    /// Two players
    Abalone,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Play {
    /// 2048: one player against chance
    #[command(name = "2048")]
    Twenty48(Play2048Args),
    /// Abalone: you against an agent, moves typed in Aba-Pro notation
    Abalone(PlayAbaloneArgs),
}

#[derive(Debug, Args)]
pub(crate) struct PlayAbaloneArgs {
    /// Your opponent
    #[arg(long, short, value_name = "SPEC", default_value = "abalone/strong(time=1s)")]
    pub(crate) agent: String,
    /// Your colour; black begins
    #[arg(long, value_enum, default_value_t = Colour::Black)]
    pub(crate) colour: Colour,
    /// The layout to start from
    #[arg(long, value_name = "NAME", default_value = "Belgian Daisy", conflicts_with = "position")]
    pub(crate) layout: String,
    /// The position to start from
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Append the game to this APGN file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// The seed of an agent that draws random numbers
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
}

/// The colours of Abalone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// Moves first
    Black,
    /// Moves second
    White,
}

#[derive(Debug, Args)]
pub(crate) struct Play2048Args {
    /// Who plays: an agent spec (see `afterstate agents 2048`), or `human`
    #[arg(long, short, value_name = "SPEC", default_value = "xiao")]
    pub(crate) agent: String,
    /// How many games [default: 1]
    #[arg(long, short = 'n', value_parser = whole_number::<u64>(1..=1_000_000_000))]
    pub(crate) games: Option<u64>,
    /// The seed of the first game; the others are derived from it
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Threads, each playing its own games [default: one per core]
    #[arg(long, short = 't', value_parser = whole_number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Write the games here, one after another, as they finish
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Show one game as a live board
    #[arg(long, conflicts_with_all = ["games", "json", "threads"])]
    pub(crate) watch: bool,
    /// With --watch: moves shown per second
    #[arg(long, value_name = "MOVES", default_value_t = 20.0, value_parser = decimal::<f64>)]
    pub(crate) speed: f64,
    /// With --agent human: who gives hints
    #[arg(long, value_name = "SPEC", default_value = "xiao")]
    pub(crate) hint: String,
    /// Start from this position
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MovesArgs {
    /// The game
    pub(crate) game: Game,
    /// The position, of Abalone also a posRef string or a layout; `-` or nothing reads one per line from standard input
    #[arg(long, short, value_name = "TEXT", default_value = "-", allow_hyphen_values = true)]
    pub(crate) position: String,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyseArgs {
    /// The game
    pub(crate) game: Game,
    /// The position, of Abalone also a posRef string or a layout
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: String,
    /// Who thinks [default: the game's own]
    #[arg(long, short, value_name = "SPEC")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// The seed of an agent that draws random numbers
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Print the decision as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Limits on top of the agent's own.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// At most this depth
    #[arg(long, value_parser = whole_number::<u32>(1..=1000))]
    pub(crate) depth: Option<u32>,
    /// At most this many nodes
    #[arg(long, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) nodes: Option<u64>,
    /// At most this many Monte Carlo iterations
    #[arg(long, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) iterations: Option<u64>,
    /// At most this long per move, such as 50ms or 2s
    #[arg(long, value_parser = time)]
    pub(crate) time: Option<Duration>,
}

impl From<LimitArgs> for Limits {
    fn from(args: LimitArgs) -> Self {
        Self { depth: args.depth, nodes: args.nodes, iterations: args.iterations, time: args.time }
    }
}

pub(crate) fn time(text: &str) -> Result<Duration, String> {
    afterstate_players::parse_time(text)
        .ok_or_else(|| "expected a time such as 5ms or 1.5s, at most one day".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// The game [default: all]
    pub(crate) game: Option<Game>,
    /// Print the catalogue as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Print the figures as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Only the benches whose name contains this
    #[arg(default_value = "")]
    pub(crate) filter: String,
}

#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The game
    #[arg(default_value = "2048")]
    pub(crate) game: Game,
    /// Who thinks [default: the game's own]
    #[arg(long, short, value_name = "SPEC")]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Compare {
    /// 2048: one player against chance
    #[command(name = "2048")]
    Twenty48(CompareArgs),
    #[command(hide = true)]
    Abalone(OtherGame),
}

/// What was typed after a game that the command is not for.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct OtherGame {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The first agent
    #[arg(value_name = "A")]
    pub(crate) a: String,
    /// The second agent
    #[arg(value_name = "B")]
    pub(crate) b: String,
    /// How many games of each
    #[arg(long, short = 'n', default_value_t = 100, value_parser = whole_number::<u64>(1..=1_000_000_000))]
    pub(crate) games: u64,
    /// The seed that fixes the chance of every game
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) adhoc: AdhocArgs,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Match {
    /// Abalone: two players
    Abalone(Box<MatchArgs>),
    #[command(name = "2048", hide = true)]
    Twenty48(OtherGame),
}

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The two agents
    #[arg(value_names = ["A", "B"], num_args = 2, conflicts_with = "agent")]
    pub(crate) specs: Vec<String>,
    /// An agent; give it twice
    #[arg(long, short, value_name = "SPEC")]
    pub(crate) agent: Vec<String>,
    /// How many games, two for every opening with colours swapped; the most games where a test decides [default: 40]
    #[arg(long, short = 'n', value_parser = whole_number::<u64>(1..=1_000_000_000))]
    pub(crate) games: Option<u64>,
    /// Play until a sequential test has decided whether A is stronger by ELO0 or by ELO1, such as 0,20
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_delimiter = ',', num_args = 1, value_parser = decimal::<f64>)]
    pub(crate) sprt: Vec<f64>,
    /// With --sprt: the error rates of both kinds
    #[arg(long, value_name = "RATE", default_value_t = 0.05, value_parser = decimal::<f64>)]
    pub(crate) error_rate: f64,
    /// A layout to start from; may be repeated [default: 200 neutral positions, Standard and Belgian Daisy first]
    #[arg(long, value_name = "NAME", conflicts_with = "openings")]
    pub(crate) layout: Vec<String>,
    /// A file of openings: a position on each line, or `name: position`
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// The game is drawn when a position occurs this many times
    #[arg(long, default_value_t = 3, value_parser = whole_number::<u32>(2..=100))]
    pub(crate) repetitions: u32,
    /// The game ends after this many half-moves
    #[arg(long, default_value_t = 400, value_parser = whole_number::<u32>(1..=100_000))]
    pub(crate) max_plies: u32,
    /// How it ends then
    #[arg(long, value_enum, default_value_t = AtLimit::Draw)]
    pub(crate) at_limit: AtLimit,
    /// The seed of agents that draw random numbers
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) adhoc: AdhocArgs,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a game ends at the ply limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AtLimit {
    /// Nobody wins
    Draw,
    /// Who has lost fewer marbles wins
    LeaderWins,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Perft {
    /// Abalone: two players
    Abalone(PerftArgs),
}

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// The layout to start from
    #[arg(long, value_name = "NAME", default_value = "Standard", conflicts_with = "position")]
    pub(crate) layout: String,
    /// The position to start from
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// The largest number of half-moves
    #[arg(long, short, default_value_t = 5, value_parser = whole_number::<u32>(1..=12))]
    pub(crate) depth: u32,
    /// Print one JSON line per depth
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A position string, a posRef string or a layout; without it positions or games are read from standard input
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// What to write
    #[arg(long, value_enum)]
    pub(crate) to: Form,
}

/// Ways to write a position or a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The position string
    Text,
    /// The posRef string, which does not say whose turn it is: black's, and white to move is refused
    Posref,
    /// A picture of the board
    Board,
    /// Games with moves in Aba-Pro notation
    AbaPro,
    /// Games with moves in Nacre notation
    Nacre,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Openings {
    /// Abalone: two players
    Abalone(OpeningsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct OpeningsArgs {
    /// How many positions besides the layouts
    #[arg(long, short = 'n', default_value_t = 18, value_parser = whole_number::<usize>(0..=u64::MAX))]
    pub(crate) count: usize,
    /// Random half-moves from the layout; an even number leaves black to move
    #[arg(long, default_value_t = 8, value_parser = whole_number::<u32>(1..=200))]
    pub(crate) plies: u32,
    /// The largest value for either side, in points of the judge's evaluation
    #[arg(long, default_value_t = 60.0, value_parser = decimal::<f64>)]
    pub(crate) within: f64,
    /// Who judges
    #[arg(long, short, value_name = "SPEC", default_value = "hauff/alphabeta(depth=6)")]
    pub(crate) agent: String,
    /// A layout to start from; may be repeated [default: Standard and Belgian Daisy]
    #[arg(long, value_name = "NAME")]
    pub(crate) layout: Vec<String>,
    /// The seed of the random moves
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
}
