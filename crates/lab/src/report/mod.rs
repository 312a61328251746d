//! Reports: what an experiment found, as tables and figures that name their origin.
//!
//! A [`Report`] is a value; the exporters write it as Markdown, CSV, JSON, LaTeX, HTML, SVG, PDF and PNG. All of them show the
//! same figures.

mod course;
mod data;
mod draw;
mod export;
mod figures;
mod number;
mod replay;
mod table;
mod tables;
mod verdict;

use serde::Serialize;

pub use draw::{Bar, Content, Figure, Line, Point};
pub use export::index_page;
pub use replay::Replay;
pub use table::{Cell, Table};
pub use verdict::{Agreement, Verdict};

use crate::LabError;
use crate::experiment::{Experiment, FigureSettings, Plan};
use crate::store::{Session, Store};

/// Everything that an experiment found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The experiment's name.
    pub name: String,
    /// The heading.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// What made the results.
    pub origin: Origin,
    /// Whether all games have been played.
    pub complete: bool,
    /// How its figures stand to the published ones.
    pub agreement: Agreement,
    /// The tables.
    pub tables: Vec<Table>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// Games to look at.
    #[serde(skip)]
    pub replays: Vec<Replay>,
}

/// What made the results: named under every table and figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The last command that played games of it.
    pub command: String,
    /// The games that count.
    pub games: u64,
    /// The machines.
    pub machines: Vec<String>,
    /// The versions of the program.
    pub programs: Vec<String>,
}

impl Origin {
    fn new(sessions: Vec<Session>, games: u64) -> Self {
        let mut origin = Self { command: String::new(), games, machines: Vec::new(), programs: Vec::new() };
        for session in sessions {
            let made_by = session.provenance;
            let program = made_by.version();
            origin.command = made_by.command;
            for (list, entry) in [(&mut origin.machines, made_by.machine), (&mut origin.programs, program)] {
                if !list.contains(&entry) {
                    list.push(entry);
                }
            }
        }
        origin
    }

    /// The origin on one line.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { command, games, machines, programs } = self;
        format!("{command} | {games} games | {} | {}", machines.join("; "), programs.join("; "))
    }
}

impl Report {
    /// What the store holds of an experiment, also while it is still running.
    pub fn build(experiment: &Experiment, plan: &Plan, store: &Store) -> Result<Self, LabError> {
        let rows = data::read(plan, store)?;
        let replays = replay::collect(&rows, store)?;
        Ok(Self { replays, ..Self::of_rows(experiment, plan, store, &rows)? })
    }

    /// The same without what costs most: games to look at, and figures for which a judge has to think. For whoever asks
    /// again and again.
    pub fn overview(experiment: &Experiment, plan: &Plan, store: &Store) -> Result<Self, LabError> {
        let mut quick = experiment.clone();
        quick.figures.retain(|figure| !matches!(figure, FigureSettings::Course { judge: Some(_), .. }));
        Self::of_rows(&quick, plan, store, &data::read(plan, store)?)
    }

    fn of_rows(
        experiment: &Experiment,
        plan: &Plan,
        store: &Store,
        rows: &[data::RowData<'_>],
    ) -> Result<Self, LabError> {
        Ok(Self {
            name: experiment.name.clone(),
            title: experiment.title.clone().unwrap_or_else(|| experiment.name.clone()),
            about: experiment.about.clone().unwrap_or_default(),
            origin: Origin::new(plan.sessions(store)?, data::games(rows)),
            complete: rows.iter().all(|row| row.complete),
            agreement: tables::agreement(experiment, rows),
            tables: tables::all(experiment, plan.games.kind(), rows, store)?,
            figures: figures::all(experiment, rows, store)?,
            replays: Vec::new(),
        })
    }
}
