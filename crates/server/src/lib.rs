//! HTTP and WebSocket server with the web page.
//!
//! `GET /api/{game}/...` answers questions about positions, `/api/stream` carries deepening decisions and games as they
//! are played, and everything else is the page, whose sources lie in `web/` and are embedded here. The server keeps no
//! games: a request brings its position, so a reload, a second tab or a restart loses nothing.
//!
//! This crate holds no rule and no algorithm. It asks the players, in turn and within limits, and writes down what they
//! say.

mod access;
mod api;
mod app;
mod assets;
mod bench;
mod connections;
mod error;
mod game;
pub mod load;
mod question;
mod report;
mod results;
mod searches;
mod serve;
mod settings;
mod stream;
mod turns;

pub use access::{Access, Token};
pub use serve::{Server, serve};
pub use settings::{Capacity, Settings};
