//! Single games of an experiment as text, one after the other, for whoever wants to compute something else.

use std::io;
use std::ops::ControlFlow;

use rusqlite::types::Value;
use serde_json::{Map, json};

use crate::LabError;
use crate::experiment::{Plan, Planned, PlannedGames, Row, stored_tally};
use crate::series::{Series, Tally as _};
use crate::store::{SeriesId, Store, StoredResult};

/// What is written of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its figures, under one line of headings (RFC 4180).
    Csv,
    /// Its figures and its record, an object on each line.
    JsonLines,
    /// Its record alone.
    Records,
}

/// Hands the stored games of a plan that count to `write`, row by row and in the order of their numbers.
pub fn games(
    plan: &Plan,
    store: &Store,
    form: Form,
    write: impl FnMut(&str) -> io::Result<()>,
) -> Result<io::Result<()>, LabError> {
    match &plan.games {
        PlannedGames::Solo(planned) => rows(plan, planned, store, form, write),
        PlannedGames::Duel(planned) => rows(plan, planned, store, form, write),
        PlannedGames::Decision(planned) => rows(plan, planned, store, form, write),
    }
}

fn rows<S: Series>(
    plan: &Plan,
    planned: &[Planned<S>],
    store: &Store,
    form: Form,
    mut write: impl FnMut(&str) -> io::Result<()>,
) -> Result<io::Result<()>, LabError>
where
    S::Result: StoredResult,
{
    if form == Form::Csv
        && let Err(error) = write(&headings::<S::Result>())
    {
        return Ok(Err(error));
    }
    for (row, Planned { series, stop }) in plan.rows.iter().zip(planned) {
        let Some(id) = store.find_series(&series.definition())? else { continue };
        let mut ended = Ok(());
        let (counted, _) = stored_tally::<S::Result, S::Tally>(store, id, *stop)?;
        let end = stop.end(counted.games());
        store.for_each_result(id, |result: S::Result| {
            if result.game() >= end {
                return ControlFlow::Break(());
            }
            ended = game(store, row, id, &result, form).and_then(|text| Ok(write(&text)?));
            if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        match ended {
            Ok(()) => {}
            Err(Failed::Writing(error)) => return Ok(Err(error)),
            Err(Failed::Reading(error)) => return Err(error),
        }
    }
    Ok(Ok(()))
}

enum Failed {
    Reading(LabError),
    Writing(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Writing(error)
    }
}

fn headings<R: StoredResult>() -> String {
    let columns = R::COLUMNS.iter().map(|(name, _)| *name);
    ["row", "agents", "game"].into_iter().chain(columns).collect::<Vec<_>>().join(",") + "\r\n"
}

fn game<R: StoredResult>(store: &Store, row: &Row, series: SeriesId, result: &R, form: Form) -> Result<String, Failed> {
    let agents: Vec<&str> = row.agents.iter().map(|agent| agent.spec.as_str()).collect();
    let record = || {
        let record = store.record(series, result.game()).map_err(|error| Failed::Reading(error.into()))?;
        Ok::<_, Failed>(record.unwrap_or_default())
    };
    Ok(match form {
        Form::Records => record()?,
        Form::Csv => {
            let names = [row.name.clone(), agents.join(" : "), result.game().to_string()];
            let cells: Vec<String> = names.into_iter().chain(result.values().iter().map(plain)).map(quoted).collect();
            cells.join(",") + "\r\n"
        }
        Form::JsonLines => {
            let mut object = Map::new();
            object.insert("row".to_owned(), json!(row.name));
            object.insert("agents".to_owned(), json!(agents));
            object.insert("game".to_owned(), json!(result.game()));
            for ((name, _), value) in R::COLUMNS.iter().zip(result.values()) {
                object.insert((*name).to_owned(), as_json(value));
            }
            object.insert("record".to_owned(), json!(record()?));
            json!(object).to_string() + "\n"
        }
    })
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null | Value::Blob(_) => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    }
}

fn as_json(value: Value) -> serde_json::Value {
    match value {
        Value::Null | Value::Blob(_) => serde_json::Value::Null,
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        // An empty text stands for a value that was not computed.
        Value::Text(text) if text.is_empty() => serde_json::Value::Null,
        Value::Text(text) => json!(text),
    }
}

fn quoted(cell: String) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}
