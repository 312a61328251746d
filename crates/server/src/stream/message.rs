//! The messages of a stream.

use afterstate_players::DecisionReport;
use axum::extract::ws::{Message, Utf8Bytes};
use serde::{Deserialize, Serialize};

use super::matches::{self, GameFigures};
use crate::question::Asked;

/// The client's name for one of its requests.
pub(super) type Id = u32;

/// What a client may say.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    /// Search a position. A running request of the same name ends.
    Analyse { id: Id, game: String, question: Asked },
    /// Play a match. A running request of the same name ends.
    Match {
        id: Id,
        game: String,
        #[serde(rename = "match")]
        asked: matches::Asked,
    },
    /// End a request.
    Stop { id: Id },
}

/// What the server says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Reply<'a> {
    /// The search has its turn.
    Started { id: Id },
    /// The agent is not here yet: it is made, and what it knows is read.
    Loading { id: Id },
    /// What the search knows so far.
    Decision { id: Id, decision: &'a DecisionReport },
    /// The search is over.
    Done { id: Id, decision: &'a DecisionReport, cut: bool },
    /// What an agent of a match looks at.
    Board { id: Id, agent: usize, position: String },
    /// A game of a match is over, and what the games so far say.
    Game { id: Id, number: u64, figures: GameFigures, summary: serde_json::Value },
    /// All games of a match are over.
    MatchOver { id: Id },
    /// The request was given up because nobody seems to read its decisions.
    Abandoned { id: Id },
    /// A request was refused or failed.
    Error { id: Option<Id>, error: String },
    /// The server stops; come back later.
    Goodbye,
}

impl Reply<'_> {
    pub(super) fn written(&self) -> Message {
        // Nothing in a reply can fail to be written: no maps, no foreign types.
        Message::Text(Utf8Bytes::from(serde_json::to_string(self).unwrap_or_default()))
    }
}
