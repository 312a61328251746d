//! The benches of the web server: a load test of bounded length on loopback, against a server in a process of its own.

use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use afterstate_server::load::{self, Crowd, Wishes};

use crate::failure::Failure;

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::world("serving on loopback", error)
}

/// Answers to `moves` per second, over 32 connections.
pub(crate) fn moves() -> Result<f64, Failure> {
    let server = Serving::start().map_err(failed)?;
    load::moves_per_second(server.address, 32, Duration::from_secs(5)).map_err(failed)
}

const CLIENTS: usize = 500;

/// A crowd that asks one agent.
const EQUAL: Wishes = Wishes { agents: &["expectimax(depth=60, table=16M)"], matches: 0 };

/// A crowd that asks for the shipped network and for as much memory as the server gives, and has as many matches played as
/// it allows.
const GREEDY: Wishes = Wishes {
    agents: &[
        "2048/strong(depth=60)",
        "expectimax(depth=60, table=16M)",
        "mcts(iterations=2000000, memory=16M)",
        "expectimax(depth=60, eval=ntuple, table=16M)",
    ],
    matches: 2,
};

/// The crowd's turns and the largest memory of the server in bytes; run once for all its figures.
fn equal_crowd() -> Result<(Crowd, u64), Failure> {
    static CROWD: OnceLock<Result<(Crowd, u64), String>> = OnceLock::new();
    CROWD.get_or_init(|| crowd(EQUAL).map_err(|error| error.to_string())).clone().map_err(failed)
}

fn crowd(wishes: Wishes) -> io::Result<(Crowd, u64)> {
    let server = Serving::start()?;
    let crowd = load::crowd(server.address, CLIENTS, wishes, Duration::from_secs(40))?;
    Ok((crowd, server.largest_memory()?))
}

/// The longest wait for a turn, in seconds.
pub(crate) fn longest_wait() -> Result<f64, Failure> {
    Ok(equal_crowd()?.0.longest_wait.as_secs_f64())
}

/// Turns of the unluckiest client for one of the luckiest: 1 is perfectly fair.
pub(crate) fn fairness() -> Result<f64, Failure> {
    let (crowd, _) = equal_crowd()?;
    Ok(f64::from(crowd.fewest_turns) / f64::from(crowd.most_turns.max(1)))
}

/// The largest memory of the server, in MB.
pub(crate) fn memory() -> Result<f64, Failure> {
    Ok(equal_crowd()?.1 as f64 / 1e6)
}

/// The largest memory of the server where everybody asks for as much as there is, in MB.
pub(crate) fn greedy_memory() -> Result<f64, Failure> {
    Ok(crowd(GREEDY).map_err(failed)?.1 as f64 / 1e6)
}

/// A server in a process of its own, with 2 searches at a time. Ends with this value.
struct Serving {
    process: Child,
    address: SocketAddr,
}

impl Serving {
    fn start() -> io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--searches", "2"])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut url = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut url)?;
        }
        let address = url.trim().trim_start_matches("http://").trim_end_matches('/');
        let silent = || io::Error::other(format!("expected the server to say where it listens, found `{address}`"));
        let address = address.parse().map_err(|_| silent())?;
        Ok(Self { process, address })
    }

    /// The most memory that it ever had, in bytes, as Linux counts it.
    fn largest_memory(&self) -> io::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        kilobytes.map(|kilobytes| kilobytes * 1024).ok_or_else(|| io::Error::other("the system does not say VmHWM"))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // One that has ended already is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
