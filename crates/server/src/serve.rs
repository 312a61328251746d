//! Starting and stopping.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Router, middleware};
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::app::App;
use crate::error::ApiError;
use crate::{Access, Settings, access, api, assets, connections, stream};

/// A client that sends nothing more of its request for so long is let go.
const SLOWEST_BODY: Duration = Duration::from_secs(10);

/// A server that listens and does not serve yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    connections: usize,
}

impl Server {
    /// Takes the address.
    pub async fn bind(settings: &Settings) -> io::Result<Self> {
        let listener = TcpListener::bind(settings.listen).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, app: App::new(settings), connections: settings.capacity.connections.max(1) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser, with the token where one is needed.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.app.access {
            Access::ThisMachine => format!("http://{}/", self.address),
            Access::WithToken(token) => format!("http://{}/?token={}", self.address, token.as_str()),
        }
    }

    /// Serves until `until` is done; then open streams are told, searches end, and answers under way are finished.
    pub async fn run(self, until: impl Future<Output = ()>) {
        let app = self.app.clone();
        let closing = app.closing.subscribe();
        let serving = connections::serve(self.listener, router(self.app), self.connections, closing);
        let ending = async {
            until.await;
            app.closing.send_replace(true);
        };
        tokio::join!(serving, ending);
    }
}

/// Serves until Ctrl-C or a request to terminate, on a runtime of its own. `ready` is told where.
pub fn serve(settings: &Settings, ready: impl FnOnce(&Server)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let server = Server::bind(settings).await?;
        let until = asked_to_stop()?;
        ready(&server);
        server.run(until).await;
        Ok(())
    });
    // A search that does not look at its flag must not keep the program alive.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Everything that can be asked.
pub(crate) fn router(app: App) -> Router {
    Router::new()
        .nest("/api", api::router())
        .route("/api/stream", any(stream::open))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(app.capacity.message))
        .layer(RequestBodyTimeoutLayer::new(SLOWEST_BODY))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| -> Response { ApiError::internal().into_response() }))
        .layer(middleware::from_fn_with_state(app.clone(), access::check))
        .layer(middleware::from_fn(access::harden))
        .with_state(app)
}
