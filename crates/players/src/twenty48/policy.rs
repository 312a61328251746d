//! A player that does what a policy network says: no search, and no look at what a slide leads to.

use std::sync::Arc;
use std::time::Instant;

use afterstate_game::{Decision, Effort, MoveValue, NoLegalMove, Player, Position, Task};
use afterstate_learn::neural::NeuralPolicy;
use afterstate_twenty48::State;

use crate::key::{Key, Values};
use crate::{AgentKind, models};

/// Plays the legal slide of the highest output.
struct Policy {
    network: Arc<NeuralPolicy>,
}

impl Player<State> for Policy {
    fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<<State as Position>::Move>, NoLegalMove> {
        let started = Instant::now();
        let outputs = self.network.outputs(task.position().0);
        let mut moves = Vec::new();
        task.position().for_each_move(|slide| moves.push(MoveValue::exact(slide, f64::from(outputs[slide as usize]))));
        let mut decision = Decision::from_values(moves).ok_or(NoLegalMove)?;
        decision.effort = Effort { nodes: 1, evaluations: 1, ..Effort::default() };
        decision.time = started.elapsed();
        Ok(decision)
    }

    fn start_game(&mut self, _seed: u64) {}
}

pub(super) const AGENT: AgentKind<State> = AgentKind {
    name: "policy",
    summary: "the legal slide that a network with four outputs likes best, without search",
    keys: &[Key {
        name: "model",
        default: models::DEFAULT_POLICY,
        values: Values::Model,
        help: "which network, a safetensors file of `train ga` or `train dqn` (variant q)",
    }],
    build: |arguments| Ok(Box::new(Policy { network: models::policy(arguments)? })),
};
