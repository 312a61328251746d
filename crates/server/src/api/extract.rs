//! Reading requests, with errors in the server's own short form and words: those of the libraries name its types.

use axum::Json;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The parameters of an address.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        read.map(|Query(value)| Self(value))
            .map_err(|error| ApiError::rejected(error.status(), reason(&error.body_text())))
    }
}

/// The parts of a path.
pub(crate) struct PathParts<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParts<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        read.map(|Path(value)| Self(value)).map_err(|error| ApiError::rejected(error.status(), wrong_part(error)))
    }
}

fn wrong_part(error: PathRejection) -> String {
    let text = error.body_text();
    match error {
        PathRejection::FailedToDeserializePathParams(error) => match error.into_kind() {
            ErrorKind::ParseErrorAtIndex { value, .. } | ErrorKind::ParseError { value, .. } => {
                format!("the address has {value:?} where a whole number belongs")
            }
            _ => text,
        },
        _ => text,
    }
}

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let read: Result<Json<T>, JsonRejection> = Json::from_request(request, state).await;
        read.map(|Json(value)| Self(value)).map_err(|error| ApiError::rejected(error.status(), wrong_body(&error)))
    }
}

fn wrong_body(error: &JsonRejection) -> String {
    match error {
        JsonRejection::JsonSyntaxError(error) => format!("the body is no JSON: {}", reason(&error.body_text())),
        JsonRejection::MissingJsonContentType(_) => "expected the header `Content-Type: application/json`".to_owned(),
        error if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            "the body is longer than this address takes".to_owned()
        }
        error => reason(&error.body_text()),
    }
}

/// What was wrong, without what the library was doing at the time, and in plain words where it has none.
fn reason(text: &str) -> String {
    const DOING: [&str; 3] = [
        "Failed to deserialize query string: ",
        "Failed to deserialize the JSON body into the target type: ",
        "Failed to parse the request body as JSON: ",
    ];
    const PLAIN: [(&str, &str); 5] = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        (", expected u64", ", expected a whole number"),
        (", expected u32", ", expected a whole number"),
    ];
    let text = DOING.iter().find_map(|doing| text.strip_prefix(doing)).unwrap_or(text);
    PLAIN.iter().fold(text.to_owned(), |text, (words, plain)| text.replace(words, plain))
}
