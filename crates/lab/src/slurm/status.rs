//! How far the rounds of a folder are, for whoever looks from outside: also while a run waits for them.

use std::collections::HashSet;

use serde::Serialize;

use super::run::places;
use super::{Folder, Queue, QueuedTask, Round, SlurmError, queue};
use crate::LabError;
use crate::shard::{Content, ShardReader};

/// How far a round is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundStatus {
    /// Its number.
    pub round: u32,
    /// The number that Slurm gave it, if it was submitted.
    pub job: Option<String>,
    /// Its tasks.
    pub tasks: usize,
    /// Tasks that wait; 0 if Slurm does not answer.
    pub waiting: usize,
    /// Why they wait, in Slurm's words.
    pub reasons: Vec<String>,
    /// Tasks that run; 0 if Slurm does not answer.
    pub running: usize,
    /// Tasks that have played all their games.
    pub complete: usize,
    /// Tasks that have left the queue without all their games; `None` if Slurm does not answer.
    pub failed: Option<usize>,
    /// Its games.
    pub games: u64,
    /// Games that are played.
    pub played: u64,
}

/// How far the rounds of a folder are, oldest first. Why Slurm does not answer, if it does not.
pub fn cluster_status(folder: &Folder) -> Result<(Vec<RoundStatus>, Option<SlurmError>), LabError> {
    let rounds = folder.rounds()?;
    if rounds.is_empty() {
        return Ok((Vec::new(), None));
    }
    let (queue, silence) = match Queue::look() {
        Ok(queue) => (Some(queue), None),
        Err(error) => (None, Some(error)),
    };
    let rounds = rounds.iter().map(|round| round_status(round, queue.as_ref()));
    Ok((rounds.collect::<Result<_, _>>()?, silence))
}

fn round_status(round: &Round, queue: Option<&Queue>) -> Result<RoundStatus, LabError> {
    let work = round.work()?;
    let in_queue: Vec<QueuedTask> = queue.map(|queue| queue.of(round).cloned().collect()).unwrap_or_default();
    let (running, waiting) = places(&in_queue);
    let mut status = RoundStatus {
        round: round.number,
        job: round.job(),
        tasks: work.tasks.len(),
        waiting,
        reasons: queue::reasons(in_queue.iter()),
        running,
        complete: 0,
        failed: queue.map(|_| 0),
        games: 0,
        played: 0,
    };
    for (number, orders) in work.tasks.iter().enumerate() {
        let games: u64 = orders.iter().map(|order| order.to - order.from).sum();
        let played = played(round, number)?;
        status.games += games;
        status.played += played;
        if played >= games {
            status.complete += 1;
        } else if in_queue.iter().all(|task| task.task != number) {
            status.failed = status.failed.map(|failed| failed + 1);
        }
    }
    Ok(status)
}

/// The games in the shards of a task.
fn played(round: &Round, task: usize) -> Result<u64, LabError> {
    let mut games = HashSet::new();
    for path in round.shards_of(task)? {
        let mut shard = ShardReader::open(&path, 0)?;
        while let Some(content) = shard.read_next()? {
            if let Content::Game(game) = content {
                games.insert((game.series, game.game));
            }
        }
    }
    Ok(games.len() as u64)
}
