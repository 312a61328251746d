//! A service that joins the boards of many askers, each of whom waits for its own.
//!
//! A game alone hands in a few hundred boards at a time, and a GPU wants thousands. So hundreds of games play at once, one
//! thread each, and whatever waits when the device is free is judged together.

use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use afterstate_twenty48::Board;

use super::packed;

/// Boards that somebody waits for.
struct Job {
    boards: Vec<u64>,
    answer: Sender<Vec<f32>>,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    /// Set when nobody asks any more, or when judging failed: nothing is judged from then on.
    closed: bool,
    /// Why judging failed.
    failure: Option<String>,
}

struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// The most boards that are joined.
    most: usize,
    /// The outputs for one board.
    outputs: usize,
}

/// The service. Its threads end with it.
pub(crate) struct Service {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Service {
    /// Starts `threads`, each with what `make` gives it: a function that appends the outputs of boards, or says why it cannot
    /// any more.
    pub(super) fn start<F, X>(
        threads: usize,
        most: usize,
        outputs: usize,
        make: impl Fn() -> Result<F, X> + Send + Sync + 'static,
    ) -> Result<Self, X>
    where
        F: FnMut(&[u64], &mut Vec<f32>) -> Result<(), X>,
        X: Display + Send + 'static,
    {
        let shared = Arc::new(Shared { waiting: Mutex::default(), changed: Condvar::new(), most, outputs });
        let make = Arc::new(make);
        let mut service = Self { shared: Arc::clone(&shared), threads: Vec::with_capacity(threads) };
        for _ in 0..threads {
            let (shared, make, (ready, begun)) = (Arc::clone(&shared), Arc::clone(&make), mpsc::channel());
            service.threads.push(std::thread::spawn(move || match make() {
                Ok(mut judge) => {
                    let _ = ready.send(Ok(()));
                    let _end = CloseAtEnd(&shared);
                    shared.work(&mut judge);
                }
                Err(error) => drop(ready.send(Err(error))),
            }));
            if let Ok(Err(error)) = begun.recv() {
                return Err(error);
            }
        }
        Ok(service)
    }

    /// The outputs for these boards, one row for each; `None` if judging failed.
    pub(crate) fn ask(&self, boards: &[Board]) -> Option<Vec<f32>> {
        if boards.is_empty() {
            return Some(Vec::new());
        }
        let (answer, answered) = mpsc::channel();
        let boards = boards.iter().map(|&board| packed(board)).collect();
        let mut waiting = self.shared.lock();
        if waiting.closed {
            return None;
        }
        waiting.jobs.push_back(Job { boards, answer });
        drop(waiting);
        self.shared.changed.notify_one();
        answered.recv().ok()
    }

    /// Why judging failed, if it did; known before anybody is left without an answer.
    pub(crate) fn failure(&self) -> Option<String> {
        self.shared.lock().failure.clone()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.shared.close(None);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("threads", &self.threads.len()).finish_non_exhaustive()
    }
}

/// Closes the service when one of its threads ends, for whatever reason: nobody waits for the answer of a dead thread.
struct CloseAtEnd<'a>(&'a Shared);

