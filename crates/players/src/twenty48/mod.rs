//! The agents of 2048.

mod evaluations;
mod expectimax;
mod policy;
mod presets;
mod tables;

use afterstate_twenty48::State;
use afterstate_twenty48::eval::Score;

use crate::{AgentKind, Catalogue, OnePly, Playable, Random, mcts, one_ply};

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
    one_ply::agent(&[one_ply::eval("xiao")]),
    policy::AGENT,
    expectimax::AGENT,
    // Simulations run to the end by default, where no cell is empty: only points tell the ends apart.
    mcts::agent(&mcts::keys("score", "raw", &["none", "evaluation"])),
];
