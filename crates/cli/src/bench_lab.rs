//! The benches of the laboratory: what storing costs, with the players for whom it costs most.

use std::ops::ControlFlow;
use std::path::PathBuf;

use afterstate_game::Limits;
use afterstate_lab::experiment::{Planned, StopRule, run_planned};
use afterstate_lab::store::Store;
use afterstate_lab::{LabError, Machinery, Provenance, Series as _, SoloRun};
use afterstate_twenty48::State;
use cpu_time::ProcessTime;

use crate::failure::Failure;

const GAMES: u64 = 20_000;

fn machinery() -> Machinery {
    Machinery { threads: 1, ..Machinery::default() }
}

/// The rate of `work` over the games in seconds of CPU time, all threads together.
fn rate<T>(work: impl FnOnce() -> Result<T, LabError>) -> Result<f64, Failure> {
    let started = ProcessTime::now();
    work()?;
    Ok(GAMES as f64 / started.elapsed().as_secs_f64())
}

/// Random games that are played and counted, and forgotten.
pub(crate) fn played() -> Result<f64, Failure> {
    let run = SoloRun::<State>::new("random", 1, Limits::NONE);
    rate(|| run.play(GAMES, &machinery(), |_, _| ControlFlow::Continue(())))
}

/// Random games that are stored with their records, durably.
pub(crate) fn stored() -> Result<f64, Failure> {
    let file = TemporaryStore::new();
    let mut store = Store::open(&file.0).map_err(LabError::from)?;
    let session = store.begin_session(&Provenance::here("bench", 1), "").map_err(LabError::from)?;
    let series = SoloRun::<State>::new("random", 1, Limits::NONE);
    let plan = [Planned { series, stop: StopRule::Games { games: GAMES } }];
    rate(|| run_planned(&plan, &mut store, session, &machinery(), |_| ControlFlow::Continue(())))
}

/// A results file that goes with the bench.
struct TemporaryStore(PathBuf);

impl TemporaryStore {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("afterstate-bench-{}.db", std::process::id())))
    }
}

impl Drop for TemporaryStore {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", self.0.display()));
        }
    }
}
