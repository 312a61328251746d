//! The agents of Abalone.

mod alphabeta;
mod evaluations;
mod mcts;
mod presets;

use afterstate_abalone::Position;
use afterstate_game::Evaluation;

use crate::key::{Key, Values};
use crate::{AgentKind, BoxedPlayer, Catalogue, OnePly, Playable, Random, SpecError};
use evaluations::{WithEvaluation, with_evaluation};

impl Playable for Position {
    fn catalogue() -> &'static Catalogue<Self> {
        &Catalogue { agents: AGENTS, presets: presets::PRESETS, evaluations: evaluations::EVALUATIONS }
    }
}

const AGENTS: &[AgentKind<Position>] = &[
    AgentKind {
        name: "random",
        summary: "any legal move, each with the same probability",
        keys: &[],
        build: |_| Ok(Box::new(Random::new())),
    },
    AgentKind {
        name: "one-ply",
        summary: "the move whose result is judged best, without search",
        keys: &[Key { name: "eval", default: "hauff", values: Values::Evaluation, help: "how results are judged" }],
        build: |arguments| with_evaluation(arguments, BuildOnePly)?,
    },
    alphabeta::AGENT,
    mcts::AGENT,
];

struct BuildOnePly;

impl WithEvaluation for BuildOnePly {
    type Output = Result<BoxedPlayer<Position>, SpecError>;

    fn with<E: Evaluation<Position> + Clone + 'static>(self, evaluation: E) -> Self::Output {
        Ok(Box::new(OnePly::new(evaluation)))
    }
}
