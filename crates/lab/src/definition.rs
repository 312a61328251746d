//! The identity of a series, written down: everything that determines its games, and nothing else. Two series are the same
//! exactly when these texts are equal.

use afterstate_game::{AtPlyLimit, DrawRules, Limits, Notation};
use serde_json::{Value, json};

use crate::duel::Opening;

/// A series of games of one agent.
pub(crate) fn solo<P: Notation>(agent: &str, seed: u64, limits: &Limits) -> String {
    json!({ "game": P::GAME, "agents": [agent], "seed": seed, "limits": limits_value(limits) }).to_string()
}

/// A match of two agents.
pub(crate) fn duel<P: Notation>(
    agents: &[String; 2],
    seed: u64,
    limits: &Limits,
    rules: &DrawRules,
    openings: &[Opening<P>],
) -> String {
    let openings: Vec<String> = openings.iter().map(|opening| opening.position.to_text()).collect();
    json!({
        "game": P::GAME,
        "agents": agents,
        "seed": seed,
        "limits": limits_value(limits),
        "draws": rules_value(rules),
        "openings": openings,
    })
    .to_string()
}

/// One decision of an agent.
pub(crate) fn decision<P: Notation>(agent: &str, seed: u64, limits: &Limits, position: &Opening<P>) -> String {
    json!({
        "game": P::GAME,
        "agents": [agent],
        "seed": seed,
        "limits": limits_value(limits),
        "position": position.position.to_text(),
    })
    .to_string()
}

fn limits_value(limits: &Limits) -> Value {
    json!({
        "depth": limits.depth,
        "nodes": limits.nodes,
        "iterations": limits.iterations,
        "microseconds": limits.time.map(|time| time.as_micros() as u64),
    })
}

fn rules_value(rules: &DrawRules) -> Value {
    let at_limit = match rules.at_limit {
        AtPlyLimit::Draw => "draw",
        AtPlyLimit::LeaderWins => "leader-wins",
    };
    json!({ "repetitions": rules.repetitions, "max_plies": rules.max_plies, "at_limit": at_limit })
}
