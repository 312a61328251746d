//! What a decision may spend, from the player's own limits and those of the task.

use std::time::{Duration, Instant};

use afterstate_game::{Effort, Limits};

use super::clock::Allowance;
use super::settings::{Choice, Settings};

/// What a decision may still spend.
pub(super) struct Plan {
    pub(super) started: Instant,
    pub(super) allowance: Allowance,
    /// Iterations that the task allows in all; no extension exceeds them.
    iterations: u64,
    /// Nodes that player and task allow in all; no extension exceeds them.
    nodes: Option<u64>,
    /// When the task ends; no extension exceeds it.
    deadline: Option<Instant>,
    /// What one extension adds to the player's own limits.
    more_iterations: Option<u64>,
    more_time: Option<Duration>,
}

impl Plan {
    /// The parts in which a search for a max-robust child is extended.
    pub(super) const EXTENSIONS: u64 = 8;

    pub(super) fn start(settings: &Settings, task: &Limits) -> Self {
        let started = Instant::now();
        let own = settings.limits;
        let limits = own.and(*task);
        // A time too long for the clock is no limit.
        let deadline = |time: Option<Duration>| time.and_then(|time| started.checked_add(time));
        let part = match settings.choice {
            Choice::MaxRobust { extension } if extension > 0.0 => Some(extension / Self::EXTENSIONS as f64),
            _ => None,
        };
        let longer = |part, time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() * part).ok();
        Self {
            started,
            allowance: Allowance {
                iterations: iterations(&limits),
                deadline: deadline(limits.time),
                nodes: limits.nodes,
                depth: limits.depth,
            },
            iterations: task.iterations.unwrap_or(u64::MAX),
            nodes: limits.nodes,
            deadline: deadline(task.time),
            more_iterations: part.and_then(|part| own.iterations.map(|own| (own as f64 * part).ceil() as u64)),
            more_time: part.and_then(|part| own.time.and_then(|own| longer(part, own))),
        }
    }

    /// Allows one more part after what was spent; `false` if nothing more is allowed.
    pub(super) fn extend(&mut self, spent: Effort) -> bool {
        let left = self.iterations.saturating_sub(spent.iterations);
        let now = Instant::now();
        self.allowance.iterations = self.more_iterations.map_or(left, |more| more.min(left));
        let own = self.more_time.and_then(|more| now.checked_add(more));
        self.allowance.deadline = own.into_iter().chain(self.deadline).min();
        let is_extended = self.more_iterations.is_some() || self.more_time.is_some();
        self.allowance.nodes = self.nodes.map(|nodes| nodes.saturating_sub(spent.nodes));
        is_extended
            && left > 0
            && self.allowance.nodes != Some(0)
            && self.deadline.is_none_or(|deadline| now < deadline)
    }
}

/// The iterations that limits allow. Where only nodes are limited, an iteration counts as one: a game with fewer
/// positions than that would be searched for ever.
fn iterations(limits: &Limits) -> u64 {
    let nodes = if limits.time.is_none() { limits.nodes } else { None };
    limits.iterations.or(nodes).unwrap_or(u64::MAX)
}
