//! Evaluations whose failure must not be silenced.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use afterstate_game::{Evaluation, Position};

/// Only that thread has a name.
fn is_thread_of_the_test() -> bool {
    thread::current().name().is_some()
}

/// Fails in all threads but that of the test, which waits for it.
#[derive(Default)]
pub(crate) struct FailsElsewhere {
    failed: AtomicBool,
}

impl FailsElsewhere {
    fn judge(&self) -> f32 {
        if !is_thread_of_the_test() {
            self.failed.store(true, Ordering::Relaxed);
            panic!("an evaluation that fails");
        }
        while !self.failed.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        0.0
    }
}

impl<P: Position> Evaluation<P> for FailsElsewhere {
    fn position(&self, _: &P) -> f32 {
        self.judge()
    }

    fn afterstate(&self, _: &P::Afterstate) -> f32 {
        self.judge()
    }
}

/// Fails in the thread of the test as soon as another one judges, and counts what the others judge from then on.
#[derive(Default)]
pub(crate) struct FailsHere {
    others_judge: AtomicBool,
    failed: AtomicBool,
    judged_after: AtomicU64,
}

impl FailsHere {
    /// So many judgements that the others were not told to stop. Each of them takes its time.
    pub(crate) const TOO_MANY: u64 = 10_000;

    /// How often the others judged after the failure.
    pub(crate) fn judged_after(&self) -> u64 {
        self.judged_after.load(Ordering::Relaxed)
    }

    fn judge(&self) -> f32 {
        if is_thread_of_the_test() {
            self.fail();
        }
        self.others_judge.store(true, Ordering::Relaxed);
        while !self.failed.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        if self.judged_after.fetch_add(1, Ordering::Relaxed) >= Self::TOO_MANY {
            panic!("nobody said that the search is over");
        }
        thread::sleep(Duration::from_millis(1));
        0.0
    }

    fn fail(&self) {
        while !self.others_judge.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        self.failed.store(true, Ordering::Relaxed);
        panic!("an evaluation that fails");
    }
}

impl<P: Position> Evaluation<P> for &FailsHere {
    fn position(&self, _: &P) -> f32 {
        self.judge()
    }

    fn afterstate(&self, _: &P::Afterstate) -> f32 {
        self.judge()
    }
}
