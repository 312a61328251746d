//! How long a player may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a search may spend on one decision. Every limit that is set holds; none set means the search's own default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Half-moves, or levels where a search counts levels.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Iterations of a Monte Carlo search.
    pub iterations: Option<u64>,
    /// Wall-clock time. Decisions under a time limit are not reproducible.
    pub time: Option<Duration>,
}

impl Limits {
    /// No limit: the search's own settings decide.
    pub const NONE: Self = Self { depth: None, nodes: None, iterations: None, time: None };

    /// Both sets of limits at once: the tighter one of each kind.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            depth: tighter(self.depth, other.depth),
            nodes: tighter(self.nodes, other.nodes),
            iterations: tighter(self.iterations, other.iterations),
            time: tighter(self.time, other.time),
        }
    }

    /// These limits, and where one is not set, that of `fallback`.
    #[must_use]
    pub fn or(self, fallback: Self) -> Self {
        Self {
            depth: self.depth.or(fallback.depth),
            nodes: self.nodes.or(fallback.nodes),
            iterations: self.iterations.or(fallback.iterations),
            time: self.time.or(fallback.time),
        }
    }

    /// Whether the same seed gives the same decision.
    #[must_use]
    pub fn are_reproducible(&self) -> bool {
        self.time.is_none()
    }
}

fn tighter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// A flag that ends a search from outside. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not raised yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search that watches this flag to return the best it has.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lowers the flag for the next search.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    #[inline]
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_limit_holds() {
        let a = Limits { depth: Some(4), nodes: Some(10), ..Limits::NONE };
        let b = Limits { depth: Some(6), time: Some(Duration::from_millis(5)), ..Limits::NONE };
        let both = a.and(b);
        assert_eq!((both.depth, both.nodes, both.time), (Some(4), Some(10), Some(Duration::from_millis(5))));
        assert!(a.are_reproducible() && !both.are_reproducible());
        assert_eq!(b.or(a).depth, Some(6));
    }
}
