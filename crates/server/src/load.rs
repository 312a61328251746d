//! A load test of bounded length on loopback: how many questions a second, and what a crowd does to everybody's turns.
//!
//! Server and clients share one process and its cores, so the figures are those of a machine that does both.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;

use crate::{Capacity, Server, Settings};

/// What a crowd of streams met with, all of which would search for ever.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// Turns that the luckiest and the unluckiest client had.
    pub most_turns: u32,
    /// See [`Self::most_turns`].
    pub fewest_turns: u32,
    /// The longest wait for a turn.
    pub longest_wait: Duration,
    /// Memory of the whole process, clients included, in bytes.
    pub memory: u64,
}

const POSITION: &str = "4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0";

/// Questions for the moves of a position that are answered per second, over `connections` connections.
pub fn moves_per_second(connections: usize, length: Duration) -> io::Result<f64> {
    on_loopback(Capacity::default(), move |address| async move {
        let until = Instant::now() + length;
        let clients: Vec<_> = (0..connections).map(|_| tokio::spawn(ask(address, until))).collect();
        let started = Instant::now();
        let mut answered = 0;
        for client in clients {
            answered += client.await.map_err(io::Error::other)??;
        }
        Ok(answered as f64 / started.elapsed().as_secs_f64())
    })
}

/// `clients` streams that all ask for an endless search again and again, while `running` searches run at a time.
pub fn crowd(clients: usize, running: usize, length: Duration) -> io::Result<Crowd> {
    let capacity = Capacity { running, connections: clients + 10, ..Capacity::default() };
    on_loopback(capacity, move |address| async move {
        let until = Instant::now() + length;
        let clients: Vec<_> = (0..clients).map(|_| tokio::spawn(search(address, until))).collect();
        let mut crowd = Crowd { most_turns: 0, fewest_turns: u32::MAX, longest_wait: Duration::ZERO, memory: 0 };
        tokio::time::sleep_until((until - length / 10).into()).await;
        crowd.memory = resident_memory();
        for client in clients {
            let (turns, longest_wait) = client.await.map_err(io::Error::other)??;
            crowd.most_turns = crowd.most_turns.max(turns);
            crowd.fewest_turns = crowd.fewest_turns.min(turns);
            crowd.longest_wait = crowd.longest_wait.max(longest_wait);
        }
        Ok(crowd)
    })
}

/// Runs a server and its clients on a runtime of their own.
fn on_loopback<T, F: Future<Output = io::Result<T>>>(
    capacity: Capacity,
    clients: impl FnOnce(SocketAddr) -> F,
) -> io::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), capacity, ..Settings::default() };
        let server = Server::bind(&settings).await?;
        let address = server.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        let result = clients(address).await;
        let _ = stop.send(());
        serving.await.map_err(io::Error::other)?;
        result
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// Asks for moves until the time is up, one question after the other.
async fn ask(address: SocketAddr, until: Instant) -> io::Result<u64> {
    let socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    let mut socket = BufReader::new(socket);
    let query = POSITION.replace(' ', "+");
    let request = format!("GET /api/2048/moves?position={query} HTTP/1.1\r\nHost: {address}\r\n\r\n");
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
async fn search(address: SocketAddr, until: Instant) -> io::Result<(u32, Duration)> {
    let (mut socket, _) =
        tokio_tungstenite::connect_async(format!("ws://{address}/api/stream")).await.map_err(io::Error::other)?;
    let question = json!({ "position": POSITION, "agent": "expectimax(depth=60, table=16M)", "time": "60s" });
    let request = json!({ "type": "analyse", "id": 1, "game": "2048", "question": question }).to_string();
    let mut turns = 0;
    let mut longest = Duration::ZERO;
    let mut asked = Instant::now();
    socket.send(Message::text(request.clone())).await.map_err(io::Error::other)?;
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
                socket.send(Message::text(request.clone())).await.map_err(io::Error::other)?;
            }
            Some("error") => return Err(io::Error::other(text.to_string())),
            _ => {}
        }
    }
    // Who still waits at the end has waited at least so long.
    Ok((turns, longest.max(if turns == 0 { asked.elapsed() } else { Duration::ZERO })))
}

/// Resident memory of this process in bytes, 0 where the system does not say.
fn resident_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0);
    kilobytes * 1024
}
