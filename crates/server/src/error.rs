//! Errors as clients see them: a status and one short sentence, never the inside of the server.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::turns::Refused;

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    message: String,
}

/// Longer messages quote too much of a bad input back.
const LONGEST: usize = 400;

impl ApiError {
    fn new(status: StatusCode, message: impl std::fmt::Display) -> Self {
        let mut message = message.to_string();
        if let Some((end, _)) = message.char_indices().nth(LONGEST) {
            message.truncate(end);
            message.push_str("...");
        }
        Self { status, message }
    }

    /// The request is at fault, in the words of what found the fault.
    pub(crate) fn bad_request(error: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// There is no such thing.
    pub(crate) fn not_found(what: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, what)
    }

    /// The request may be fine, but not from here.
    pub(crate) fn forbidden(why: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, why)
    }

    /// A request that could not even be read.
    pub(crate) fn rejected(status: StatusCode, why: impl std::fmt::Display) -> Self {
        Self::new(status, why)
    }

    /// The address is right and the verb is not.
    pub(crate) fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "this address takes another method; see /api/openapi.json")
    }

    /// The server is at fault. What went wrong is nobody's business but its keeper's.
    pub(crate) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, refused)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}
