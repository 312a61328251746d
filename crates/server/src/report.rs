//! An experiment's report as the page shows it: the tables and figures that `afterstate report` writes, while it runs.

use std::path::{Path, PathBuf};

use afterstate_lab::LabError;
use afterstate_lab::experiment::{Experiment, Plan};
use afterstate_lab::report::{Cell, Report, Table};
use serde::Serialize;

use crate::error::ApiError;
use crate::results;

/// A report without its drawings, which are asked for one by one.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    title: String,
    about: String,
    complete: bool,
    games: u64,
    origin: String,
    tables: Vec<ShownTable>,
    /// The titles of the figures.
    figures: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ShownTable {
    title: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

impl From<Table> for ShownTable {
    fn from(Table { title, columns, rows, notes }: Table) -> Self {
        let rows = rows.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect();
        Self { title, columns, rows, notes }
    }
}

/// The report of the last experiment that was run into a file of results.
pub(crate) fn shown(folder: &Path, name: &str) -> Result<Shown, ApiError> {
    let Report { title, about, origin, complete, tables, figures, .. } = report(folder, name)?;
    Ok(Shown {
        title,
        about,
        complete,
        games: origin.games,
        origin: origin.line(),
        tables: tables.into_iter().map(ShownTable::from).collect(),
        figures: figures.into_iter().map(|figure| figure.title).collect(),
    })
}

/// A figure of it, as SVG.
pub(crate) fn figure(folder: &Path, name: &str, number: usize) -> Result<String, ApiError> {
    let Report { figures, origin, .. } = report(folder, name)?;
    let figure = figures.get(number).ok_or_else(|| ApiError::not_found("this experiment has no such figure"))?;
    Ok(figure.to_svg(&origin.line()))
}

fn report(folder: &Path, name: &str) -> Result<Report, ApiError> {
    let store = results::open(folder, name)?;
    let sessions = store.sessions().map_err(|_| none())?;
    let last = sessions.last().ok_or_else(none)?;
    let experiment = Experiment::parse(&last.experiment, &[]).map_err(|_| none())?;
    let plan = Plan::new(&experiment, &beside(&last.provenance.command)).map_err(|_| none())?;
    Report::overview(&experiment, &plan, &store).map_err(|_: LabError| none())
}

/// The errors name files of this machine, which are nobody else's business.
fn none() -> ApiError {
    ApiError::not_found("this experiment cannot be reported here; its series can be seen one by one")
}

/// The folder of the experiment's own file, which the command names: openings may lie beside it.
fn beside(command: &str) -> PathBuf {
    let file =
        command.split_whitespace().map(|word| word.trim_matches(['"', '\''])).find(|word| word.ends_with(".toml"));
    file.and_then(|file| Path::new(file).parent()).map(Path::to_owned).unwrap_or_default()
}
