//! `GET /api/{game}/start`: where a game begins.

use axum::Json;
use serde::{Deserialize, Serialize};

use super::Params;
use crate::error::ApiError;
use crate::game::WebGame;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    layout: Option<String>,
}

/// The start of a game.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    position: String,
}

pub(super) async fn get<P: WebGame>(Params(asked): Params<Asked>) -> Result<Json<Answer>, ApiError> {
    let start = P::start(asked.seed, asked.layout.as_deref()).map_err(ApiError::bad_request)?;
    Ok(Json(Answer { position: start.to_text() }))
}
