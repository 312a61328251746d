//! The player: limits, deepening, and what is kept from decision to decision.

use afterstate_game::{Afterstate, Decision, Effort, Evaluation, MoveValue, NoLegalMove, Player, Position, Task};

use super::memory::Store;
use super::root::Root;
use super::settings::{Deepening, InvalidSettings, Settings, SingleMove};
use crate::Budget;

/// Searches with expectimax and plays the move of the highest expected value; among equal ones the first.
#[derive(Debug)]
pub struct Expectimax<P: Position, E> {
    settings: Settings<P>,
    evaluation: E,
    store: Option<Store<P>>,
    seed: u64,
}

impl<P: Position, E: Evaluation<P>> Expectimax<P, E> {
    /// A player with these settings. Fails if they make no sense or if there is no memory for the table.
    pub fn new(settings: Settings<P>, evaluation: E) -> Result<Self, InvalidSettings> {
        const {
            assert!(P::SIDES == 1 && P::Afterstate::HAS_CHANCE, "expectimax is for one player against chance");
        }
        settings.check()?;
        let store = settings.table.clone().map(Store::new).transpose()?;
        Ok(Self { settings, evaluation, store, seed: 0 })
    }

    /// The settings the player was built with.
    #[must_use]
    pub fn settings(&self) -> &Settings<P> {
        &self.settings
    }

    /// The evaluation at the leaves.
    #[must_use]
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// The decision of somebody who has no time: the values of the afterstates themselves.
    fn glance(&self, position: &P, moves: &[P::Move]) -> Option<Decision<P::Move>> {
        let judge = |&mv| MoveValue::exact(mv, f64::from(self.evaluation.played(&position.play_unchecked(mv))));
        Decision::from_values(moves.iter().map(judge).collect())
    }
}

impl<P: Position, E: Evaluation<P>> Player<P> for Expectimax<P, E> {
    fn decide(&mut self, task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove> {
        let limits = self.settings.limits.and(task.limits);
        let mut budget = Budget::start(&limits, task.stop);
        let position = task.history.position();
        let moves = position.moves();
        if let ([mv], SingleMove::Played) = (&moves[..], self.settings.single_move) {
            return Ok(Decision { time: budget.elapsed(), ..Decision::unsearched(*mv, moves.iter().copied()) });
        }
        let values_change = self.evaluation.prepare(task.history);
        if let Some(store) = &mut self.store {
            if values_change {
                store.forget_values();
            }
            store.next_decision();
        }

        let root = Root {
            position,
            moves: &moves,
            settings: &self.settings,
            evaluation: &self.evaluation,
            store: self.store.as_ref(),
            seed: self.seed,
            has_node_limit: limits.nodes.is_some(),
        };
        let deepest = self.settings.depth.at(position).min(limits.depth.unwrap_or(u32::MAX));
        let step_by_step =
            limits.time.is_some() || limits.nodes.is_some() || self.settings.deepening == Deepening::Always;
        let first = if step_by_step { 1 } else { deepest.max(1) };

        let mut effort = Effort::default();
        let mut completed = None;
        for depth in first..=deepest {
            let (decision, spent) = root.search(depth, &mut budget);
            effort += spent;
            let Some(decision) = decision else { break };
            let decision = Decision { depth, effort, time: budget.elapsed(), ..decision };
            (task.observer)(&decision);
            completed = Some(decision);
            // Every step takes at least as long as all before it.
            if budget.is_exhausted() || budget.is_too_late_for(1.0) {
                break;
            }
        }
        let decision = completed.or_else(|| self.glance(position, &moves)).ok_or(NoLegalMove)?;
        Ok(Decision { effort, time: budget.elapsed(), ..decision })
    }

    fn start_game(&mut self, seed: u64) {
        self.seed = seed;
        if let Some(store) = &mut self.store {
            store.clear();
        }
    }
}
