//! The recursion: chance nodes average, max nodes maximise. Where all the time goes.
//!
//! Depth is counted in plies here: the half-moves between a node and the leaves below it.

use afterstate_game::{Afterstate, Effort, Evaluation, Played, Position};
use arrayvec::ArrayVec;

use super::batch::Batch;
use super::memory::Memory;
use super::settings::{Chance, Dead, Horizon, Leaves, Settings};
use crate::Budget;

/// Moves whose table slots are fetched before the first of them is searched.
const LOOK_AHEAD: usize = 8;

/// The search below one root move.
pub(super) struct Search<'a, P: Position, E> {
    pub(super) evaluation: &'a E,
    pub(super) settings: &'a Settings<P>,
    pub(super) memory: Option<Memory<'a, P>>,
    pub(super) budget: Budget<'a>,
    /// Decides which answers a sampled chance node looks at.
    pub(super) seed: u64,
    /// Answers that sampled chance nodes choose from, stacked so that no node allocates.
    pub(super) answers: Vec<(P, f32)>,
    /// Whether the leaves below the last moves are judged together.
    judges_moves: bool,
    /// Whether that can be done without looking up the position before.
    judges_answers: bool,
    /// The leaves of the part of the tree at hand, where the evaluation judges in batches.
    pub(super) batch: Batch<P>,
    pub(super) counts: Counts,
}

/// What a search counts beside its nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) evaluations: u64,
    expansions: u64,
    legal_moves: u64,
    table_probes: u64,
    table_hits: u64,
}

/// A move that is about to be searched.
struct Announced<P: Position> {
    afterstate: P::Afterstate,
    /// Where its value is stored, if it is.
    key: Option<u64>,
    /// What the move earns, if that counts.
    reward: f32,
}

impl<'a, P: Position, E: Evaluation<P>> Search<'a, P, E> {
    pub(super) fn new(
        settings: &'a Settings<P>,
        evaluation: &'a E,
        memory: Option<Memory<'a, P>>,
        budget: Budget<'a>,
        seed: u64,
    ) -> Self {
        let together = settings.leaves == Leaves::Together;
        let judges_moves = P::CANDIDATES > 0 && together && !E::IN_BATCHES;
        Self {
            judges_moves,
            judges_answers: judges_moves && !memory.as_ref().is_some_and(Memory::holds_max_nodes),
            evaluation,
            settings,
            memory,
            budget,
            seed,
            answers: Vec::new(),
            batch: Batch::new(together && E::IN_BATCHES, evaluation.batch()),
            counts: Counts::default(),
        }
    }

    /// What the search took so far.
    pub(super) fn effort(&self) -> Effort {
        let candidates = u64::from(P::CANDIDATES);
        let counts = self.counts;
        Effort {
            nodes: self.budget.nodes(),
            evaluations: counts.evaluations,
            moves_tried: if candidates > 0 { counts.expansions * candidates } else { counts.legal_moves },
            table_probes: counts.table_probes,
            table_hits: counts.table_hits,
            iterations: 0,
        }
    }

    /// The value of an afterstate that is reached with probability `reach` and was announced under `key`. Meaningless
    /// once the budget is exhausted.
    fn chance(&mut self, afterstate: &P::Afterstate, key: Option<u64>, plies: u32, reach: f32) -> f32 {
        if !self.budget.spend_node() {
            return 0.0;
        }
        if plies == 0 || reach < self.settings.cutoff {
            return self.judge_afterstate(afterstate);
        }
        if let Some(value) = self.recall(key, plies) {
            return value;
        }
        let value = if E::IN_BATCHES && self.batch.begins_at(plies) {
            self.mean_in_batch(afterstate, plies, reach)
        } else {
            self.mean(afterstate, plies, reach)
        };
        self.store(key, plies, value);
        value
    }

    /// The mean over the answers that are looked at.
    pub(super) fn mean(&mut self, afterstate: &P::Afterstate, plies: u32, reach: f32) -> f32 {
        if E::IN_BATCHES && self.batch.has_seen(afterstate.key(), plies) {
            return 0.0;
        }
        match self.settings.chance {
            Chance::Full => self.mean_over_all(afterstate, plies, reach),
            Chance::Sampled(_) | Chance::Likeliest(_) => self.mean_over_some(afterstate, plies, reach),
        }
    }

    fn mean_over_all(&mut self, afterstate: &P::Afterstate, plies: u32, reach: f32) -> f32 {
        if self.judges_answers && plies == 2 {
            return self.mean_of_judged(afterstate);
        }
        let mut mean = 0.0;
        afterstate.for_each_answer(|position, probability| {
            let value = self.answer(&position, plies - 1, reach * probability);
            mean += f64::from(probability) * f64::from(value);
        });
        mean as f32
    }

    /// The mean over all answers where only one move is left to be made after each. Most nodes are such answers.
    fn mean_of_judged(&mut self, afterstate: &P::Afterstate) -> f32 {
        let evaluation = self.evaluation;
        let mut mean = 0.0;
        evaluation.best_after_answers(afterstate, |position, probability, best| {
            if self.budget.spend_node() {
                self.counts.evaluations += 1;
                self.counts.expansions += 1;
                mean += f64::from(probability) * f64::from(self.or_dead(position, best));
            }
        });
        mean as f32
    }

