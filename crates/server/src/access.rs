//! Who may use the server: programs and pages of this machine, or whoever knows the token.
//!
//! Three doors are kept shut. A page of another site must not use the server through its visitor's browser: the
//! `Origin` of a request, where there is one, has to be the server itself. A name that points at this machine by
//! trickery (DNS rebinding) must not either: on loopback the `Host` has to be a loopback name. And nobody from outside
//! gets in without the token.

use std::fmt;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::ApiError;

/// Who may use the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Whoever reaches the loopback address.
    ThisMachine,
    /// Whoever shows the token.
    WithToken(Token),
}

/// A secret that opens the server.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new token of 128 random bits.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(Self(bits.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The token in letters and digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares without telling by its duration where the first difference is.
    fn is(&self, shown: &str) -> bool {
        let differences = self.0.bytes().zip(shown.bytes()).fold(0, |seen, (ours, theirs)| seen | (ours ^ theirs));
        shown.len() == self.0.len() && differences == 0
    }
}

/// A token is not for logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

const COOKIE: &str = "afterstate";

/// Lets a request pass or answers it with a refusal.
pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    if let Err(error) = check_origin(request.headers(), &app.access) {
        return error.into_response();
    }
    if let Access::WithToken(token) = &app.access {
        if let Some(shown) = query_token(request.uri()).filter(|shown| token.is(shown)) {
            return enter(request.uri(), shown);
        }
        if !shows_token(request.headers(), token) {
            return ApiError::forbidden("open the address with its token, as it was printed when the server started")
                .into_response();
        }
    }
    next.run(request).await
}

fn check_origin(headers: &HeaderMap, access: &Access) -> Result<(), ApiError> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if *access == Access::ThisMachine && !is_loopback(host) {
        return Err(ApiError::forbidden("this server answers to the name localhost or 127.0.0.1 only"));
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if named == Some(host) { Ok(()) } else { Err(ApiError::forbidden("requests from other sites are refused")) }
}

/// Whether the host of a URL, with or without a port, is this machine by a name that nobody can redirect.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

fn query_token(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn shows_token(headers: &HeaderMap, token: &Token) -> bool {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookie = cookies.flat_map(|line| line.split(';')).find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    });
    bearer.into_iter().chain(cookie).any(|shown| token.is(shown))
}

/// Turns the token of the address into a cookie, so that it does not stay in the address bar, in bookmarks and in what
/// people share.
fn enter(uri: &Uri, shown: &str) -> Response {
    let cookie = format!("{COOKIE}={shown}; Path=/; HttpOnly; SameSite=Strict");
    // A path that begins with two slashes would lead to another site.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    match (HeaderValue::try_from(cookie), HeaderValue::try_from(path)) {
        (Ok(cookie), Ok(path)) => {
            (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, path)]).into_response()
        }
        _ => ApiError::bad_request("an address that cannot be read").into_response(),
    }
}

/// Headers of every answer: nothing from elsewhere, nothing inline, no framing, no guessing of types.
pub(crate) async fn harden(request: Request, next: Next) -> Response {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_loopback() {
        for host in ["localhost", "localhost:2048", "127.0.0.1:2048", "127.0.0.1", "[::1]:2048", "[::1]", "LOCALHOST"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:2048", "10.0.0.1", "[::2]:1"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn other_origins_and_other_hosts_are_refused() {
        let check = |pairs: &[(&'static str, &str)]| check_origin(&headers(pairs), &Access::ThisMachine).is_ok();
        assert!(check(&[("host", "127.0.0.1:2048")]));
        assert!(check(&[("host", "127.0.0.1:2048"), ("origin", "http://127.0.0.1:2048")]));
        assert!(!check(&[("host", "127.0.0.1:2048"), ("origin", "http://127.0.0.1:2049")]));
        assert!(!check(&[("host", "127.0.0.1:2048"), ("origin", "http://evil.example")]));
        assert!(!check(&[("host", "127.0.0.1:2048"), ("origin", "null")]));
        assert!(!check(&[("host", "evil.example"), ("origin", "http://evil.example")]));
        assert!(!check(&[]));
    }

    #[test]
    fn the_token_opens_as_bearer_and_as_cookie_and_nothing_else_does() {
        let token = Token::random().unwrap();
        assert_eq!(token.as_str().len(), 32);
        let text = token.as_str().to_owned();
        assert!(shows_token(&headers(&[("authorization", &format!("Bearer {text}"))]), &token));
        assert!(shows_token(&headers(&[("cookie", &format!("a=b; afterstate={text}"))]), &token));
        for wrong in ["", "afterstate=", &format!("afterstate={}x", &text[..31]), &format!("afterstate={text}0")] {
            assert!(!shows_token(&headers(&[("cookie", wrong)]), &token), "{wrong}");
        }
        assert_eq!(format!("{token:?}"), "Token(..)");
    }
}
