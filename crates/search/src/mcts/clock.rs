//! Keeping within the limits of a decision.
//!
//! An iteration of one search takes a microsecond, of another a millisecond, so a fixed number of them between two
//! looks at the clock would be too many or too few. This clock adapts the number to their pace.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use afterstate_game::Stop;

/// What a search may spend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// Iterations at most.
    pub(super) iterations: u64,
    /// When it must end.
    pub(super) deadline: Option<Instant>,
    /// New nodes at most.
    pub(super) nodes: Option<u64>,
    /// Half-moves of a path at most.
    pub(super) depth: Option<u32>,
}

impl Allowance {
    /// The part of one of `count` workers that share iterations and nodes evenly.
    pub(super) fn part(self, worker: u64, count: u64) -> Self {
        let part = |whole: u64| whole / count + u64::from(worker < whole % count);
        Self { iterations: part(self.iterations), nodes: self.nodes.map(part), ..self }
    }
}

/// Looks at the clock and at the stop flag for one worker.
pub(super) struct Clock<'a> {
    /// Iterations left to all workers of a tree.
    tickets: &'a AtomicU64,
    deadline: Option<Instant>,
    stop: &'a Stop,
    /// Iterations between two looks.
    interval: u32,
    /// Iterations to the next look.
    until_look: u32,
    last_look: Instant,
    next_report: Instant,
}

impl<'a> Clock<'a> {
    /// Time between two reports to the observer.
    const REPORT_EVERY: Duration = Duration::from_millis(100);
    /// A look should come after about this time.
    const LOOK_EVERY: Duration = Duration::from_micros(50);
    const LONGEST_INTERVAL: u32 = 1024;

    pub(super) fn start(tickets: &'a AtomicU64, deadline: Option<Instant>, stop: &'a Stop) -> Self {
        let now = Instant::now();
        Self {
            tickets,
            deadline,
            stop,
            interval: 1,
            until_look: 0,
            last_look: now,
            next_report: now + Self::REPORT_EVERY,
        }
    }

    /// Whether there is time and allowance for one more iteration.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        if self.until_look == 0 && !self.look() {
            return false;
        }
        self.until_look -= 1;
        self.tickets.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    #[cold]
    fn look(&mut self) -> bool {
        let now = Instant::now();
        let passed = now - self.last_look;
        if passed < Self::LOOK_EVERY / 2 {
            self.interval = (self.interval * 2).min(Self::LONGEST_INTERVAL);
        } else if passed > Self::LOOK_EVERY {
            self.interval = (self.interval / 2).max(1);
        }
        self.last_look = now;
        self.until_look = self.interval;
        !self.stop.is_raised() && self.deadline.is_none_or(|deadline| now < deadline)
    }

    /// Whether the observer should hear something; says so at most ten times a second.
    #[inline]
    pub(super) fn report_is_due(&mut self) -> bool {
        let due = self.until_look == 0 && self.last_look >= self.next_report;
        if due {
            self.next_report = self.last_look + Self::REPORT_EVERY;
        }
        due
    }
}
