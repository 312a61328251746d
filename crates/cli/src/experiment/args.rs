//! The arguments of the commands about experiments.

use std::path::PathBuf;

use afterstate_lab::experiment::Part;
use clap::{Args, ValueEnum};

use crate::number::whole_number;

pub(crate) use super::slurm::{SlurmArgs, TaskArgs};

/// Which experiment, and where its results are.
#[derive(Debug, Args)]
pub(crate) struct ExperimentArgs {
    /// An experiment's TOML file, or a folder of them
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Settings over those of the file: games=100, seed=7, profile=quick, agents.0.spec=random
    #[arg(value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// The results file, or the folder of results [default: results/NAME.db]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) results: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) experiment: ExperimentArgs,
    /// List what would be played and how long it would take; nothing is stored
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Games played at the same time [default: one per core]; the results are the same
    #[arg(long, short = 't', value_parser = whole_number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Play only this part of the games, such as 2/3 for the second of three machines; `merge` puts the parts together
    #[arg(long, value_name = "K/N", default_value_t, hide_default_value = true, conflicts_with_all = ["dry_run", "slurm"])]
    pub(crate) part: Part,
    /// Go on with results that another version of the program began; the report names all versions
    #[arg(long)]
    pub(crate) mix_programs: bool,
    #[command(flatten)]
    pub(crate) cluster: SlurmArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    #[command(flatten)]
    pub(crate) experiment: ExperimentArgs,
    /// Results files with games of the same experiments, or folders of such files
    #[arg(long, value_name = "FILE|FOLDER", required = true, num_args = 1..)]
    pub(crate) from: Vec<PathBuf>,
    /// Merge games that another version of the program played; the report names all versions
    #[arg(long)]
    pub(crate) mix_programs: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) experiment: ExperimentArgs,
    /// Print the state as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The folder that was given to `run --slurm`, if one was
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) experiment: ExperimentArgs,
    /// The folder to write to [default: beside the results, under the experiment's name]
    #[arg(long, value_name = "FOLDER", conflicts_with = "format")]
    pub(crate) to: Option<PathBuf>,
    /// Print it in this format instead of writing files
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
}

/// Formats of a report that fit on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Tables for a terminal
    Text,
    /// Tables for a README
    Markdown,
    /// Tables for a thesis; they need the package booktabs
    Latex,
    /// Tables with all digits
    Csv,
    /// Tables and figures as data; those of a folder as an array
    Json,
    /// The whole page
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) experiment: ExperimentArgs,
    /// What to write
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    pub(crate) format: ExportFormat,
    /// The file to write to [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) to: Option<PathBuf>,
}

/// Forms in which single games are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The figures of every game; those of a folder have a column for the experiment, and a heading for each kind of game
    Csv,
    /// The figures of every game and its record, one JSON object on each line
    Json,
    /// The games themselves: records of 2048, APGN of Abalone
    Records,
}
