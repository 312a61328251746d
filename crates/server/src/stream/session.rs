//! One open stream: what the client says, what runs for it, and whether it is still there.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use super::message::{Id, Reply, Request};
use super::{analysis, matches};
use crate::app::App;
use crate::connections::{Connection, is_true};

/// Replies that may wait to be sent.
const OUTBOX: usize = 64;
/// How often a client with searches is asked for a sign of life.
const PULSE: Duration = Duration::from_millis(250);
/// A client with searches that gives no sign of life for so long loses them.
const SILENCE: Duration = Duration::from_millis(750);
/// A client that gives no sign of life for so long is gone.
const GONE: Duration = Duration::from_secs(60);
/// How often a client without searches is asked for a sign of life, in pulses.
const IDLE_PULSES: u32 = 60;
/// A client that takes none of its replies for so long is let go.
const STUCK: Duration = Duration::from_secs(1);

/// Serves one stream to its end. Whatever ends it ends its searches too, because they are dropped with it.
pub(super) async fn run(app: App, connection: Connection, socket: WebSocket) {
    let (mut sink, mut incoming) = socket.split();
    let (outbox, mut letters) = mpsc::channel::<Message>(OUTBOX);
    let mut writer = tokio::spawn(async move {
        while let Some(letter) = letters.recv().await {
            if sink.send(letter).await.is_err() {
                return;
            }
        }
        let _ = sink.close().await;
    });
    let mut closing = app.closing.subscribe();
    let mut session =
        Session { app, connection, outbox, tasks: JoinSet::new(), running: HashMap::new(), heard: Instant::now() };
    let mut pulse = tokio::time::interval(PULSE);
    let mut pulses = 0u32;
    loop {
        let alive = tokio::select! {
            message = incoming.next() => match message {
                Some(Ok(message)) => session.hear(message).await,
                _ => false,
            },
            Some(_) = session.tasks.join_next() => {
                session.running.retain(|_, task| !task.is_finished());
                true
            }
            _ = pulse.tick() => {
                pulses = pulses.wrapping_add(1);
                session.feel_pulse(pulses)
            }
            () = is_true(&mut closing) => {
                session.say(&Reply::Goodbye).await;
                false
            }
            _ = &mut writer => false,
        };
        if !alive {
            break;
        }
    }
    drop(session);
    // One that has ended must not be waited for a second time.
    if !writer.is_finished() {
        let _ = tokio::time::timeout(STUCK, &mut writer).await;
        writer.abort();
    }
}

/// The name that a client gave to a request which cannot be read otherwise: it waits for an answer to that name.
fn named(text: &str) -> Option<Id> {
    #[derive(Deserialize)]
    struct Named {
        id: Id,
    }
    serde_json::from_str::<Named>(text).ok().map(|Named { id }| id)
}

struct Session {
    app: App,
    connection: Connection,
    outbox: mpsc::Sender<Message>,
    tasks: JoinSet<()>,
    running: HashMap<Id, AbortHandle>,
    heard: Instant,
}

impl Session {
    /// Takes a message; `false` ends the stream.
    async fn hear(&mut self, message: Message) -> bool {
        self.heard = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return true,
            Message::Close(_) => return false,
            Message::Binary(_) => return self.refuse(None, "expected a JSON text, found a binary message").await,
        };
        match serde_json::from_str(&text) {
            Ok(Request::Analyse { id, game, question }) => {
                let (app, outbox) = (self.app.clone(), self.outbox.clone());
                let analysis = analysis::run(app, self.connection.client, outbox, id, game, question);
                self.begin(id, analysis).await
            }
            Ok(Request::Match { id, game, asked }) => {
                let (app, outbox) = (self.app.clone(), self.outbox.clone());
                let played = matches::run(app, self.connection.client, outbox, id, game, asked);
                self.begin(id, played).await
            }
            Ok(Request::Stop { id }) => {
                self.end(id);
                true
            }
            Err(error) => self.refuse(named(&text), &format!("not a message of this stream: {error}")).await,
        }
    }

    /// Starts a request in place of one of the same name; `false` ends the stream.
    async fn begin(&mut self, id: Id, request: impl Future<Output = ()> + Send + 'static) -> bool {
        self.end(id);
        let most = self.app.capacity.per_client;
        if self.running.len() >= most {
            return self.refuse(Some(id), &format!("this connection already has {most} requests")).await;
        }
        self.running.insert(id, self.tasks.spawn(request));
        true
    }

    fn end(&mut self, id: Id) {
        if let Some(task) = self.running.remove(&id) {
            task.abort();
        }
    }

    async fn refuse(&self, id: Option<Id>, error: &str) -> bool {
        let error = error.chars().take(300).collect();
        self.say(&Reply::Error { id, error }).await
    }

    /// Sends a reply; `false` if the client does not take it.
    async fn say(&self, reply: &Reply<'_>) -> bool {
        matches!(tokio::time::timeout(STUCK, self.outbox.send(reply.written())).await, Ok(Ok(())))
    }

    /// Asks for a sign of life and acts on its absence; `false` ends the stream.
    fn feel_pulse(&mut self, pulses: u32) -> bool {
        let silent = self.heard.elapsed();
        if silent > GONE {
            return false;
        }
        if silent > SILENCE && !self.running.is_empty() {
            for (id, task) in self.running.drain() {
                task.abort();
                let _ = self.outbox.try_send(Reply::Abandoned { id }.written());
            }
        }
        if !self.running.is_empty() || pulses.is_multiple_of(IDLE_PULSES) {
            // A full outbox is no place for a ping: the client has enough to read.
            let _ = self.outbox.try_send(Message::Ping(axum::body::Bytes::new()));
        }
        true
    }
}
