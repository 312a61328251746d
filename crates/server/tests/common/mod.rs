//! A server on loopback and clients for it.

#![allow(dead_code, reason = "every test file uses a part of this")]

use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use afterstate_lab::experiment::{Experiment, Mixing, Plan, RunProgress};
use afterstate_lab::store::Store;
use afterstate_lab::{Machinery, Provenance};
use afterstate_server::{Server, Settings};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Longer than anything takes, so that a test that hangs fails instead.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl TestServer {
    pub(crate) async fn start() -> Self {
        Self::with(Settings::default()).await
    }

    /// A server on a free port.
    pub(crate) async fn with(mut settings: Settings) -> Self {
        settings.listen = ([127, 0, 0, 1], 0).into();
        Self::bound(&settings).await
    }

    /// A server where another one was before.
    pub(crate) async fn at(address: SocketAddr) -> Self {
        Self::bound(&Settings { listen: address, ..Settings::default() }).await
    }

    async fn bound(settings: &Settings) -> Self {
        let server = Server::bind(settings).await.expect("a free port");
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Self { address, stop, running }
    }

    pub(crate) async fn stop(self) {
        let _ = self.stop.send(());
        tokio::time::timeout(PATIENCE, self.running).await.expect("it stops").expect("it does not panic");
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        self.raw(request.as_bytes()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string()).await
    }

    pub(crate) async fn post_text(&self, path: &str, body: &str) -> Answer {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.raw(request.as_bytes()).await
    }

    /// Sends bytes and reads what comes until the server closes.
    pub(crate) async fn raw(&self, request: &[u8]) -> Answer {
        let mut socket = TcpStream::connect(self.address).await.expect("a connection");
        // A server that refuses a long request may close before all of it is sent.
        let _ = socket.write_all(request).await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("an answer");
        Answer::read(&answer)
    }

    pub(crate) async fn stream(&self) -> Client {
        let (socket, _) =
            tokio_tungstenite::connect_async(format!("ws://{}/api/stream", self.address)).await.expect("a stream");
        Client { socket }
    }

    /// Waits until so many searches run and wait.
    pub(crate) async fn wait_for_load(&self, running: u64, waiting: u64) {
        let started = tokio::time::Instant::now();
        loop {
            let status = self.get("/api/status").await.json();
            if status["running"] == running && status["waiting"] == waiting {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{status} instead of {running} running and {waiting} waiting");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A folder with the results of three small experiments; it goes when this is dropped.
pub(crate) struct Results {
    pub(crate) folder: PathBuf,
}

impl Results {
    pub(crate) fn of_small_experiments() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("afterstate-results-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let results = Self { folder };
        results.play_tiles(4);
        results.play(
            "name = 'marbles'\ngame = 'abalone'\ngames = 2\ndraws = { max_plies = 12 }\npairing = 'gauntlet'\n[[agents]]\nspec = 'random'\n\
             [[agents]]\nspec = 'one-ply'\n",
        );
        results.play(
            "name = 'costs'\ntitle = 'What a search costs'\ngame = 'abalone'\npositions = { layouts = ['Standard'] }\n\
             [[agents]]\nspec = 'alphabeta(depth=2)'\n[[agents]]\nspec = 'one-ply'\n",
        );
        results
    }

    /// Plays an experiment up to so many games for each of its two agents.
    pub(crate) fn play_tiles(&self, games: u32) {
        self.play(&format!(
            "name = 'tiles'\ntitle = 'Two players of 2048'\ngame = '2048'\ngames = {games}\n[[agents]]\nspec = 'random'\n\
             [[agents]]\nspec = 'greedy'\n[[figures]]\nkind = 'bars'\ntitle = 'Mean score'\nmeasure = 'score'\n"
        ));
    }

    fn play(&self, text: &str) {
        let experiment = Experiment::parse(text, &[]).expect("an experiment");
        let plan = Plan::new(&experiment, Path::new("")).expect("a plan");
        let mut store = Store::open(&self.folder.join(format!("{}.db", experiment.name))).expect("a store");
        let provenance = Provenance::here("afterstate run FILE", 1);
        let machinery = Machinery { threads: 1, ..Machinery::default() };
        let watch = |_: &RunProgress<'_>| ControlFlow::Continue(());
        let played = plan.run(&experiment, &mut store, &provenance, Mixing::Refused, &machinery, watch);
        assert!(played.expect("games").0, "all games are played");
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// The error of a refused request.
    pub(crate) fn error(&self) -> String {
        assert!((400..500).contains(&self.status), "{self:?}");
        self.json()["error"].as_str().unwrap_or_else(|| panic!("no error: {self:?}")).to_owned()
    }
}

/// The client's end of a stream.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    pub(crate) async fn say(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).await.expect("the stream takes it");
    }

    pub(crate) async fn analyse(&mut self, id: u32, position: &str, agent: &str) {
        let question = json!({ "position": position, "agent": agent });
        self.say(&json!({ "type": "analyse", "id": id, "game": "2048", "question": question })).await;
    }

    /// The next reply.
    pub(crate) async fn hear(&mut self) -> Option<Value> {
        loop {
            match tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a reply in time")? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("replies are JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next reply of one of these types.
    pub(crate) async fn hear_one(&mut self, types: &[&str]) -> Value {
        loop {
            let reply = self.hear().await.unwrap_or_else(|| panic!("the stream ended before {types:?}"));
            if types.iter().any(|&wanted| reply["type"] == wanted) {
                return reply;
            }
        }
    }
}

pub(crate) const START: &str = "0 2 2 0/0 0 0 0/4 0 0 0/0 0 0 0";
/// A search that does not end by itself.
pub(crate) const ENDLESS: &str = "expectimax(depth=60, eval=empty)";
