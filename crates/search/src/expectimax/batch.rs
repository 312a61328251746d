//! Leaves judged together, for evaluations that judge many boards at a fraction of the cost of one after the other.
//!
//! Which leaves a tree has does not depend on their values. So a part of the tree is walked twice: first its leaves are
//! collected, equal ones once; then they are judged all together; then the same walk finds their values.

use std::collections::{HashMap, HashSet};

use afterstate_game::{Afterstate, Evaluation, Position};

use super::tree::Search;

/// The largest part of a tree whose leaves are collected, in half-moves: up to some thousand leaves, so that memory stays
/// small at any depth.
const MAX_PLIES: u32 = 3;

/// The same for an evaluation that wants more leaves than this at a time: some ten thousand.
const MANY: usize = 4096;
const MAX_PLIES_OF_MANY: u32 = 4;

/// The leaves of a part of the tree.
pub(super) struct Batch<P: Position> {
    phase: Phase,
    /// The largest part, in half-moves.
    plies: u32,
    positions: Leaves<P>,
    afterstates: Leaves<P::Afterstate>,
    /// Nodes whose leaves are collected already.
    seen: HashSet<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Leaves are judged one by one, always.
    Never,
    /// No part of the tree is at hand.
    Between,
    Collecting,
    Judged,
}

/// Leaves of one kind, by their keys.
struct Leaves<T> {
    numbers: HashMap<u64, usize>,
    leaves: Vec<T>,
    values: Vec<f32>,
}

impl<T: Clone> Leaves<T> {
    fn new() -> Self {
        Self { numbers: HashMap::new(), leaves: Vec::new(), values: Vec::new() }
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.leaves.clear();
        self.values.clear();
    }

    fn collect(&mut self, key: u64, leaf: &T) {
        self.numbers.entry(key).or_insert_with(|| {
            self.leaves.push(leaf.clone());
            self.leaves.len() - 1
        });
    }

    fn value(&self, key: u64) -> Option<f32> {
        self.values.get(*self.numbers.get(&key)?).copied()
    }
}

impl<P: Position> Batch<P> {
    /// Nothing collected yet; nothing ever, unless `wanted`. So many leaves are well judged together.
    pub(super) fn new(wanted: bool, size: usize) -> Self {
        let phase = if wanted { Phase::Between } else { Phase::Never };
        let plies = if size > MANY { MAX_PLIES_OF_MANY } else { MAX_PLIES };
        Self { phase, plies, positions: Leaves::new(), afterstates: Leaves::new(), seen: HashSet::new() }
    }

    /// Whether the leaves below a chance node of this many plies are to be collected.
    pub(super) fn begins_at(&self, plies: u32) -> bool {
        self.phase == Phase::Between && plies <= self.plies
    }

    /// Whether values are missing because leaves are only being collected.
    pub(super) fn is_collecting(&self) -> bool {
        self.phase == Phase::Collecting
    }

    /// Whether the leaves of this node are collected already.
    pub(super) fn has_seen(&mut self, key: u64, plies: u32) -> bool {
        self.is_collecting() && !self.seen.insert(key ^ u64::from(plies + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl<P: Position, E: Evaluation<P>> Search<'_, P, E> {
    /// The mean over the answers of a chance node, with the leaves below it judged together.
    pub(super) fn mean_in_batch(&mut self, afterstate: &P::Afterstate, plies: u32, reach: f32) -> f32 {
        self.collect(afterstate, plies, reach);
        self.judge();
        self.batch.phase = Phase::Judged;
        let mean = self.mean(afterstate, plies, reach);
        self.batch.phase = Phase::Between;
        mean
    }

    /// The first walk. It costs no nodes, but it ends where they would.
    fn collect(&mut self, afterstate: &P::Afterstate, plies: u32, reach: f32) {
        let batch = &mut self.batch;
        batch.positions.clear();
        batch.afterstates.clear();
        batch.seen.clear();
        batch.phase = Phase::Collecting;
        let part = self.budget.part(self.budget.nodes_left());
        let (budget, counts) = (std::mem::replace(&mut self.budget, part), self.counts);
        self.mean(afterstate, plies, reach);
        (self.budget, self.counts) = (budget, counts);
    }

    fn judge(&mut self) {
        let Self { evaluation, budget, batch, counts, .. } = self;
        let Batch { positions, afterstates, .. } = batch;
        // As many as are judged between two looks at the clock.
        let slice = evaluation.batch().max(1);
        for slice in positions.leaves.chunks(slice) {
            // Looks at the clock, which no node did for a while.
            budget.spend_part(0);
            if budget.is_exhausted() {
                return;
            }
            evaluation.positions(slice, &mut positions.values);
            counts.evaluations += slice.len() as u64;
        }
        for slice in afterstates.leaves.chunks(slice) {
            budget.spend_part(0);
            if budget.is_exhausted() {
                return;
            }
            evaluation.afterstates(slice, &mut afterstates.values);
            counts.evaluations += slice.len() as u64;
        }
    }

    /// The value of a position as the evaluation says.
    #[inline]
    pub(super) fn judge_position(&mut self, position: &P) -> f32 {
        if E::IN_BATCHES && self.batch.phase == Phase::Collecting {
            self.batch.positions.collect(position.key(), position);
            return 0.0;
        }
        if E::IN_BATCHES
            && self.batch.phase == Phase::Judged
            && let Some(value) = self.batch.positions.value(position.key())
        {
            return value;
        }
        self.counts.evaluations += 1;
        self.evaluation.position(position)
    }

    /// The value of an afterstate as the evaluation says.
    #[inline]
    pub(super) fn judge_afterstate(&mut self, afterstate: &P::Afterstate) -> f32 {
        if E::IN_BATCHES && self.batch.phase == Phase::Collecting {
            self.batch.afterstates.collect(afterstate.key(), afterstate);
            return 0.0;
        }
        if E::IN_BATCHES
            && self.batch.phase == Phase::Judged
            && let Some(value) = self.batch.afterstates.value(afterstate.key())
        {
            return value;
        }
        self.counts.evaluations += 1;
        self.evaluation.afterstate(afterstate)
    }
}
