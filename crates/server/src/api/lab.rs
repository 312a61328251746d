//! `GET /api/lab`: the laboratory's experiments, their reports and series, and every stored game.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::PathParts;
use crate::app::App;
use crate::error::ApiError;
use crate::report::{self, Shown};
use crate::results::{self, Outcome, StoredGame};

/// Reads the results folder in a thread that may wait for the disk.
async fn reading<T: Send + 'static>(
    app: App,
    read: impl FnOnce(&std::path::Path) -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(move || read(&app.results)).await.map_err(|_| ApiError::internal())
}

pub(super) async fn experiments(State(app): State<App>) -> Result<Json<Value>, ApiError> {
    let experiments = reading(app, results::experiments).await?;
    Ok(Json(json!({ "experiments": experiments })))
}

pub(super) async fn series(
    State(app): State<App>,
    PathParts((name, number)): PathParts<(String, usize)>,
) -> Result<Json<Outcome>, ApiError> {
    reading(app, move |folder| results::outcome(folder, &name, number)).await?.map(Json)
}

pub(super) async fn game(
    State(app): State<App>,
    PathParts((name, number, game)): PathParts<(String, usize, u64)>,
) -> Result<Json<StoredGame>, ApiError> {
    reading(app, move |folder| results::stored_game(folder, &name, number, game)).await?.map(Json)
}

pub(super) async fn report(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
) -> Result<Json<Shown>, ApiError> {
    reading(app, move |folder| report::shown(folder, &name)).await?.map(Json)
}

pub(super) async fn figure(
    State(app): State<App>,
    PathParts((name, number)): PathParts<(String, usize)>,
) -> Result<impl IntoResponse, ApiError> {
    let svg = reading(app, move |folder| report::figure(folder, &name, number)).await??;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg))
}
