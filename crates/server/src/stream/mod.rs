//! `/api/stream`: a WebSocket on which a page asks for decisions and sees them deepen.
//!
//! A client has a few searches at a time. Each sends its latest decision at a bounded rate, so a slow client sees fewer
//! of them and holds nothing up; a client that has fallen silent loses its searches within a second, and its connection
//! after a minute.

mod analysis;
mod matches;
mod message;
mod session;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::response::Response;

use crate::app::App;
use crate::connections::Connection;
use crate::error::ApiError;

pub(crate) use matches::tables;

/// Turns a request into a stream.
pub(crate) async fn open(
    State(app): State<App>,
    connection: Connection,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|error| ApiError::rejected(error.status(), error.body_text()))?;
    let most = app.capacity.message;
    let upgrade = upgrade.max_message_size(most).max_frame_size(most).max_write_buffer_size(1 << 20);
    Ok(upgrade.on_upgrade(move |socket| session::run(app, connection, socket)))
}
