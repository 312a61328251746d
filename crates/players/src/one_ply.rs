//! A player that looks at the result of each move and no further.

use std::time::Instant;

use afterstate_game::{Decision, Effort, Evaluation, MoveValue, NoLegalMove, Player, Position, Task};

use crate::evaluated::{Evaluated, WithEvaluation, with_evaluation};
use crate::key::{Key, Values};
use crate::{AgentKind, BoxedPlayer};

/// Plays the move whose afterstate its evaluation likes best.
#[derive(Clone, Debug)]
pub struct OnePly<E> {
    evaluation: E,
}

impl<E> OnePly<E> {
    /// A player that trusts `evaluation`.
    pub fn new(evaluation: E) -> Self {
        Self { evaluation }
    }
}

impl<P: Position, E: Evaluation<P>> Player<P> for OnePly<E> {
    fn decide(&mut self, task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove> {
        let started = Instant::now();
        let mut moves = Vec::new();
        task.position().for_each_move(|mv| {
            let value = self.evaluation.played(&task.position().play_unchecked(mv));
            moves.push(MoveValue::exact(mv, f64::from(value)));
        });
        let count = moves.len() as u64;
        let mut decision = Decision::from_values(moves).ok_or(NoLegalMove)?;
        decision.depth = 1;
        decision.effort = Effort { nodes: 1, evaluations: count, moves_tried: count, ..Effort::default() };
        decision.time = started.elapsed();
        Ok(decision)
    }

    fn start_game(&mut self, _seed: u64) {}
}

/// The agent `one-ply` with a game's own keys.
pub(crate) const fn agent<P: Evaluated>(keys: &'static [Key]) -> AgentKind<P> {
    AgentKind {
        name: "one-ply",
        summary: "the move whose result is judged best, without search",
        keys,
        build: |arguments| with_evaluation(arguments, Build),
    }
}

/// The key of the evaluation.
pub(crate) const fn eval(default: &'static str) -> Key {
    Key { name: "eval", default, values: Values::Evaluation, help: "how results are judged" }
}

struct Build;

impl<P: Position> WithEvaluation<P> for Build {
    type Output = BoxedPlayer<P>;

    fn with<E: Evaluation<P> + Clone + 'static>(self, evaluation: E) -> BoxedPlayer<P> {
        Box::new(OnePly::new(evaluation))
    }
}
