//! Accepting connections: so many at a time, each with its number, none of them slow to say what it wants.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt;

use crate::turns::ClientId;

/// A client that has not finished its request line and headers by then is let go.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Bytes of a request's head; the longest is a position in an address.
const LONGEST_HEAD: usize = 16 << 10;
/// How long the answers under way may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);
/// A pause after a failed accept, which mostly means that there are no file handles left.
const BREATHER: Duration = Duration::from_millis(50);

/// The connection that a request came through.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// Its number.
    pub(crate) client: ClientId,
    /// Its place among those the server takes; kept by whatever outlives the request, as a stream does.
    _place: Option<Arc<OwnedSemaphorePermit>>,
}

/// Serves connections until `closing` turns true, then lets the answers under way finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    connections: usize,
    mut closing: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(connections));
    let mut number = 0;
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            _ = is_true(&mut closing) => break,
        };
        let Some((socket, place)) = accepted else {
            tokio::time::sleep(BREATHER).await;
            continue;
        };
        number += 1;
        let connection = Connection { client: ClientId(number), _place: Some(Arc::new(place)) };
        tokio::spawn(converse(socket, connection, router.clone(), closing.clone()));
    }
    drop(listener);
    // All places are free again when the last connection has ended.
    let all = u32::try_from(connections).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(FAREWELL, places.acquire_many(all)).await;
}

async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    let (socket, _) = listener.accept().await.ok()?;
    Some((socket, place))
}

/// Waits until the server is about to stop.
pub(crate) async fn is_true(closing: &mut watch::Receiver<bool>) {
    // The sender lives as long as the server.
    let _ = closing.wait_for(|&closing| closing).await;
}

/// Answers the requests of one connection, each of which knows where it came from.
async fn converse(socket: TcpStream, connection: Connection, router: Router, mut closing: watch::Receiver<bool>) {
    // Small answers must not wait for more to send.
    let _ = socket.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(connection.clone());
        router.clone().oneshot(request)
    });
    let mut conversation = std::pin::pin!(protocol().serve_connection(TokioIo::new(socket), service).with_upgrades());
    // A connection that breaks is the client's business.
    tokio::select! {
        _ = &mut conversation => {}
        () = is_true(&mut closing) => {
            conversation.as_mut().graceful_shutdown();
            let _ = conversation.await;
        }
    }
}

fn protocol() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(LONGEST_HEAD);
    builder
}

/// Requests that came through no connection, as in tests, share a number.
impl<S: Sync> FromRequestParts<S> for Connection {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or(Self { client: ClientId(0), _place: None }))
    }
}
