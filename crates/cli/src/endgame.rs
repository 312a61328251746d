//! `afterstate tables`: builds, lists and checks endgame tables.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use afterstate_learn::endgame::{
    BuildOutcome, BuildProgress, BuildSettings, DEFAULT_SLACK, MAX_SLACK, Pattern, Table, TableError, build,
};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;
use crate::interrupt;
use crate::number::{grouped, whole_number};
use crate::output::tell;

const PATTERNS: &str = "\
A pattern is written as the free cells of each row from the top and the tile to build on them: 0144-256 has four large \
tiles in the first row and three in the second, the smallest of which is 256, and builds another 256 on the nine free \
cells to merge with it. Symmetric boards are recognised.

Interrupting a build loses at most the layer in progress; the same command goes on where it was.";

#[derive(Debug, Subcommand)]
pub(crate) enum TablesCommand {
    /// Solve patterns: the probability of going on with a chain of large tiles, for every filling of the free cells
    #[command(after_help = PATTERNS)]
    Build(BuildArgs),
    /// List the tables that players find
    List(ListArgs),
    /// Compare tables with themselves and with games played by them
    Check(CheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// What to build, such as 0144-256
    #[arg(required = true, value_name = "PATTERN")]
    patterns: Vec<Pattern>,
    /// Where the tables go [default: the folder of `AFTERSTATE_MODELS`, or `models` beside the program]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The most memory to use
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    memory: u64,
    /// How far above the tile to build the sum of the free cells may rise before a table gives up
    #[arg(long, default_value_t = DEFAULT_SLACK, value_parser = whole_number::<u32>(0..=MAX_SLACK.into()))]
    slack: u32,
    /// Threads [default: one per core]
    #[arg(long, short = 't', value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Where to look [default: wherever players look]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The tables [default: all that players find]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How many games to play with each, and how many values to work out again
    #[arg(long, short = 'n', default_value_t = 10_000, value_parser = whole_number::<u64>(1..=1_000_000_000))]
    games: u64,
    /// The seed of the games
    #[arg(long, default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: u64,
}

fn size(text: &str) -> Result<u64, String> {
    afterstate_players::parse_size(text).ok_or_else(|| "expected a memory size such as 512M or 4G".to_owned())
}

pub(crate) fn run(out: &mut impl Write, command: &TablesCommand) -> Result<(), Failure> {
    match command {
        TablesCommand::Build(args) => build_all(out, args),
        TablesCommand::List(args) => list(out, args),
        TablesCommand::Check(args) => check(out, args),
    }
}

/// What is wrong with a table that is built is the world's fault; what was asked for is the user's.
fn failure(error: TableError) -> Failure {
    match error {
        TableError::TooLarge(_) | TableError::Memory { .. } | TableError::Other { .. } => Failure::input(error),
        error => Failure::World(error.to_string()),
    }
}

fn build_all(out: &mut impl Write, args: &BuildArgs) -> Result<(), Failure> {
    let folder = args.folder.clone().unwrap_or_else(afterstate_players::models_folder);
    std::fs::create_dir_all(&folder).map_err(|error| Failure::world(folder.display(), error))?;
    let stop = interrupt::stop_on_ctrl_c()?;
    for &pattern in &args.patterns {
        let path = folder.join(format!("{pattern}.table"));
        if path.exists() {
            writeln!(out, "{} is already there", path.display())?;
            continue;
        }
        let threads = args.threads.map_or(0, usize::from);
        let settings = BuildSettings { pattern, slack: args.slack, memory: args.memory, threads };
        let bar = bar(pattern);
        let shown = &mut |progress: BuildProgress| {
            bar.set_length(progress.fillings);
            bar.set_position(progress.solved);
        };
        let outcome = build(&path, &settings, &stop, shown).map_err(failure)?;
        bar.finish_and_clear();
        match outcome {
            BuildOutcome::Complete(progress) => {
                let (size, fillings) = (file_size(&path), grouped(progress.fillings));
                let share = 100.0 * progress.from_empty;
                writeln!(
                    out,
                    "{}: {fillings} fillings, {size}, succeeds from empty cells in {share:.2}%",
                    path.display()
                )?;
            }
            BuildOutcome::Stopped(progress) => {
                let (solved, fillings) = (grouped(progress.solved), grouped(progress.fillings));
                tell!(
                    "interrupted: {pattern} has {solved} of {fillings} fillings; the same command goes on from there"
                );
                return Err(Failure::Interrupted);
            }
        }
        out.flush()?;
    }
    Ok(())
}

fn bar(pattern: Pattern) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(1).with_message(pattern.to_string());
    let style = "{msg} {bar:30} {percent}% of {len} fillings, {elapsed} gone, {eta} to go";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn file_size(path: &Path) -> String {
    let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
    if bytes < 1_000_000 { format!("{:.1} KB", bytes as f64 / 1e3) } else { format!("{:.1} MB", bytes as f64 / 1e6) }
}

fn list(out: &mut impl Write, args: &ListArgs) -> Result<(), Failure> {
    let files = match &args.folder {
        Some(folder) if !folder.is_dir() => {
            return Err(Failure::input(format!("{} is no folder", folder.display())));
        }
        folder => afterstate_players::table_files(folder.as_deref()),
    };
    for path in &files {
        match Table::describe(path) {
            Ok(about) => {
                let (pattern, sum, size) = (about.pattern, about.highest_sum, file_size(path));
                writeln!(out, "{}: {pattern} up to the sum {sum}, {size}", path.display())?;
            }
            Err(error) => writeln!(out, "{error}")?,
        }
    }
    if files.is_empty() {
        tell!("no tables found; `afterstate tables build 0144-256` makes one");
    }
    Ok(())
}

fn check(out: &mut impl Write, args: &CheckArgs) -> Result<(), Failure> {
    let files = if args.files.is_empty() { afterstate_players::table_files(None) } else { args.files.clone() };
    let mut failed = Vec::new();
    for path in &files {
        let table = Table::load(path).map_err(|error| match error {
            TableError::File(error) => Failure::unread_file(error),
            error => failure(error),
        })?;
        let check = table.check(args.games, args.seed);
        writeln!(
            out,
            "{}: {} of {} values follow from those above them; {} games succeeded in {:.2}%, expected {:.2}% +- {:.2}: {}",
            path.display(),
            grouped(check.compared - check.wrong),
            grouped(check.compared),
            grouped(check.games),
            100.0 * check.succeeded,
            100.0 * check.expected,
            100.0 * check.half_width,
            if check.is_passed() { "right" } else { "WRONG" },
        )?;
        if !check.is_passed() {
            failed.push(path.display().to_string());
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::World(format!("wrong tables: {}", failed.join(", ")))) }
}
