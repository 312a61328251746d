//! The agents of 2048.

mod evaluations;
mod expectimax;
mod mcts;
mod presets;

use afterstate_game::Evaluation;
use afterstate_twenty48::State;
use afterstate_twenty48::eval::Score;

use crate::key::{Key, Values};
use crate::{AgentKind, BoxedPlayer, Catalogue, OnePly, Playable, Random, SpecError};
use evaluations::{WithEvaluation, with_evaluation};

impl Playable for State {
    fn catalogue() -> &'static Catalogue<Self> {
        &Catalogue { agents: AGENTS, presets: presets::PRESETS, evaluations: evaluations::EVALUATIONS }
    }
}

const AGENTS: &[AgentKind<State>] = &[
    AgentKind {
        name: "random",
        summary: "any legal move, each with the same probability",
        keys: &[],
        build: |_| Ok(Box::new(Random::new())),
    },
    AgentKind {
        name: "greedy",
        summary: "the move that earns most points at once",
        keys: &[],
        build: |_| Ok(Box::new(OnePly::new(Score))),
    },
    AgentKind {
        name: "one-ply",
        summary: "the move whose result is judged best, without search",
        keys: &[Key { name: "eval", default: "xiao", values: Values::Evaluation, help: "how results are judged" }],
        build: |arguments| with_evaluation(arguments, BuildOnePly)?,
    },
    expectimax::AGENT,
    mcts::AGENT,
];

struct BuildOnePly;

impl WithEvaluation for BuildOnePly {
    type Output = Result<BoxedPlayer<State>, SpecError>;

    fn with<E: Evaluation<State> + Clone + 'static>(self, evaluation: E) -> Self::Output {
        Ok(Box::new(OnePly::new(evaluation)))
    }
}
