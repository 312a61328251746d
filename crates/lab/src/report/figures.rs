//! The figures of a report.

use super::course::{self, POINTS};
use super::data::{Games, RowData};
use super::draw::{Bar, Content, Figure, Line, Point};
use crate::LabError;
use crate::experiment::{Experiment, FigureSettings, Measure, Published, Unit};
use crate::store::Store;

pub(super) fn all(experiment: &Experiment, rows: &[RowData<'_>], store: &Store) -> Result<Vec<Figure>, LabError> {
    let published = experiment.published.as_ref();
    experiment
        .figures
        .iter()
        .map(|settings| match settings {
            FigureSettings::Bars { title, measure, log } => Ok(bars(title, *measure, *log, rows, published)),
            FigureSettings::Lines { title, over, measure, log, only } => {
                let shown = |row: &&RowData<'_>| only.as_ref().is_none_or(|part| row.row.name.contains(part.as_str()));
                let rows: Vec<_> = rows.iter().filter(shown).collect();
                Ok(lines(title, over, *measure, *log, &rows, published))
            }
            FigureSettings::Distribution { title, log } => Ok(distribution(title, *log, rows)),
            FigureSettings::Course { title, games, judge } => course(title, *games, judge.as_deref(), rows, store),
        })
        .collect()
}

fn published_value(published: Option<&Published>, row: &RowData<'_>, measure: Measure) -> Option<f64> {
    published?.values.get(&row.row.name)?.get(measure.name()).copied()
}

fn bars(title: &str, measure: Measure, log: bool, rows: &[RowData<'_>], published: Option<&Published>) -> Figure {
    let bar = |row: &RowData<'_>| {
        let reading = row.reading(measure);
        Bar {
            label: row.row.name.clone(),
            value: reading.map(|reading| reading.value),
            interval: reading.and_then(|reading| reading.interval),
            published: published_value(published, row, measure),
            unit: reading.map_or(Unit::Count, |reading| reading.unit),
        }
    };
    Figure {
        title: title.to_owned(),
        x_label: String::new(),
        y_label: measure.axis().to_owned(),
        log,
        log_x: false,
        content: Content::Bars(rows.iter().map(bar).collect()),
    }
}

/// A line for each combination of the keys that are not on the axis, and one for what was published about it.
fn lines(
    title: &str,
    over: &str,
    measure: Measure,
    log: bool,
    rows: &[&RowData<'_>],
    published: Option<&Published>,
) -> Figure {
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |name: String, point: Point| match lines.iter_mut().find(|line| line.name == name) {
        Some(line) => line.points.push(point),
        None => lines.push(Line { name, points: vec![point], marked: true }),
    };
    for row in rows {
        let agents = &row.row.agents;
        let swept = agents.iter().find_map(|agent| Some((agent.family(over), agent.swept.get(over)?)));
        let Some((family, Ok(x))) = swept.map(|(family, value)| (family, value.parse::<f64>())) else { continue };
        if let Some(reading) = row.reading(measure) {
            add(family.clone(), Point { x, y: reading.value, interval: reading.interval });
        }
        if let Some(y) = published_value(published, row, measure) {
            add(format!("{family} (published)"), Point { x, y, interval: None });
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    Figure {
        title: title.to_owned(),
        x_label: over.to_owned(),
        y_label: measure.axis().to_owned(),
        log,
        log_x: false,
        content: Content::Lines(lines),
    }
}

/// For every score, the share of games that reached it.
fn distribution(title: &str, log: bool, rows: &[RowData<'_>]) -> Figure {
    let lines = rows.iter().filter_map(|row| {
        let Games::Solo(tally, _) = &row.games else { return None };
        let points = (0..=POINTS).filter_map(|step| {
            let share = step as f64 / POINTS as f64;
            Some(Point { x: tally.scores().quantile(share)?, y: 100.0 * (1.0 - share), interval: None })
        });
        Some(Line { name: row.row.name.clone(), points: points.collect(), marked: false })
    });
    Figure {
        title: title.to_owned(),
        x_label: "score (points)".to_owned(),
        y_label: "games that reach it (%)".to_owned(),
        log: false,
        log_x: log,
        content: Content::Lines(lines.collect()),
    }
}

/// The score, the lead or a judge's value over the moves of the first games.
fn course(
    title: &str,
    games: u64,
    judge: Option<&str>,
    rows: &[RowData<'_>],
    store: &Store,
) -> Result<Figure, LabError> {
    let mut lines = Vec::new();
    let is_solo = rows.iter().any(|row| matches!(row.games, Games::Solo(..)));
    for row in rows {
        for game in 0..games.min(row.end()) {
            let Some(series) = row.series else { continue };
            let Some(record) = store.record(series, game)? else { continue };
            let course = if is_solo { course::of_solo } else { course::of_duel };
            let points = course(&record, game, judge)?;
            let name = if games == 1 { row.row.name.clone() } else { format!("{}, game {}", row.row.name, game + 1) };
            lines.push(Line { name, points, marked: false });
        }
    }
    let (x_label, value) = if is_solo { ("moves", "score (points)") } else { ("half-moves", "black's lead (marbles)") };
    Ok(Figure {
        title: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: judge.map_or_else(|| value.to_owned(), |judge| format!("value by {judge}")),
        log: false,
        log_x: false,
        content: Content::Lines(lines),
    })
}
