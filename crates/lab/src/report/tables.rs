//! The tables of a report.

use super::data::{self, Games, RowData};
use super::number::Style;
use super::table::{Cell, Table};
use super::verdict::{Agreement, Verdict};
use crate::LabError;
use crate::experiment::{Experiment, Measure, Published, Reading, SeriesKind, TableSettings, Unit};
use crate::stats::{HeadToHead, bradley_terry};
use crate::store::Store;

pub(super) fn all(
    experiment: &Experiment,
    kind: SeriesKind,
    rows: &[RowData<'_>],
    store: &Store,
) -> Result<Vec<Table>, LabError> {
    let usual = [TableSettings { title: "Results".to_owned(), measures: Measure::usual(kind) }];
    let settings = if experiment.tables.is_empty() { &usual[..] } else { &experiment.tables };
    let mut tables: Vec<Table> = settings.iter().map(|settings| measured(settings, rows)).collect();
    if let Some(published) = &experiment.published {
        tables.push(against_published(published, rows));
    }
    if kind == SeriesKind::Solo && rows.len() > 1 {
        tables.push(paired(rows, store)?);
    }
    tables.extend(tests(rows));
    tables.extend(ratings(rows));
    Ok(tables)
}

fn measured(settings: &TableSettings, rows: &[RowData<'_>]) -> Table {
    let headings: Vec<&str> = std::iter::once("").chain(settings.measures.iter().map(Measure::heading)).collect();
    let mut table = Table::new(settings.title.as_str(), &headings);
    for row in rows {
        let name = Cell::from(row.row.name.as_str());
        table
            .rows
            .push(std::iter::once(name).chain(settings.measures.iter().map(|m| row.reading(*m).into())).collect());
    }
    let unfinished = rows.iter().filter(|row| !row.complete).count();
    if unfinished > 0 {
        table.notes.push(format!("Preliminary: {unfinished} of {} rows are not complete.", rows.len()));
    }
    table.notes.push("Ranges are 95% intervals.".to_owned());
    table
}

/// A published figure beside the measured one.
struct Compared<'a> {
    row: &'a str,
    measure: Measure,
    published: f64,
    games: Option<u64>,
    measured: Option<Reading>,
}

impl Compared<'_> {
    fn verdict(&self) -> Verdict {
        self.measured.map_or(Verdict::Open, |reading| Verdict::of(&reading, self.published, self.games))
    }

    fn cells(&self) -> Vec<Cell> {
        let unit = self.measured.map_or(Unit::Count, |reading| reading.unit);
        let published = Reading { value: self.published, interval: None, unit, games: self.games.unwrap_or(0) };
        vec![
            self.row.into(),
            self.measure.heading().into(),
            Cell::Reading(published),
            self.measured.map(|reading| Reading { interval: None, ..reading }).into(),
            self.measured.map_or(Cell::Empty, |reading| Style::PLAIN.interval(&reading).into()),
            self.verdict().words().into(),
        ]
    }
}

/// Every published figure that can be measured, row by row.
fn compared<'a>(published: &Published, rows: &'a [RowData<'_>]) -> Vec<Compared<'a>> {
    let mut all = Vec::new();
    for row in rows {
        let Some(values) = published.values.get(&row.row.name) else { continue };
        let games = values.get("games").map(|&games| games as u64).or(published.games);
        for (name, &value) in values.iter().filter(|(name, _)| name.as_str() != "games") {
            let Ok(measure) = name.parse::<Measure>() else { continue };
            let measured = row.reading(measure);
            all.push(Compared { row: &row.row.name, measure, published: value, games, measured });
        }
    }
    all
}

/// How the figures of an experiment stand to the published ones.
pub(super) fn agreement(experiment: &Experiment, rows: &[RowData<'_>]) -> Agreement {
    let published = experiment.published.iter();
    published.flat_map(|published| compared(published, rows)).map(|compared| compared.verdict()).collect()
}

fn against_published(published: &Published, rows: &[RowData<'_>]) -> Table {
    let title = format!("Published ({}) and measured", published.source);
    let mut table = Table::new(title, &["", "measure", "published", "measured", "95% interval", "verdict"]);
    table.rows = compared(published, rows).iter().map(Compared::cells).collect();
    for (row, note) in &published.notes {
        table.notes.push(format!("{row}: {note}"));
    }
    table
}

/// Every agent against the first one, on the same chance.
fn paired(rows: &[RowData<'_>], store: &Store) -> Result<Table, LabError> {
    let [first, others @ ..] = rows else { return Ok(Table::new("", &[])) };
    let title = format!("Difference to {}, game by game on the same chance", first.row.name);
    let mut table = Table::new(title, &["", "games", "mean difference", "better", "worse", "equal", "sign test"]);
    for row in others {
        let summary = data::paired(store, row, first)?.summary();
        let reading = |value: f64, interval| Reading { value, interval, unit: Unit::Count, games: summary.pairs };
        let count = |count: u64| Cell::Reading(reading(count as f64, None));
        table.rows.push(vec![
            row.row.name.as_str().into(),
            count(summary.pairs),
            summary.difference.map(|difference| reading(difference.value, difference.interval)).into(),
            count(summary.first_better),
            count(summary.second_better),
            count(summary.equal),
            probability(summary.sign_test).into(),
        ]);
    }
    table.notes.push("Sign test: how likely so uneven a split is between equals (two-sided).".to_owned());
    Ok(table)
}

fn probability(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// The verdicts of sequential tests.
fn tests(rows: &[RowData<'_>]) -> Option<Table> {
    let mut table = Table::new("Sequential tests", &["", "pairs", "verdict"]);
    for row in rows {
        let (Some(test), Games::Duel(summary)) = (row.stop.sprt(), &row.games) else { continue };
        let pairs = summary.pairs.counts.map(|count| count.to_string()).join(" ");
        table.rows.push(vec![
            row.row.name.as_str().into(),
            pairs.into(),
            test.state(&summary.pairs).to_string().into(),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Ratings, where more than two agents met.
fn ratings(rows: &[RowData<'_>]) -> Option<Table> {
    let mut names: Vec<&str> = Vec::new();
    let mut matches = Vec::new();
    for row in rows {
        let (Games::Duel(summary), [a, b]) = (&row.games, row.row.agents.as_slice()) else { continue };
        let mut number = |name| {
            names.iter().position(|&known| known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let (first, second) = (number(a.name.as_str()), number(b.name.as_str()));
        matches.push(HeadToHead { first, second, results: summary.pairs });
    }
    if names.len() < 3 {
        return None;
    }
    // Players that never met, not even through others, have no common scale, and so no table.
    let ratings = bradley_terry(names.len(), &matches, 1.0).ok()?;
    let mut table = Table::new("Ratings (Bradley and Terry)", &["", "Elo"]);
    let mut rated: Vec<_> = names.into_iter().zip(ratings).collect();
    rated.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    for (name, rating) in rated {
        let reading = Reading { value: rating.value, interval: rating.interval, unit: Unit::Elo, games: 0 };
        table.rows.push(vec![name.into(), Cell::Reading(reading)]);
    }
    table.notes.push("The mean of all ratings is 0; one drawn game is added to every match.".to_owned());
    Some(table)
}
