//! `GET /api/{game}/analyse`: one decision.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Params;
use crate::app::App;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::game::WebGame;
use crate::question::{Asked, Question};
use afterstate_players::DecisionReport;

/// A decision, and whether it was cut short because others waited or its time was up.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    #[serde(flatten)]
    decision: DecisionReport,
    cut: bool,
}

pub(super) async fn get<P: WebGame>(
    State(app): State<App>,
    connection: Connection,
    Params(asked): Params<Asked>,
) -> Result<Json<Answer>, ApiError> {
    let question = Question::<P>::read(&asked, P::adviser(), &app.capacity.spec)?;
    let searched = question.ask(&app, connection.client).await?;
    Ok(Json(Answer { decision: searched.result?, cut: searched.cut }))
}