impl Drop for CloseAtEnd<'_> {
    fn drop(&mut self) {
        self.0.close(Some("the thread that judges has ended".to_owned()));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the service, unless it has ended already. Whoever waits is told by the end of its channel.
    fn close(&self, failure: Option<String>) {
        let mut waiting = self.lock();
        if !waiting.closed {
            (waiting.closed, waiting.failure) = (true, failure);
        }
        waiting.jobs.clear();
        drop(waiting);
        self.changed.notify_all();
    }

    fn work<X: Display>(&self, judge: &mut impl FnMut(&[u64], &mut Vec<f32>) -> Result<(), X>) {
        let (mut boards, mut outputs) = (Vec::new(), Vec::new());
        while let Some(jobs) = self.take() {
            boards.clear();
            outputs.clear();
            jobs.iter().for_each(|job| boards.extend_from_slice(&job.boards));
            if let Err(error) = judge(&boards, &mut outputs) {
                return self.close(Some(error.to_string()));
            }
            if outputs.len() != boards.len() * self.outputs {
                return self.close(Some(format!("{} outputs for {} boards", outputs.len(), boards.len())));
            }
            let mut rest = outputs.as_slice();
            for job in jobs {
                let (own, others) = rest.split_at(job.boards.len() * self.outputs);
                rest = others;
                // An asker that has gone needs no answer.
                let _ = job.answer.send(own.to_vec());
            }
        }
    }

    /// Waits for jobs and takes the first ones, as many as may be joined but at least one; `None` when the service ends.
    fn take(&self) -> Option<Vec<Job>> {
        let mut waiting = self.lock();
        while waiting.jobs.is_empty() && !waiting.closed {
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if waiting.closed {
            return None;
        }
        let (mut boards, mut count) = (0, 0);
        for job in &waiting.jobs {
            boards += job.boards.len();
            if count > 0 && boards > self.most {
                break;
            }
            count += 1;
        }
        Some(waiting.jobs.drain(..count).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use afterstate_game::Dice;

    use super::*;

    /// What the judge of these tests says of a board, in two numbers.
    fn opinion(board: u64) -> [f32; 2] {
        [(board % 1009) as f32, (board % 7) as f32]
    }

    fn judge(boards: &[u64], outputs: &mut Vec<f32>) -> Result<(), &'static str> {
        outputs.extend(boards.iter().flat_map(|&board| opinion(board)));
        Ok(())
    }

    #[test]
    fn every_asker_gets_the_values_of_its_own_boards() {
        let (calls, largest) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counted = (Arc::clone(&calls), Arc::clone(&largest));
        let service = Service::start(2, 500, 2, move || {
            let (calls, largest) = counted.clone();
            Ok(move |boards: &[u64], outputs: &mut Vec<f32>| {
                calls.fetch_add(1, Ordering::Relaxed);
                largest.fetch_max(boards.len(), Ordering::Relaxed);
                // Others come meanwhile.
                std::thread::sleep(std::time::Duration::from_millis(1));
                judge(boards, outputs)
            })
        })
        .unwrap();
        std::thread::scope(|scope| {
            for asker in 0..40 {
                let service = &service;
                scope.spawn(move || {
                    let mut dice = Dice::seeded(asker);
                    for _ in 0..20 {
                        let boards: Vec<Board> =
                            (0..dice.below(60)).map(|_| Board::from_nibbles(dice.bits())).collect();
                        let expected: Vec<f32> = boards.iter().flat_map(|board| opinion(board.nibbles())).collect();
                        assert_eq!(service.ask(&boards), Some(expected));
                    }
                });
            }
        });
        assert!(calls.load(Ordering::Relaxed) < 700, "{calls:?} calls for 800 questions");
        let largest = largest.load(Ordering::Relaxed);
        assert!((100..=500).contains(&largest), "{largest} boards joined");
    }

    #[test]
    fn a_question_larger_than_what_may_be_joined_is_answered_alone() {
        let service = Service::start(1, 10, 2, || Ok(judge)).unwrap();
        assert_eq!(service.ask(&[Board::from_nibbles(8); 30]).unwrap().len(), 60);
        assert_eq!(service.ask(&[]), Some(vec![]));
    }

    #[test]
    fn a_judge_that_fails_leaves_nobody_waiting_and_everybody_told() {
        type Failing = fn(&[u64], &mut Vec<f32>) -> Result<(), &'static str>;
        let refused = Service::start(2, 10, 2, || Err::<Failing, _>("no device"));
        assert_eq!(refused.map(drop), Err("no device"));
        for (fails, reason) in [
            ((|_, _| Err("the device is gone")) as Failing, "the device is gone"),
            (|_, _| Ok(()), "0 outputs for 4 boards"),
        ] {
            let service = Service::start(1, 4, 1, move || Ok(fails)).unwrap();
            assert_eq!(service.failure(), None);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        assert_eq!(service.ask(&[Board::EMPTY; 4]), None);
                        assert_eq!(service.failure().as_deref(), Some(reason));
                    });
                }
            });
            assert_eq!(service.ask(&[Board::EMPTY]), None);
        }
    }

    #[test]
    fn large_tiles_are_seen_as_the_largest_that_a_network_knows() {
        let board = Board::from_nibbles(0x0123_4567_89ab_cdef);
        assert_eq!(packed(board), board.nibbles());
        let cell = afterstate_twenty48::Cell::all().nth(3).unwrap();
        let large = board.with(cell, Some(afterstate_twenty48::Tile::MAX));
        assert_eq!(packed(large), 0x0123_4567_89ab_fdef);
    }
}
