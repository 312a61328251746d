//! The benches of the web server: a load test of bounded length on loopback.

use std::sync::OnceLock;
use std::time::Duration;

use afterstate_server::load::{self, Crowd};

use crate::failure::Failure;

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::world("serving on loopback", error)
}

/// Answers to `moves` per second, over 32 connections.
pub(crate) fn moves() -> Result<f64, Failure> {
    load::moves_per_second(32, Duration::from_secs(5)).map_err(failed)
}

/// 500 analysis connections, 2 searches at a time; run once for the three figures.
fn crowd() -> Result<Crowd, Failure> {
    static CROWD: OnceLock<Result<Crowd, String>> = OnceLock::new();
    let run = || load::crowd(500, 2, Duration::from_secs(40)).map_err(|error| error.to_string());
    CROWD.get_or_init(run).clone().map_err(failed)
}

/// The longest wait for a turn, in seconds.
pub(crate) fn longest_wait() -> Result<f64, Failure> {
    Ok(crowd()?.longest_wait.as_secs_f64())
}

/// Turns of the unluckiest client for one of the luckiest: 1 is perfectly fair.
pub(crate) fn fairness() -> Result<f64, Failure> {
    let crowd = crowd()?;
    Ok(f64::from(crowd.fewest_turns) / f64::from(crowd.most_turns.max(1)))
}

/// Memory of server and clients together, in MB.
pub(crate) fn memory() -> Result<f64, Failure> {
    Ok(crowd()?.memory as f64 / 1e6)
}
