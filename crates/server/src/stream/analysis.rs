//! One search of a stream: waits for its turn, shows what it finds, says when it is done.

use std::sync::Arc;
use std::time::Duration;

use afterstate_abalone::Position as Abalone;
use afterstate_game::Notation;
use afterstate_players::DecisionReport;
use afterstate_twenty48::State;
use axum::extract::ws::Message;
use tokio::sync::{mpsc, watch};

use super::message::{Id, Reply};
use crate::app::App;
use crate::error::ApiError;
use crate::game::WebGame;
use crate::question::{Asked, Question};
use crate::turns::ClientId;

/// Decisions are shown this often at most: faster than the eye follows, slower than a network minds.
const SHOWN_EVERY: Duration = Duration::from_millis(50);

/// Answers a question with a stream of decisions.
pub(super) async fn run(app: App, client: ClientId, outbox: mpsc::Sender<Message>, id: Id, game: String, asked: Asked) {
    let analysed = match game.as_str() {
        State::GAME => analyse::<State>(&app, client, &outbox, id, &asked).await,
        Abalone::GAME => analyse::<Abalone>(&app, client, &outbox, id, &asked).await,
        _ => Err(ApiError::bad_request("game: expected 2048 or abalone")),
    };
    if let Err(error) = analysed {
        let _ = outbox.send(Reply::Error { id: Some(id), error: error.to_string() }.written()).await;
    }
}

async fn analyse<P: WebGame>(
    app: &App,
    client: ClientId,
    outbox: &mpsc::Sender<Message>,
    id: Id,
    asked: &Asked,
) -> Result<(), ApiError> {
    let question = Question::<P>::read(asked, P::adviser(), &app.capacity.spec)?;
    let (latest, mut news) = watch::channel(None::<DecisionReport>);
    let begun = || {
        // A full outbox drops the notice; the decisions that follow say the same.
        let _ = outbox.try_send(Reply::Started { id }.written());
    };
    let (bench, notices) = (Arc::clone(&app.bench), outbox.clone());
    let show = move |stop: &_| {
        let loading = || {
            let _ = notices.try_send(Reply::Loading { id }.written());
        };
        question.answer(&bench, client, stop, loading, |decision| {
            latest.send_replace(Some(decision.clone()));
        })
    };
    let mut search = std::pin::pin!(app.searches.run(client, begun, show));
    let mut tick = tokio::time::interval(SHOWN_EVERY);
    let searched = loop {
        tokio::select! {
            searched = &mut search => break searched?,
            _ = tick.tick() => {
                if news.has_changed().unwrap_or(false)
                    && let Some(decision) = &*news.borrow_and_update()
                {
                    let _ = outbox.try_send(Reply::Decision { id, decision }.written());
                }
            }
        }
    };
    let (decision, cut) = (searched.result?, searched.cut);
    // Whoever closed the outbox is not waiting for the answer any more.
    let _ = outbox.send(Reply::Done { id, decision: &decision, cut }.written()).await;
    Ok(())
}
