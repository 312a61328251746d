//! Many jobs on many threads: results come back to the calling thread in the order of the jobs or as they finish.
//!
//! Memory is bounded: at most a window of jobs is under way or waiting for an earlier one, however many there are.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use afterstate_game::Stop;

use crate::Machinery;

/// In which order results are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// In the order of the jobs, so that what follows from them does not depend on the number of threads.
    InOrder,
    /// As soon as they are there.
    AsFinished,
}

/// How far the fastest worker may run ahead of the slowest job, in jobs per thread.
const WINDOW_PER_THREAD: u64 = 256;
/// How often the calling thread looks whether it was asked to stop.
const POLL: Duration = Duration::from_millis(20);
/// Results of jobs that are over sooner than this are handed over together: waking the calling thread takes as long as half
/// a random game.
const TOGETHER: Duration = Duration::from_millis(2);

/// Runs `work` on every job, several at a time, and hands the results to `deliver` on the calling thread.
///
/// `start` makes what a thread keeps between jobs (its players). `work` returns `None` for a job that was stopped
/// before its end. Raising [`Machinery::stop`], or breaking out of `deliver`, ends the run: jobs under way see their [`Stop`] raised,
/// and what finished before is still delivered unless `deliver` asked to break. So does a failure of the device, except that every
/// thread begins one more job, which finds its flag raised: a run never ends early without a result that can say why.
pub fn run_jobs<J, S, R>(
    machinery: &Machinery,
    delivery: Delivery,
    jobs: impl Iterator<Item = J> + Send,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J, &Stop) -> Option<R> + Sync,
    mut deliver: impl FnMut(R) -> ControlFlow<()>,
) where
    R: Send,
{
    let threads = machinery.threads.max(1);
    let window = WINDOW_PER_THREAD * threads as u64;
    let line = Line {
        state: Mutex::new(State { jobs, next: 0, delivered: 0, closed: false }),
        moved: Condvar::new(),
        halt: Stop::new(),
    };
    let (sender, receiver) = mpsc::sync_channel(window as usize);
    std::thread::scope(|scope| {
        let _guard = CloseOnPanic(&line);
        for _ in 0..threads {
            let sender = sender.clone();
            let (line, start, work) = (&line, &start, &work);
            scope.spawn(move || worker(line, window, start, work, &sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        let mut broken = false;
        loop {
            if machinery.stop.is_raised() {
                line.close();
            }
            if (machinery.device_failure)().is_some() {
                line.halt.raise();
            }
            let finished: Finished<R> = match receiver.recv_timeout(POLL) {
                Ok(finished) => finished,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            for (number, result) in finished {
                let place = if delivery == Delivery::InOrder { number } else { expected };
                waiting.insert(place, result);
                while let Some(result) = waiting.remove(&expected) {
                    expected += 1;
                    if let Some(result) = result.filter(|_| !broken)
                        && deliver(result).is_break()
                    {
                        broken = true;
                        line.close();
                    }
                }
            }
            line.advance(expected);
        }
        // A stop leaves gaps where games were cut off; what finished behind a gap is complete and counts.
        let _ = waiting.into_values().flatten().filter(|_| !broken).try_for_each(&mut deliver);
    });
}

/// The jobs still to be given out.
struct Line<I> {
    state: Mutex<State<I>>,
    moved: Condvar,
    halt: Stop,
}

struct State<I> {
    jobs: I,
    next: u64,
    delivered: u64,
    /// Whether no further job is given out.
    closed: bool,
}

impl<J, I: Iterator<Item = J>> Line<I> {
    /// The lock is never held while foreign code runs, except the jobs' own iterator.
    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job. Where that has to wait for others, `before_waiting` is called first.
    fn take(&self, window: u64, before_waiting: impl FnOnce()) -> Option<(u64, J)> {
        let mut state = self.lock();
        let must_wait = |state: &State<I>| !state.closed && state.next >= state.delivered + window;
        if must_wait(&state) {
            drop(state);
            before_waiting();
            state = self.lock();
        }
        while must_wait(&state) {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return None;
        }
        let job = state.jobs.next()?;
        state.next += 1;
        Some((state.next - 1, job))
    }

    fn advance(&self, delivered: u64) {
        self.lock().delivered = delivered;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.halt.raise();
        self.moved.notify_all();
    }
}

/// Lets the workers go when one of them or `deliver` panics, so that the panic reaches the caller instead of a deadlock.
struct CloseOnPanic<'a, J, I: Iterator<Item = J>>(&'a Line<I>);

impl<J, I: Iterator<Item = J>> Drop for CloseOnPanic<'_, J, I> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// Results with the numbers of their jobs; `None` for a job that was stopped.
type Finished<R> = Vec<(u64, Option<R>)>;

/// What a worker has finished and not yet handed over.
struct Outbox<'a, R> {
    results: &'a SyncSender<Finished<R>>,
    finished: Finished<R>,
    emptied: Instant,
}

impl<R> Outbox<'_, R> {
    fn put(&mut self, number: u64, result: Option<R>) {
        self.finished.push((number, result));
        if self.emptied.elapsed() >= TOGETHER {
            self.empty();
        }
    }

    fn empty(&mut self) {
        if !self.finished.is_empty() {
            // Nobody listens any more only when the calling thread panicked, and then the line is closed as well.
            let _ = self.results.send(std::mem::take(&mut self.finished));
        }
        self.emptied = Instant::now();
    }
}

fn worker<J, S, R, I: Iterator<Item = J>>(
    line: &Line<I>,
    window: u64,
    start: &impl Fn() -> S,
    work: &impl Fn(&mut S, J, &Stop) -> Option<R>,
    results: &SyncSender<Finished<R>>,
) {
    let _guard = CloseOnPanic(line);
    let mut state = start();
    let mut outbox = Outbox { results, finished: Vec::new(), emptied: Instant::now() };
    let mut is_last = false;
    while !is_last && let Some((number, job)) = line.take(window, || outbox.empty()) {
        is_last = line.halt.is_raised();
        let result = work(&mut state, job, &line.halt);
        outbox.put(number, result);
    }
    outbox.empty();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machinery(threads: usize) -> Machinery {
        Machinery { threads, ..Machinery::default() }
    }

    fn squares(threads: usize, delivery: Delivery, jobs: u64, mut deliver: impl FnMut(u64) -> ControlFlow<()>) {
        let work = |made: &mut u64, job: u64, _: &Stop| {
            *made += 1;
            // Uneven jobs, so that threads overtake each other.
            (0..(job % 7) * 1000).for_each(|i| {
                std::hint::black_box(i);
            });
            Some(job * job)
        };
        run_jobs(&machinery(threads), delivery, 0..jobs, || 0, work, &mut deliver);
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs_whatever_the_threads() {
        for threads in [1, 2, 7] {
            let mut results = Vec::new();
            squares(threads, Delivery::InOrder, 3000, |square| {
                results.push(square);
                ControlFlow::Continue(())
            });
            assert!(results.into_iter().eq((0..3000).map(|i| i * i)));
        }
    }

    #[test]
    fn finished_results_are_all_delivered_in_any_order() {
        let mut results = Vec::new();
        squares(3, Delivery::AsFinished, 2000, |square| {
            results.push(square);
            ControlFlow::Continue(())
        });
        results.sort_unstable();
        assert!(results.into_iter().eq((0..2000).map(|i| i * i)));
    }

    #[test]
    fn breaking_out_ends_the_run_with_nothing_more_delivered() {
        let mut results = Vec::new();
        squares(2, Delivery::InOrder, u64::MAX, |square| {
            results.push(square);
            if results.len() == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(results.into_iter().eq((0..10).map(|i| i * i)));
    }

    #[test]
    fn raising_the_flag_ends_the_run_and_keeps_what_finished() {
        let machinery = machinery(2);
        let mut delivered = 0;
        let work = |_: &mut (), job: u64, halt: &Stop| {
            // The first job never ends by itself, so everything else waits behind it.
            while job == 0 && !halt.is_raised() {
                std::thread::yield_now();
            }
            if job == 50 {
                machinery.stop.raise();
            }
            (job != 0).then_some(job)
        };
        run_jobs(
            &machinery,
            Delivery::InOrder,
            0..1_000_000,
            || (),
            work,
            |_| {
                delivered += 1;
                ControlFlow::Continue(())
            },
        );
        assert!((50..2000).contains(&delivered), "{delivered}");
    }

    #[test]
    fn a_device_that_fails_ends_the_run_with_a_job_that_can_say_so() {
        for threads in [1, 3] {
            let broken = Machinery { device_failure: || Some("no device".to_owned()), ..machinery(threads) };
            let (mut whole, mut halted) = (0, 0);
            let work = |_: &mut (), job: u64, halt: &Stop| {
                // The first job is under way when the failure is noticed, others may be over by then.
                while job == 0 && !halt.is_raised() {
                    std::thread::yield_now();
                }
                Some(halt.is_raised())
            };
            run_jobs(
                &broken,
                Delivery::InOrder,
                0..u64::MAX,
                || (),
                work,
                |is_halted| {
                    *(if is_halted { &mut halted } else { &mut whole }) += 1;
                    ControlFlow::Continue(())
                },
            );
            assert!((threads..=2 * threads).contains(&halted), "{halted} jobs of {threads} threads, {whole} before");
        }
    }

    #[test]
    #[should_panic(expected = "broken delivery")]
    fn a_panic_of_the_delivery_reaches_the_caller() {
        squares(2, Delivery::InOrder, u64::MAX, |_| panic!("broken delivery"));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_job_reaches_the_caller() {
        let work = |_: &mut (), job: u64, _: &Stop| if job == 3 { panic!("broken job") } else { Some(job) };
        run_jobs(&machinery(2), Delivery::InOrder, 0..u64::MAX, || (), work, |_| ControlFlow::Continue(()));
    }
}
