//! Keeping within the limits of a decision.

use std::time::{Duration, Instant};

use afterstate_game::{Limits, Stop};

/// Watches the limits of one decision. A search counts its nodes here; clock and stop flag are looked at only every
/// [`Budget::INTERVAL`] nodes, because reading the clock costs as much as several nodes.
#[derive(Debug)]
pub struct Budget<'a> {
    started: Instant,
    deadline: Option<Instant>,
    max_nodes: u64,
    stop: &'a Stop,
    nodes: u64,
    next_look: u64,
    exhausted: bool,
}

impl<'a> Budget<'a> {
    /// Nodes between two looks at the clock: well under a millisecond for every search here.
    pub const INTERVAL: u64 = 512;

    /// Starts the clock of a decision.
    #[must_use]
    pub fn start(limits: &Limits, stop: &'a Stop) -> Self {
        let started = Instant::now();
        Self {
            started,
            // A time too long for the clock is no limit.
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            stop,
            nodes: 0,
            next_look: 0,
            exhausted: false,
        }
    }

    /// Counts one node and says whether the search may go on. Once it says no, it always says no.
    #[inline]
    pub fn spend_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.next_look {
            self.look();
        }
        !self.exhausted
    }

    #[cold]
    fn look(&mut self) {
        self.next_look = (self.nodes + Self::INTERVAL).min(self.max_nodes);
        self.exhausted |= self.nodes > self.max_nodes
            || self.stop.is_raised()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }

    /// Whether a limit was reached.
    #[inline]
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Nodes counted so far.
    #[inline]
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the decision began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether so little of the time is left that another iteration, `growth` times as long as all before it, would not
    /// end in time.
    #[must_use]
    pub fn is_too_late_for(&self, growth: f64) -> bool {
        let Some(deadline) = self.deadline else { return false };
        let left = deadline.saturating_duration_since(Instant::now());
        left.as_secs_f64() < self.elapsed().as_secs_f64() * growth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_exact() {
        let stop = Stop::new();
        let mut budget = Budget::start(&Limits { nodes: Some(1000), ..Limits::NONE }, &stop);
        let allowed = (0..5000).filter(|_| budget.spend_node()).count();
        assert_eq!(allowed, 1000);
        assert!(budget.is_exhausted());
    }

    #[test]
    fn a_raised_flag_ends_the_search_for_good() {
        let stop = Stop::new();
        let mut budget = Budget::start(&Limits::NONE, &stop);
        assert!(budget.spend_node());
        stop.raise();
        let allowed = (0..5000).filter(|_| budget.spend_node()).count() as u64;
        assert!(allowed <= Budget::INTERVAL);
        stop.lower();
        assert!(!budget.spend_node());
    }

    #[test]
    fn a_time_of_zero_is_exhausted_at_once() {
        let stop = Stop::new();
        let mut budget = Budget::start(&Limits { time: Some(Duration::ZERO), ..Limits::NONE }, &stop);
        assert!(!budget.spend_node());
    }
}
