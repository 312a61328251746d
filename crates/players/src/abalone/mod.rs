//! The agents of Abalone.

mod alphabeta;
mod evaluations;
mod presets;

use afterstate_abalone::Position;

use crate::{AgentKind, Catalogue, Playable, Random, mcts, one_ply};

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
    one_ply::agent(&[one_ply::eval("hauff")]),
    alphabeta::AGENT,
    mcts::agent(&mcts::keys("hauff", "linear(half-range=6000)", &["none", "classes", "evaluation"])),
];
