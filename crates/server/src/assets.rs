//! The page: the files of `web/page`, embedded.
//!
//! Every file is asked for anew with the hash the browser already has (`ETag`), so that a new version of the program is
//! seen at once and an unchanged file costs one short answer. Nothing but the embedded files can be reached.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/page"]
struct Files;

/// Paths at which the page shows something; all are the same document, which looks at its own address.
const SCREENS: [&str; 6] = ["/", "/2048", "/abalone", "/analyse", "/watch", "/lab"];

/// Answers with a file or with the page itself.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if let Some(file) = path.strip_prefix('/').filter(|path| *path != "index.html").and_then(Files::get) {
        return answer(StatusCode::OK, path, file, &headers);
    }
    let status = if SCREENS.contains(&path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    // A missing file is no page: only addresses that people type get one.
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    match Files::get("index.html").filter(|_| !is_file || path == "/index.html") {
        Some(page) => answer(status, "index.html", page, &headers),
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
    }
}

fn answer(status: StatusCode, path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok()).unwrap_or_default();
    // A proxy or the compression may have weakened the tag.
    let is_known = known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag);
    let mut response = if is_known && status == StatusCode::OK {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        (status, Body::from(file.data.into_owned())).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        answer.insert(header::ETAG, tag);
    }
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