    /// The value of a position that chance answered with.
    #[inline]
    pub(super) fn answer(&mut self, position: &P, plies: u32, reach: f32) -> f32 {
        if self.judges_answers && self.is_last(plies, reach) {
            return if self.budget.spend_node() { self.judge_moves(position) } else { 0.0 };
        }
        self.max(position, plies, reach)
    }

    /// Whether all moves of a position lead to leaves.
    #[inline]
    fn is_last(&self, plies: u32, reach: f32) -> bool {
        plies == 1 || plies > 1 && reach < self.settings.cutoff
    }

    #[inline]
    fn judge_moves(&mut self, position: &P) -> f32 {
        self.counts.evaluations += 1;
        self.counts.expansions += 1;
        let best = self.evaluation.best_afterstate(position);
        self.or_dead(position, best)
    }

    /// The value of a position that is reached with probability `reach`. Meaningless once the budget is exhausted.
    pub(super) fn max(&mut self, position: &P, plies: u32, reach: f32) -> f32 {
        if !self.budget.spend_node() {
            return 0.0;
        }
        if plies == 0 {
            return self.at_horizon(position);
        }
        let key = self.memory.as_ref().and_then(|memory| memory.max_key(position, plies));
        if let Some(value) = self.recall(key, plies) {
            return value;
        }
        let value = if self.judges_moves && self.is_last(plies, reach) {
            self.judge_moves(position)
        } else {
            let best = self.best_move(position, plies, reach);
            self.or_dead(position, best)
        };
        self.store(key, plies, value);
        value
    }

    /// The value of the best move, or `None` without one. The table slots of several moves are fetched before the first
    /// is searched, so that waiting for memory overlaps with work.
    fn best_move(&mut self, position: &P, plies: u32, reach: f32) -> Option<f32> {
        self.counts.expansions += 1;
        let mut best = None;
        let mut announced = ArrayVec::<Announced<P>, LOOK_AHEAD>::new();
        position.for_each_play(|_, Played { afterstate, reward }| {
            self.counts.legal_moves += 1;
            let key = self.announce(&afterstate, plies - 1, reach);
            let reward = if E::COUNTS_REWARDS { reward as f32 } else { 0.0 };
            if announced.is_full() {
                best = self.best_of(best, &announced, plies - 1, reach);
                announced.clear();
            }
            announced.push(Announced { afterstate, key, reward });
        });
        self.best_of(best, &announced, plies - 1, reach)
    }

    /// The best of the announced moves and of what is the best so far.
    #[inline]
    fn best_of(&mut self, best: Option<f32>, moves: &[Announced<P>], plies: u32, reach: f32) -> Option<f32> {
        moves.iter().fold(best, |best, Announced { afterstate, key, reward }| {
            let value = self.chance(afterstate, *key, plies, reach) + reward;
            Some(best.map_or(value, |best| best.max(value)))
        })
    }

    /// The value of playing a move, for the root and the line.
    pub(super) fn after_move(&mut self, position: &P, mv: P::Move, plies: u32, reach: f32) -> f32 {
        let Played { afterstate, reward } = position.play_unchecked(mv);
        let key = self.announce(&afterstate, plies, reach);
        let value = self.chance(&afterstate, key, plies, reach);
        if E::COUNTS_REWARDS { value + reward as f32 } else { value }
    }

    /// The key under which the value of an afterstate is stored, with its slot on the way into the cache; `None` for leaves
    /// and without a table of chance nodes.
    #[inline]
    fn announce(&self, afterstate: &P::Afterstate, plies: u32, reach: f32) -> Option<u64> {
        if plies == 0 || reach < self.settings.cutoff {
            return None;
        }
        let memory = self.memory.as_ref()?;
        let key = memory.chance_key(afterstate, plies)?;
        memory.prefetch(key);
        Some(key)
    }

    fn at_horizon(&mut self, position: &P) -> f32 {
        match (self.settings.horizon, self.settings.dead) {
            (Horizon::SeesDead, Dead::Value(value) | Dead::Floor(value)) if position.outcome().is_some() => value,
            _ => self.judge_position(position),
        }
    }

    /// The best value of the moves, or what a position without moves is worth.
    #[inline]
    fn or_dead(&mut self, position: &P, best: Option<f32>) -> f32 {
        match (best, self.settings.dead) {
            (Some(best), Dead::Value(_) | Dead::Evaluated) => best,
            (Some(best), Dead::Floor(floor)) => best.max(floor),
            (None, Dead::Value(value) | Dead::Floor(value)) => value,
            (None, Dead::Evaluated) => self.judge_position(position),
        }
    }

    #[inline]
    fn recall(&mut self, key: Option<u64>, plies: u32) -> Option<f32> {
        let (key, memory) = (key?, self.memory.as_ref()?);
        self.counts.table_probes += 1;
        let value = memory.recall(key, plies)?;
        self.counts.table_hits += 1;
        Some(value)
    }

    #[inline]
    fn store(&self, key: Option<u64>, plies: u32, value: f32) {
        // After the budget ran out, and before a batch is judged, values are made of missing parts.
        let incomplete = self.budget.is_exhausted() || E::IN_BATCHES && self.batch.is_collecting();
        if let (Some(key), Some(memory), false) = (key, &self.memory, incomplete) {
            memory.store(key, plies, value);
        }
    }
}
