//! What the keeper of a server decides.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use afterstate_players::Allowance;

use crate::Access;
use crate::turns::TurnSettings;

/// Where a server listens, to whom, and how much it gives.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Who may use it.
    pub access: Access,
    /// How much it gives.
    pub capacity: Capacity,
    /// The folder of the laboratory's results; it need not exist.
    pub results: PathBuf,
}

impl Default for Settings {
    /// This machine only, port 2048.
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 2048)),
            access: Access::ThisMachine,
            capacity: Capacity::default(),
            results: PathBuf::from("results"),
        }
    }
}

/// How much a server gives, in all and to each client.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Open connections; more wait to be accepted.
    pub connections: usize,
    /// Searches running at a time.
    pub running: usize,
    /// Searches waiting for their turn.
    pub waiting: usize,
    /// Searches of one connection, running or waiting.
    pub per_client: usize,
    /// The longest search.
    pub search_time: Duration,
    /// While others wait, turns are shortened so that nobody waits much longer than this.
    pub patience: Duration,
    /// Bytes of a request or message.
    pub message: usize,
    /// What an agent spec may ask for.
    pub spec: Allowance,
}

impl Default for Capacity {
    /// Fits into 2 cores and 1 GB with 500 connections. With 2 searches at a time there are at most 10 agents: 2 that
    /// search, 4 that wait for their next question, and 2 in each of 2 matches. At 16 MiB each they take 0.17 GB beside the
    /// 0.71 GB of the shipped network, which all share.
    fn default() -> Self {
        let search_time = Duration::from_secs(60);
        Self {
            connections: 1000,
            running: std::thread::available_parallelism().map_or(2, |cores| cores.get().min(8)),
            waiting: 2000,
            per_client: 8,
            search_time,
            patience: Duration::from_secs(10),
            message: 64 << 10,
            spec: Allowance { depth: 60, iterations: 2_000_000, threads: 1, memory: 16 << 20, time: search_time },
        }
    }
}

impl Capacity {
    pub(crate) fn turns(&self) -> TurnSettings {
        TurnSettings {
            running: self.running.max(1),
            waiting: self.waiting,
            per_client: self.per_client,
            patience: self.patience,
        }
    }
}
