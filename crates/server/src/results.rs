//! The laboratory's results as the page shows them: which experiments there are, what their series say, and every game.
//!
//! Only files of the results folder are read, by names that are found there and not by paths that are asked for.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use afterstate_abalone::Position as Abalone;
use afterstate_abalone::text::apgn;
use afterstate_game::Notation;
use afterstate_lab::store::{SeriesId, Store, StoredResult};
use afterstate_lab::{DecisionResult, DecisionTally, DuelResult, MatchTally, SoloResult, SoloTally, Tally};
use afterstate_twenty48::{Records, State};
use serde::Serialize;
use serde_json::{Value, json};

use crate::api::Ply;
use crate::error::ApiError;
use crate::game::WebGame;

/// Results sent for one series; the summary counts all of them.
const MOST_RESULTS: usize = 2000;

/// An experiment with results.
#[derive(Debug, Serialize)]
pub(crate) struct Experiment {
    name: String,
    series: Vec<Series>,
}

/// A series of games of an experiment; of decisions, where single positions were decided.
#[derive(Debug, Serialize)]
struct Series {
    /// Its place among the series of the experiment.
    number: usize,
    kind: Kind,
    definition: String,
    games: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Games for one player against chance.
    Solo,
    /// Games between two agents.
    Duel,
    /// Single decisions on given positions.
    Decision,
}

/// What a series says, with its games.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    kind: Kind,
    definition: String,
    summary: Value,
    results: Vec<Value>,
}

/// A stored game, move by move.
#[derive(Debug, Serialize)]
pub(crate) struct StoredGame {
    game: &'static str,
    start: String,
    plies: Vec<Value>,
}

fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<(String, PathBuf)> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "db"))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect();
    files.sort();
    files
}

pub(crate) fn open(folder: &Path, name: &str) -> Result<Store, ApiError> {
    let found = files(folder).into_iter().find(|(file, _)| file == name);
    let (_, path) = found.ok_or_else(|| ApiError::not_found("there is no such experiment"))?;
    // The error names a path of this machine, which is nobody else's business.
    Store::read(&path).map_err(|_| ApiError::not_found("the results of this experiment cannot be read"))
}

fn unreadable(_: afterstate_lab::store::StoreError) -> ApiError {
    ApiError::not_found("the results of this experiment cannot be read")
}

/// The series of a store that hold games, each with its kind.
fn series(store: &Store) -> Result<Vec<(SeriesId, Series)>, ApiError> {
    let solo = store.all_series::<SoloResult>().map_err(unreadable)?;
    let duels = store.all_series::<DuelResult>().map_err(unreadable)?;
    let decisions = store.all_series::<DecisionResult>().map_err(unreadable)?;
    let all = solo.into_iter().zip(duels).zip(decisions).map(|((solo, duel), decision)| {
        let (kind, games) = match (duel.games, decision.games) {
            (0, 0) => (Kind::Solo, solo.games),
            (0, decisions) => (Kind::Decision, decisions),
            (duels, _) => (Kind::Duel, duels),
        };
        (solo.id, kind, solo.definition, games)
    });
    let numbered = all.enumerate();
    Ok(numbered
        .map(|(number, (id, kind, definition, games))| (id, Series { number, kind, definition, games }))
        .collect())
}

/// Every experiment in the folder. A file that cannot be read is left out.
pub(crate) fn experiments(folder: &Path) -> Vec<Experiment> {
    let read = |(name, path): (String, PathBuf)| {
        let store = Store::read(&path).ok()?;
        let series = series(&store).ok()?.into_iter().map(|(_, series)| series).collect();
        Some(Experiment { name, series })
    };
    files(folder).into_iter().filter_map(read).collect()
}

fn one_series(store: &Store, number: usize) -> Result<(SeriesId, Series), ApiError> {
    series(store)?.into_iter().nth(number).ok_or_else(|| ApiError::not_found("this experiment has no such series"))
}

/// What a series says.
pub(crate) fn outcome(folder: &Path, name: &str, number: usize) -> Result<Outcome, ApiError> {
    let store = open(folder, name)?;
    let (id, Series { kind, definition, .. }) = one_series(&store, number)?;
    let (summary, results) = match kind {
        Kind::Solo => {
            let (tally, results) = tallied(&store, id, solo_figures)?;
            (json!(SoloTally::summary(&tally)), results)
        }
        Kind::Duel => {
            let (tally, results) = tallied(&store, id, duel_figures)?;
            (json!(MatchTally::summary(&tally)), results)
        }
        Kind::Decision => {
            let (tally, results) = tallied(&store, id, decision_figures)?;
            (json!(DecisionTally::summary(&tally)), results)
        }
    };
    Ok(Outcome { kind, definition, summary, results })
}

fn tallied<R: StoredResult, T: Tally<R>>(
    store: &Store,
    id: SeriesId,
    figures: fn(&R) -> Value,
) -> Result<(T, Vec<Value>), ApiError> {
    let mut tally = T::default();
    let mut results = Vec::new();
    let visit = |result: R| {
        tally.add(&result);
        if results.len() < MOST_RESULTS {
            results.push(figures(&result));
        }
        ControlFlow::Continue(())
    };
    store.for_each_result(id, visit).map_err(unreadable)?;
    Ok((tally, results))
}

fn solo_figures(result: &SoloResult) -> Value {
    json!({
        "game": result.game,
        "score": result.score,
        "largest": result.largest_tile,
        "moves": result.spent.moves,
        "seconds": result.spent.time.as_secs_f64(),
    })
}

fn duel_figures(result: &DuelResult) -> Value {
    json!({
        "game": result.game,
        "points": f64::from(result.half_points) / 2.0,
        "lost": result.lost,
        "plies": result.plies,
        "opening": result.opening,
    })
}

fn decision_figures(result: &DecisionResult) -> Value {
    json!({
        "game": result.game,
        "depth": result.depth,
        "value": result.value,
        "nodes": result.spent.effort.nodes,
        "seconds": result.spent.time.as_secs_f64(),
    })
}

/// One stored game, replayed from its record.
pub(crate) fn stored_game(folder: &Path, name: &str, number: usize, game: u64) -> Result<StoredGame, ApiError> {
    let store = open(folder, name)?;
    let (id, Series { kind, .. }) = one_series(&store, number)?;
    let record = store.record(id, game).map_err(unreadable)?;
    let record = record.ok_or_else(|| ApiError::not_found("this series has no such game"))?;
    let damaged = || ApiError::not_found("the record of this game cannot be read");
    match kind {
        Kind::Solo => {
            let record = Records::new(record.as_bytes()).next().and_then(Result::ok).ok_or_else(damaged)?;
            let plies = record.steps().map(|step| ply(&step.state, step.ply.mv, &step.next)).collect();
            Ok(StoredGame { game: State::GAME, start: record.start().to_text(), plies })
        }
        Kind::Duel => {
            let game = apgn::Reader::new(record.as_bytes()).next().and_then(Result::ok).ok_or_else(damaged)?;
            let mut position = game.start;
            let mut plies = Vec::new();
            for mv in game.moves {
                let before = position;
                position = afterstate_game::Position::play_unchecked(&before, mv).afterstate.0;
                plies.push(ply(&before, mv, &position));
            }
            Ok(StoredGame { game: Abalone::GAME, start: game.start.to_text(), plies })
        }
        Kind::Decision => Err(ApiError::not_found("this series holds single decisions and no games")),
    }
}

fn ply<P: WebGame>(before: &P, mv: P::Move, after: &P) -> Value {
    serde_json::to_value(Ply::new(before, mv, after)).unwrap_or_default()
}
