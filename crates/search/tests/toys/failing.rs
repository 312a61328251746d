//! An evaluation whose failure must not be silenced.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use afterstate_game::{Evaluation, Position};

/// Fails in all threads but that of the test, which waits for it.
#[derive(Default)]
pub(crate) struct FailsElsewhere {
    failed: AtomicBool,
}

impl FailsElsewhere {
    fn judge(&self) -> f32 {
        // Only the thread of the test has a name.
        if thread::current().name().is_none() {
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
