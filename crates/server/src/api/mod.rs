//! Questions and answers over HTTP. The document that describes them is `openapi.json`; a test holds it to the truth.

mod analyse;
mod apgn;
mod catalogue;
mod extract;
mod lab;
mod moves;
mod openapi;
mod play;
mod start;
mod status;

use afterstate_abalone::Position as Abalone;
use afterstate_twenty48::State;
use axum::Router;
use axum::routing::{get, post};

use crate::app::App;
use crate::error::ApiError;
use crate::game::WebGame;

pub(crate) use extract::{Body, Params, PathParts};
pub(crate) use play::Ply;

/// The API of all games.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/openapi.json", get(openapi::document))
        .route("/status", get(status::get))
        .route("/lab", get(lab::experiments))
        .route("/lab/{experiment}/report", get(lab::report))
        .route("/lab/{experiment}/figures/{figure}", get(lab::figure))
        .route("/lab/{experiment}/{series}", get(lab::series))
        .route("/lab/{experiment}/{series}/{game}", get(lab::game))
        .nest("/2048", game::<State>())
        .nest("/abalone", game::<Abalone>().route("/import", apgn::import()).route("/export", post(apgn::export)))
        .fallback(|| async { ApiError::not_found("no such question; see /api/openapi.json for those there are") })
        .method_not_allowed_fallback(|| async { ApiError::method_not_allowed() })
}

fn game<P: WebGame>() -> Router<App> {
    Router::new()
        .route("/catalogue", get(catalogue::get::<P>))
        .route("/start", get(start::get::<P>))
        .route("/moves", get(moves::get::<P>))
        .route("/analyse", get(analyse::get::<P>))
        .route("/play", post(play::post::<P>))
}
