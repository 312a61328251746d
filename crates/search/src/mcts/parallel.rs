//! One search by one or more threads.

use std::panic::resume_unwind;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{ScopedJoinHandle, panicking};

use afterstate_game::{Dice, Effort, Evaluation, History, Position, Stop, derive_seed};

use super::clock::{Allowance, Clock};
use super::ordering::MoveOrdering;
use super::settings::{Parallelism, Settings};
use super::sharing::{Alone, Shared, Sharing};
use super::tree::Tree;
use super::worker::{Method, Worker};
use crate::Budget;

/// The trees of a player: one for each thread, or one for all.
pub(super) enum Forest<M: Copy + Send + Sync> {
    /// One thread for each tree.
    Alone(Vec<Tree<M, Alone>>),
    /// This many threads for one tree.
    Shared(Tree<M, Shared>, u32),
}

impl<M: Copy + Send + Sync> Forest<M> {
    pub(super) fn new(settings: &Settings) -> Self {
        match settings.parallelism {
            Parallelism::Tree { threads } => Self::Shared(Tree::with_bytes(settings.memory), threads),
            Parallelism::Single | Parallelism::Root { .. } => {
                let bytes = settings.memory / u64::from(settings.trees());
                Self::Alone((0..settings.trees()).map(|_| Tree::with_bytes(bytes)).collect())
            }
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Self::Alone(trees) => trees.iter_mut().for_each(Tree::clear),
            Self::Shared(tree, _) => tree.clear(),
        }
    }
}

/// What a thread found; what it panicked with goes on in this one.
fn joined<T>(handle: ScopedJoinHandle<'_, T>) -> T {
    handle.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// The iterations that are left to a tree. Each tree's lie on a cache line of their own, because its thread counts every one.
#[repr(align(128))]
struct Tickets(AtomicU64);

/// Takes all iterations that are left where a panic takes it away: the other threads are not kept at work that nobody waits
/// for.
struct NoneLeftAfterPanic<'a>(&'a [Tickets]);

impl Drop for NoneLeftAfterPanic<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.iter().for_each(|Tickets(left)| left.store(0, Ordering::Relaxed));
        }
    }
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub(super) effort: Effort,
    pub(super) depth: u32,
}

impl Spent {
    pub(super) fn add(&mut self, other: Self) {
        self.effort += other.effort;
        self.depth = self.depth.max(other.depth);
    }
}

/// One search: what all its threads have in common.
pub(super) struct Search<'a, P, E, O> {
    pub(super) method: &'a Method<E, O>,
    pub(super) history: &'a History<P>,
    pub(super) allowance: Allowance,
    pub(super) stop: &'a Stop,
    pub(super) seed: u64,
}

impl<P: Position, E: Evaluation<P>, O: MoveOrdering<P>> Search<'_, P, E, O> {
    /// Searches a tree of its own in each thread. The first is searched by the calling thread, which shows it to
    /// `report` now and then.
    pub(super) fn run_alone(
        &self,
        trees: &mut [Tree<P::Move, Alone>],
        mut report: impl FnMut(&Tree<P::Move, Alone>, Spent),
    ) -> Spent {
        let part = |number| self.allowance.part(number, trees.len() as u64).iterations;
        let tickets: Vec<Tickets> =
            (0..trees.len() as u64).map(|number| Tickets(AtomicU64::new(part(number)))).collect();
        let Some((first, others)) = trees.split_first_mut() else { return Spent::default() };
        std::thread::scope(|scope| {
            let tickets = &tickets[..];
            let handles: Vec<_> = (1..)
                .zip(others)
                .map(|(number, tree)| scope.spawn(move || self.work_alone(tree, number, tickets, |_, _| {})))
                .collect();
            let mut spent = self.work_alone(first, 0, tickets, &mut report);
            handles.into_iter().for_each(|other| spent.add(joined(other)));
            spent
        })
    }

    /// The work of one thread on a tree of its own, with the iterations that each of the trees has left.
    fn work_alone(
        &self,
        tree: &Tree<P::Move, Alone>,
        number: usize,
        tickets: &[Tickets],
        report: impl FnMut(&Tree<P::Move, Alone>, Spent),
    ) -> Spent {
        let _others = NoneLeftAfterPanic(tickets);
        let allowance = self.allowance.part(number as u64, tickets.len() as u64);
        self.work(tree, tree.len(), number as u64, allowance, &tickets[number].0, report)
    }

    /// Searches one tree in all threads; the calling one shows it to `report` now and then.
    pub(super) fn run_shared(
        &self,
        tree: &Tree<P::Move, Shared>,
        threads: u32,
        mut report: impl FnMut(&Tree<P::Move, Shared>, Spent),
    ) -> Spent {
        let before = tree.len();
        let tickets = Tickets(AtomicU64::new(self.allowance.iterations));
        let mut spent = std::thread::scope(|scope| {
            let tickets = &tickets;
            let work = move |number| {
                let _others = NoneLeftAfterPanic(slice::from_ref(tickets));
                self.work(tree, before, number, self.allowance, &tickets.0, |_, _| {})
            };
            let _others = NoneLeftAfterPanic(slice::from_ref(tickets));
            let handles: Vec<_> = (1..u64::from(threads)).map(|number| scope.spawn(move || work(number))).collect();
            let mut spent = self.work(tree, before, 0, self.allowance, &tickets.0, &mut report);
            handles.into_iter().for_each(|other| spent.add(joined(other)));
            spent
        });
        spent.effort.nodes = u64::from(tree.len() - before);
        spent
    }

    /// The work of one thread on a tree that had `before` nodes when the search began.
    fn work<S: Sharing>(
        &self,
        tree: &Tree<P::Move, S>,
        before: u32,
        number: u64,
        allowance: Allowance,
        tickets: &AtomicU64,
        mut report: impl FnMut(&Tree<P::Move, S>, Spent),
    ) -> Spent {
        let added = allowance.nodes.and_then(|nodes| u32::try_from(nodes).ok()).unwrap_or(u32::MAX);
        let node_limit = before.saturating_add(added);
        let dice = Dice::seeded(derive_seed(self.seed, &[number]));
        let budget = Budget::until(allowance.deadline, self.stop);
        let mut worker = Worker::new(self.method, tree, self.history, dice, node_limit, allowance.depth, budget);
        let mut clock = Clock::start(tickets, allowance.deadline, self.stop);
        let spent = |worker: &Worker<'_, P, E, O, S>| {
            let nodes = u64::from(tree.len() - before);
            Spent { effort: Effort { nodes, ..worker.effort }, depth: worker.depth }
        };
        while clock.goes_on() {
            if !worker.iterate() {
                break;
            }
            if !worker.growing && node_limit <= tree.capacity() {
                tickets.store(0, Ordering::Relaxed);
                break;
            }
            if clock.report_is_due() {
                report(tree, spent(&worker));
            }
        }
        spent(&worker)
    }
}
