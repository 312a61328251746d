//! `GET /api/{game}/moves`: every legal move, what it does and what it is worth.

use afterstate_game::{Outcome, Side};
use afterstate_players::{DecisionReport, MoveReport};
use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Params;
use crate::app::App;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::game::WebGame;
use crate::question::{Asked, Question};

/// A position with its legal moves.
#[derive(Debug, Serialize)]
pub(super) struct Answer<E> {
    position: String,
    /// Who has to move: `first` or `second`.
    side: &'static str,
    outcome: Option<&'static str>,
    moves: Vec<LegalMove<E>>,
}

/// A legal move.
#[derive(Debug, Serialize)]
pub(super) struct LegalMove<E> {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    effect: E,
    /// What the asked agent says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
}

/// The legal moves of a position, in the order of generation.
pub(super) fn legal_moves<P: WebGame>(position: &P) -> Vec<LegalMove<P::Effect>> {
    let legal = |mv| LegalMove { mv: position.move_to_text(mv), effect: position.effect(mv), value: None, bound: None };
    position.moves().into_iter().map(legal).collect()
}

pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

pub(super) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Over => "over",
        Outcome::Won(side) => side_name(side),
        Outcome::Drawn => "drawn",
    }
}

pub(super) async fn get<P: WebGame>(
    State(app): State<App>,
    connection: Connection,
    Params(asked): Params<Asked>,
) -> Result<Json<Answer<P::Effect>>, ApiError> {
    let question = Question::<P>::read(&asked, P::QUICK, &app.capacity.spec)?;
    let position = question.history.position().clone();
    let outcome = question.history.outcome().map(outcome_name);
    let mut moves = legal_moves(&position);
    if !moves.is_empty() {
        let searched = question.ask(&app, connection.client).await?;
        value_moves(&mut moves, searched.result?);
    }
    Ok(Json(Answer { position: position.to_text(), side: side_name(position.side_to_move()), outcome, moves }))
}

/// Puts the agent's values to the moves, and the best move first.
fn value_moves<E>(moves: &mut [LegalMove<E>], decision: DecisionReport) {
    let rank = |mv: &str| decision.moves.iter().position(|known| known.mv == mv);
    moves.sort_by_key(|legal| rank(&legal.mv));
    for (legal, MoveReport { value, bound, .. }) in moves.iter_mut().zip(decision.moves) {
        legal.value = value;
        legal.bound = value.map(|_| bound);
    }
}
