//! `GET /api/status`: how busy the server is, and what it allows.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::app::App;

#[derive(Debug, Serialize)]
pub(super) struct Answer {
    version: &'static str,
    /// Searches that run.
    running: usize,
    /// Searches that wait for their turn.
    waiting: usize,
    /// Searches that one connection may have.
    per_connection: usize,
    /// Seconds that a search may take.
    search_seconds: f64,
}

pub(super) async fn get(State(app): State<App>) -> Json<Answer> {
    let (running, waiting) = app.searches.load();
    Json(Answer {
        version: env!("CARGO_PKG_VERSION"),
        running,
        waiting,
        per_connection: app.capacity.per_client,
        search_seconds: app.capacity.search_time.as_secs_f64(),
    })
}
