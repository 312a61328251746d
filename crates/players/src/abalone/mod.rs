//! The agents of Abalone.

use afterstate_abalone::Position;

use crate::{AgentKind, Catalogue, Playable, Random};

impl Playable for Position {
    fn catalogue() -> &'static Catalogue<Self> {
        &Catalogue { agents: AGENTS, presets: &[], evaluations: &[] }
    }
}

const AGENTS: &[AgentKind<Position>] = &[AgentKind {
    name: "random",
    summary: "any legal move, each with the same probability",
    keys: &[],
    build: |_| Ok(Box::new(Random::new())),
}];
