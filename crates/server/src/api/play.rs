//! `POST /api/{game}/play`: moves played from a position, with the answers of chance that the seed gives.

use axum::Json;
use serde::{Deserialize, Serialize};

use super::Body;
use super::moves::{LegalMove, legal_moves, outcome_name, side_name};
use crate::error::ApiError;
use crate::game::WebGame;
use crate::question::{Replay, Words, replay};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a position")]
pub(super) struct Asked {
    position: String,
    #[serde(default)]
    moves: Words,
    /// The chance of the game.
    #[serde(default)]
    seed: u64,
    /// Moves played before `position`.
    #[serde(default)]
    ply: u32,
}

/// Where the moves lead.
#[derive(Debug, Serialize)]
pub(super) struct Answer<E> {
    position: String,
    ply: u32,
    side: &'static str,
    outcome: Option<&'static str>,
    /// The legal moves; none if the game is over by any rule.
    moves: Vec<LegalMove<E>>,
    /// What was played.
    plies: Vec<Ply<E>>,
}

/// A played move.
#[derive(Debug, Serialize)]
pub(crate) struct Ply<E> {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    effect: E,
    /// The position after it and after the answer of chance.
    position: String,
}

impl<E> Ply<E> {
    /// The move that led from one position to another.
    pub(crate) fn new<P: WebGame<Effect = E>>(before: &P, mv: P::Move, after: &P) -> Self {
        Self { mv: before.move_to_text(mv), effect: before.effect(mv), position: after.to_text() }
    }
}

pub(super) async fn post<P: WebGame>(Body(asked): Body<Asked>) -> Result<Json<Answer<P::Effect>>, ApiError> {
    let Replay { history, plies } =
        replay::<P>(&asked.position, asked.moves.as_slice(), P::RULES, asked.seed, asked.ply)?;
    let position = history.position();
    let outcome = history.outcome();
    let after = plies.iter().skip(1).map(|(position, _)| position).chain([position]);
    let plies = plies.iter().zip(after).map(|((before, mv), after)| Ply::new(before, *mv, after));
    Ok(Json(Answer {
        position: position.to_text(),
        ply: asked.ply.saturating_add(history.ply()),
        side: side_name(position.side_to_move()),
        outcome: outcome.map(outcome_name),
        moves: if outcome.is_some() { Vec::new() } else { legal_moves(position) },
        plies: plies.collect(),
    }))
}
