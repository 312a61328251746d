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
use axum::response::Response;

use crate::app::App;
use crate::connections::Connection;

pub(crate) use matches::tables;

/// Turns a request into a stream.
pub(crate) async fn open(State(app): State<App>, connection: Connection, upgrade: WebSocketUpgrade) -> Response {
    let most = app.capacity.message;
    upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .max_write_buffer_size(1 << 20)
        .on_upgrade(move |socket| session::run(app, connection, socket))
}
