//! A load test of bounded length on loopback: how many questions a second, and what a crowd does to everybody's turns.
//!
//! The clients only; the server is a process of its own, so that its memory is its own.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

/// What a crowd of streams met with, all of which would search for ever.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// Turns that the luckiest and the unluckiest client had.
    pub most_turns: u32,
    /// See [`Self::most_turns`].
    pub fewest_turns: u32,
    /// The longest wait for a turn.
    pub longest_wait: Duration,
}

/// Who a crowd asks.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// The agents that the clients ask, in turn.
    pub agents: &'static [&'static str],
    /// Clients that have a match played as well, between the first and the last of the agents.
    pub matches: usize,
}

const POSITION: &str = "4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0";

/// Questions for the moves of a position that the server answers per second, over `connections` connections.
pub fn moves_per_second(server: SocketAddr, connections: usize, length: Duration) -> io::Result<f64> {
    runtime()?.block_on(async {
        let until = Instant::now() + length;
        let clients: Vec<_> = (0..connections).map(|_| tokio::spawn(ask(server, until))).collect();
        let started = Instant::now();
        let mut answered = 0;
        for client in clients {
            answered += client.await.map_err(io::Error::other)??;
        }
        Ok(answered as f64 / started.elapsed().as_secs_f64())
    })
}

/// `clients` streams that all ask for an endless search again and again.
pub fn crowd(server: SocketAddr, clients: usize, wishes: Wishes, length: Duration) -> io::Result<Crowd> {
    runtime()?.block_on(async {
        let until = Instant::now() + length;
        let requests = (0..clients).map(|client| wishes.requests(client));
        let clients: Vec<_> = requests.map(|requests| tokio::spawn(search(server, requests, until))).collect();
        let mut crowd = Crowd { most_turns: 0, fewest_turns: u32::MAX, longest_wait: Duration::ZERO };
        for client in clients {
            let (turns, longest_wait) = client.await.map_err(io::Error::other)??;
            crowd.most_turns = crowd.most_turns.max(turns);
            crowd.fewest_turns = crowd.fewest_turns.min(turns);
            crowd.longest_wait = crowd.longest_wait.max(longest_wait);
        }
        Ok(crowd)
    })
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

impl Wishes {
    /// What the client of this number says when it has come; the first it says again whenever it is answered.
    fn requests(&self, client: usize) -> Vec<String> {
        let agent = self.agents[client % self.agents.len()];
        let question = json!({ "position": POSITION, "agent": agent, "time": "60s" });
        let mut requests =
            vec![json!({ "type": "analyse", "id": 1, "game": "2048", "question": question }).to_string()];
        if client < self.matches {
            let agents = [self.agents[0], self.agents[self.agents.len() - 1]];
            let games = json!({ "agents": agents, "games": 1 });
            requests.push(json!({ "type": "match", "id": 2, "game": "2048", "match": games }).to_string());
        }
        requests
    }
}

/// Asks for moves until the time is up, one question after the other.
async fn ask(server: SocketAddr, until: Instant) -> io::Result<u64> {
    let socket = TcpStream::connect(server).await?;
    socket.set_nodelay(true)?;
    let mut socket = BufReader::new(socket);
    let query = POSITION.replace(' ', "+");
    let request = format!("GET /api/2048/moves?position={query} HTTP/1.1\r\nHost: {server}\r\n\r\n");
    let mut answered = 0;
    while Instant::now() < until {
        socket.get_mut().write_all(request.as_bytes()).await?;
        read_answer(&mut socket).await?;
        answered += 1;
    }
    Ok(answered)
}

/// Reads one answer and throws it away.
async fn read_answer(socket: &mut BufReader<TcpStream>) -> io::Result<()> {
    let mut length = 0;
    let mut line = String::new();
    let mut is_ok = false;
    loop {
        line.clear();
        socket.read_line(&mut line).await?;
        is_ok |= line.starts_with("HTTP/1.1 200");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await?;
    if is_ok { Ok(()) } else { Err(io::Error::other(String::from_utf8_lossy(&body).into_owned())) }
}

/// Asks for endless searches until the time is up; gives the number of turns and the longest wait for one.
async fn search(server: SocketAddr, requests: Vec<String>, until: Instant) -> io::Result<(u32, Duration)> {
    let (mut socket, _) =
        tokio_tungstenite::connect_async(format!("ws://{server}/api/stream")).await.map_err(io::Error::other)?;
    let mut turns = 0;
    let mut longest = Duration::ZERO;
    let mut asked = Instant::now();
    for request in &requests {
        socket.send(Message::text(request.clone())).await.map_err(io::Error::other)?;
    }
    loop {
        let reply = tokio::select! {
            reply = socket.next() => reply,
            () = tokio::time::sleep_until(until.into()) => break,
        };
        let Some(Ok(reply)) = reply else { return Err(io::Error::other("a stream ended early")) };
        let Message::Text(text) = reply else { continue };
        let reply: Value = serde_json::from_str(&text).map_err(io::Error::other)?;
        match reply["type"].as_str() {
            Some("started") => {
                turns += 1;
                longest = longest.max(asked.elapsed());
            }
            Some("done" | "abandoned") => {
                asked = Instant::now();
                socket.send(Message::text(requests[0].clone())).await.map_err(io::Error::other)?;
            }
            Some("error") => return Err(io::Error::other(text.to_string())),
            _ => {}
        }
    }
    // Who still waits at the end has waited at least so long.
    Ok((turns, longest.max(if turns == 0 { asked.elapsed() } else { Duration::ZERO })))
}
