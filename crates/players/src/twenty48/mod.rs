//! The agents of 2048.

use afterstate_twenty48::State;

use crate::{AgentKind, Catalogue, Playable, Random};

impl Playable for State {
    fn catalogue() -> &'static Catalogue<Self> {
        &Catalogue { agents: AGENTS, presets: &[], evaluations: &[] }
    }
}

const AGENTS: &[AgentKind<State>] = &[AgentKind {
    name: "random",
    summary: "any legal move, each with the same probability",
    keys: &[],
    build: |_| Ok(Box::new(Random::new())),
}];
