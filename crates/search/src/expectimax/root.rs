//! One search of all root moves to one depth, side by side where that cannot change the result.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use afterstate_game::{Decision, Effort, Evaluation, MoveValue, Position};

use super::line;
use super::memory::{Keys, Reuse, Sharing, Store};
use super::settings::Settings;
use super::tree::Search;
use crate::Budget;

/// A position to decide, with everything that a search of it needs.
pub(super) struct Root<'a, P: Position, E> {
    pub(super) position: &'a P,
    pub(super) moves: &'a [P::Move],
    pub(super) settings: &'a Settings<P>,
    pub(super) evaluation: &'a E,
    pub(super) store: Option<&'a Store<P>>,
    pub(super) seed: u64,
    pub(super) has_node_limit: bool,
}

/// What came out of the search of one root move.
struct Searched {
    /// `None` if a limit ended the search.
    value: Option<f32>,
    effort: Effort,
}

impl<P: Position, E: Evaluation<P>> Root<'_, P, E> {
    /// Searches all moves to this depth; no decision if a limit came first. Each move gets an equal share of the nodes
    /// that are left, so that no thread can take the nodes of another.
    pub(super) fn search(&self, depth: u32, budget: &mut Budget<'_>) -> (Option<Decision<P::Move>>, Effort) {
        let plies = self.settings.unit.plies(depth);
        let share = match budget.nodes_left() {
            u64::MAX => u64::MAX,
            left => left / self.moves.len().max(1) as u64,
        };
        let searched = self.search_moves(plies, share, budget);

        let mut effort = Effort::default();
        let mut values = Vec::with_capacity(self.moves.len());
        for (&mv, Searched { value, effort: spent }) in self.moves.iter().zip(&searched) {
            effort += *spent;
            values.extend(value.map(|value| MoveValue::exact(mv, f64::from(value))));
        }
        budget.spend_part(effort.nodes);
        if values.len() < self.moves.len() {
            return (None, effort);
        }
        let decision = Decision::from_values(values).map(|decision| {
            let line = line::read(self, decision.best, plies, budget);
            Decision { line, ..decision }
        });
        (decision, effort)
    }

    /// The search of one move.
    pub(super) fn begin<'b>(&'b self, index: usize, nodes: u64, budget: &Budget<'b>) -> Search<'b, P, E> {
        let memory = self.store.map(|store| store.memory(index, self.moves.len()));
        Search::new(self.settings, self.evaluation, memory, budget.part(nodes), self.seed)
    }

    fn search_move(&self, index: usize, plies: u32, nodes: u64, budget: &Budget<'_>) -> Searched {
        let mut search = self.begin(index, nodes, budget);
        let value = search.after_move(self.position, self.moves[index], plies, 1.0);
        let value = (!search.budget.is_exhausted()).then_some(value);
        Searched { value, effort: search.effort() }
    }

    fn search_moves(&self, plies: u32, nodes: u64, budget: &Budget<'_>) -> Vec<Searched> {
        let threads = self.threads();
        if threads <= 1 {
            return (0..self.moves.len()).map(|index| self.search_move(index, plies, nodes, budget)).collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= self.moves.len() {
                    return done;
                }
                done.push((index, self.search_move(index, plies, nodes, budget)));
            }
        };
        let mut searched = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut searched = work();
            for other in others {
                searched.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            searched
        });
        searched.sort_unstable_by_key(|&(index, _)| index);
        searched.into_iter().map(|(_, searched)| searched).collect()
    }

    /// The threads that can search side by side without changing the decision.
    fn threads(&self) -> usize {
        let independent = self.settings.table.as_ref().is_none_or(|table| match table.sharing {
            Sharing::PerMove => true,
            Sharing::AllMoves => {
                let holds_own_nodes = table.reuse == Reuse::Exact && matches!(table.keys, Keys::Own);
                holds_own_nodes && self.settings.cutoff == 0.0 && !self.has_node_limit
            }
        });
        if independent { (self.settings.threads as usize).min(self.moves.len()) } else { 1 }
    }
}
