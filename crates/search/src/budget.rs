//! Keeping within the limits of a decision.

use std::time::{Duration, Instant};

use afterstate_game::{Limits, Stop};

/// Watches the limits of one decision. A search counts its nodes here; clock and stop flag are looked at only every so
/// many nodes, because reading the clock costs as much as several nodes.
#[derive(Debug)]
pub struct Budget<'a> {
    started: Instant,
    deadline: Option<Instant>,
    max_nodes: u64,
    stop: &'a Stop,
    nodes: u64,
    next_look: u64,
    last_look: Instant,
    interval: u64,
    exhausted: bool,
}

impl<'a> Budget<'a> {
    /// The most nodes between two looks at the clock. Searches whose nodes are slow look more often, see [`Self::PAUSE`].
    pub const INTERVAL: u64 = 512;

    /// The time between two looks that the budget aims at, by looking after fewer nodes where nodes are slow.
    pub const PAUSE: Duration = Duration::from_micros(100);

    /// Starts the clock of a decision.
    #[must_use]
    pub fn start(limits: &Limits, stop: &'a Stop) -> Self {
        let started = Instant::now();
        // A time too long for the clock is no limit.
        let deadline = limits.time.and_then(|time| started.checked_add(time));
        Self { started, max_nodes: limits.nodes.unwrap_or(u64::MAX), ..Self::until(deadline, stop) }
    }

    /// A budget of any number of nodes that ends at this moment, or when the flag is raised.
    #[must_use]
    pub fn until(deadline: Option<Instant>, stop: &'a Stop) -> Self {
        let started = Instant::now();
        Self {
            started,
            deadline,
            max_nodes: u64::MAX,
            stop,
            nodes: 0,
            next_look: 0,
            last_look: started,
            interval: 0,
            exhausted: false,
        }
    }

    /// A budget for one part of the decision: the same clock and flag, and nodes of its own.
    #[must_use]
    pub fn part(&self, max_nodes: u64) -> Self {
        Self { max_nodes, nodes: 0, next_look: 0, last_look: Instant::now(), interval: 0, exhausted: false, ..*self }
    }

    /// Counts one node and says whether the search may go on. Once it says no, it always says no, and counts no more.
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
        if !self.exhausted {
            self.exhausted = self.nodes > self.max_nodes || self.is_overdue();
        }
        if self.exhausted {
            // The node was refused, and so will be the next.
            self.nodes -= 1;
            self.next_look = self.nodes;
        } else {
            self.next_look = (self.nodes + self.interval).min(self.max_nodes);
        }
    }

    /// Looks at the clock and the flag.
    fn is_overdue(&mut self) -> bool {
        let now = Instant::now();
        let pause = now.saturating_duration_since(self.last_look);
        self.last_look = now;
        // Growing from 0 finds out how slow the nodes are before many of them are spent.
        self.interval =
            if pause > Self::PAUSE { self.interval / 4 } else { self.interval * 2 + 1 }.min(Self::INTERVAL - 1);
        self.stop.is_raised() || self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Counts nodes that a [`Self::part`] of this budget spent.
    pub fn spend_part(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
        self.exhausted |= self.nodes > self.max_nodes || self.is_overdue();
        if self.exhausted {
            self.next_look = self.nodes;
        }
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

    /// Nodes that may still be spent; [`u64::MAX`] without a node limit.
    #[must_use]
    pub fn nodes_left(&self) -> u64 {
        if self.max_nodes == u64::MAX { u64::MAX } else { self.max_nodes.saturating_sub(self.nodes) }
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
        assert_eq!((allowed, budget.nodes()), (1000, 1000));
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

    #[test]
    fn a_part_has_its_own_nodes_and_the_same_flag() {
        let stop = Stop::new();
        let mut whole = Budget::start(&Limits { nodes: Some(100), ..Limits::NONE }, &stop);
        let mut part = whole.part(whole.nodes_left() / 2);
        assert_eq!((0..100).filter(|_| part.spend_node()).count(), 50);
        assert_eq!(whole.nodes(), 0);
        whole.spend_part(40);
        assert_eq!(whole.nodes_left(), 60);
        stop.raise();
        assert!(!whole.part(10).spend_node());
    }

    #[test]
    fn no_node_is_counted_after_a_part_exhausted_the_whole() {
        let stop = Stop::new();
        let mut whole = Budget::start(&Limits::NONE, &stop);
        assert!((0..600).all(|_| whole.spend_node()));
        stop.raise();
        whole.spend_part(1);
        assert!((0..600).all(|_| !whole.spend_node()));
        assert_eq!(whole.nodes(), 601);
    }

    #[test]
    fn slow_nodes_are_watched_one_by_one() {
        let stop = Stop::new();
        let mut budget = Budget::start(&Limits::NONE, &stop);
        for _ in 0..3 {
            std::thread::sleep(2 * Budget::PAUSE);
            assert!(budget.spend_node());
        }
        stop.raise();
        assert!(!budget.spend_node());
    }
}
