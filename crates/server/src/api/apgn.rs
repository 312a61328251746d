//! `POST /api/abalone/import` and `/export`: games as APGN files.

use afterstate_abalone::Position;
use afterstate_abalone::text::apgn::{Game, Reader};
use afterstate_game::{Notation, Outcome, Side};
use axum::Json;
use axum::extract::DefaultBodyLimit;
use axum::routing::{MethodRouter, post};
use serde::{Deserialize, Serialize};

use super::Body;
use super::moves::outcome_name;
use crate::app::App;
use crate::error::ApiError;
use crate::game::WebGame;
use crate::question::{Words, replay};

/// Bytes of a file; about a thousand games.
const LARGEST_FILE: usize = 1 << 20;
/// Games read from one file: more than anybody chooses from in a list.
const MOST_GAMES: usize = 200;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a text")]
struct File {
    text: String,
}

/// A game in a message.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object with a start")]
pub(super) struct Entry {
    start: String,
    #[serde(default)]
    moves: Words,
    /// `first`, `second`, `drawn` or nothing.
    #[serde(default)]
    outcome: Option<String>,
    #[serde(default)]
    tags: Vec<(String, String)>,
}

#[derive(Debug, Serialize)]
struct Imported {
    games: Vec<Entry>,
    /// What was wrong with games that could not be read.
    faults: Vec<String>,
}

pub(super) fn import() -> MethodRouter<App> {
    let read = |Body(file): Body<File>| async move {
        let mut imported = Imported { games: Vec::new(), faults: Vec::new() };
        for game in Reader::new(file.text.as_bytes()).take(MOST_GAMES) {
            match game {
                Ok(game) => imported.games.push(entry(&game)),
                Err(error) => imported.faults.push(error.to_string()),
            }
        }
        match (imported.games.is_empty(), imported.faults.first()) {
            (true, Some(fault)) => Err(ApiError::bad_request(fault)),
            (true, None) => Err(ApiError::bad_request("there is no game in this text")),
            _ => Ok(Json(imported)),
        }
    };
    post(read).layer(DefaultBodyLimit::max(LARGEST_FILE))
}

fn entry(game: &Game) -> Entry {
    Entry {
        start: game.start.to_text(),
        moves: Words::from(game.moves.iter().map(ToString::to_string).collect::<Vec<_>>()),
        outcome: game.outcome.map(|outcome| outcome_name(outcome).to_owned()),
        tags: game.tags.clone(),
    }
}

pub(super) async fn export(Body(entry): Body<Entry>) -> Result<Json<serde_json::Value>, ApiError> {
    let played = replay::<Position>(&entry.start, entry.moves.as_slice(), Position::RULES, 0, 0)?;
    let start = played.plies.first().map_or(*played.history.position(), |(position, _)| *position);
    let mut game = Game::new(start);
    game.moves = played.plies.iter().map(|(_, mv)| *mv).collect();
    game.outcome = match entry.outcome.as_deref() {
        None => played.history.outcome(),
        Some("first") => Some(Outcome::Won(Side::First)),
        Some("second") => Some(Outcome::Won(Side::Second)),
        Some("drawn") => Some(Outcome::Drawn),
        Some(_) => return Err(ApiError::bad_request("outcome: expected first, second, drawn or nothing")),
    };
    for (name, value) in &entry.tags {
        if !name.chars().all(|letter| letter.is_ascii_alphanumeric()) || name.is_empty() {
            return Err(ApiError::bad_request("tags: a name is made of letters and digits"));
        }
        game.set_tag(name, value.replace(['\n', '\r'], " "));
    }
    let text = game.to_text().map_err(ApiError::bad_request)?;
    Ok(Json(serde_json::json!({ "text": text })))
}
