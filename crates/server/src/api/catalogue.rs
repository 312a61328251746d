//! `GET /api/{game}/catalogue`: what can be chosen in a game.

use afterstate_players::{Catalogue, EvaluationKind, Key, Preset};
use axum::Json;
use serde::Serialize;

use crate::game::{Level, WebGame};

/// Everything that can be named for a game.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    game: &'static str,
    adviser: &'static str,
    levels: &'static [Level],
    layouts: Vec<&'static str>,
    agents: Vec<Kind>,
    evaluations: Vec<Kind>,
    presets: Vec<Named>,
}

#[derive(Debug, Serialize)]
struct Kind {
    name: &'static str,
    summary: &'static str,
    keys: Vec<Setting>,
}

#[derive(Debug, Serialize)]
struct Setting {
    name: &'static str,
    default: &'static str,
    values: String,
    help: &'static str,
}

#[derive(Debug, Serialize)]
struct Named {
    name: &'static str,
    spec: &'static str,
    summary: &'static str,
}

pub(super) async fn get<P: WebGame>() -> Json<Answer> {
    let Catalogue { agents, presets, evaluations } = P::catalogue();
    Json(Answer {
        game: P::GAME,
        adviser: P::adviser(),
        levels: P::levels(),
        layouts: P::layouts(),
        agents: agents.iter().map(|agent| kind(agent.name, agent.summary, agent.keys)).collect(),
        evaluations: evaluations
            .iter()
            .map(|EvaluationKind { name, summary, keys }| kind(name, summary, keys))
            .collect(),
        presets: presets.iter().map(|&Preset { name, spec, summary }| Named { name, spec, summary }).collect(),
    })
}

fn kind(name: &'static str, summary: &'static str, keys: &[Key]) -> Kind {
    let keys = keys.iter().map(|key| Setting {
        name: key.name,
        default: key.default,
        values: key.values.describe(),
        help: key.help,
    });
    Kind { name, summary, keys: keys.collect() }
}
