//! `afterstate agents`: every agent, preset and evaluation with its keys.

use std::io::Write;

use afterstate_players::{Catalogue, Key, Playable};
use serde_json::{Value, json};

use crate::failure::Failure;

/// Lists the catalogue of one game for people.
pub(crate) fn list<P: Playable>(out: &mut impl Write) -> Result<(), Failure> {
    let Catalogue { agents, presets, evaluations } = P::catalogue();
    writeln!(out, "# {}\n", P::GAME)?;
    writeln!(out, "Agents: name(key=value, ...)\n")?;
    for agent in *agents {
        writeln!(out, "  {}  {}", agent.name, agent.summary)?;
        keys(out, agent.keys)?;
    }
    writeln!(out, "\nEvaluations: eval=name or eval=name(key=value, ...)\n")?;
    for evaluation in *evaluations {
        writeln!(out, "  {}  {}", evaluation.name, evaluation.summary)?;
        keys(out, evaluation.keys)?;
    }
    writeln!(out, "\nPresets: further keys go over those of the preset, as in name(key=value)\n")?;
    let width = presets.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in *presets {
        writeln!(out, "  {:width$}  {}", preset.name, preset.summary)?;
        writeln!(out, "  {:width$}  = {}", "", preset.spec)?;
    }
    Ok(())
}

fn keys(out: &mut impl Write, keys: &[Key]) -> Result<(), Failure> {
    let name_width = keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
    let default_width = keys.iter().map(|key| key.default.len()).max().unwrap_or(0);
    for key in keys {
        let (name, default) = (key.name, key.default);
        writeln!(out, "      {name:name_width$} = {default:default_width$}  {}: {}", key.values.describe(), key.help)?;
    }
    Ok(())
}

/// The catalogue of one game for programs.
pub(crate) fn as_json<P: Playable>() -> Value {
    let Catalogue { agents, presets, evaluations } = P::catalogue();
    json!({
        "game": P::GAME,
        "agents": agents.iter().map(|agent| json!({
            "name": agent.name, "summary": agent.summary, "keys": keys_as_json(agent.keys),
        })).collect::<Vec<_>>(),
        "evaluations": evaluations.iter().map(|evaluation| json!({
            "name": evaluation.name, "summary": evaluation.summary, "keys": keys_as_json(evaluation.keys),
        })).collect::<Vec<_>>(),
        "presets": presets.iter().map(|preset| json!({
            "name": preset.name, "spec": preset.spec, "summary": preset.summary,
        })).collect::<Vec<_>>(),
    })
}

fn keys_as_json(keys: &[Key]) -> Vec<Value> {
    keys.iter()
        .map(|key| {
            json!({
                "name": key.name, "default": key.default, "values": key.values.describe(), "help": key.help,
            })
        })
        .collect()
}
