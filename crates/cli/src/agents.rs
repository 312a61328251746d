//! `afterstate agents`: every agent, preset and evaluation with its keys.

use std::io::Write;

use afterstate_players::{Catalogue, Key, Playable, Values, Variant};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::terminal::{self, folded};

/// Lines that go on below themselves keep room for words.
const WIDEST_INDENT: usize = 32;

/// Lists the catalogue of one game for people.
pub(crate) fn list<P: Playable>(out: &mut impl Write) -> Result<(), Failure> {
    let Catalogue { agents, presets, evaluations } = P::catalogue();
    writeln!(out, "# {}\n", P::GAME)?;
    writeln!(out, "Agents: name(key=value, ...)\n")?;
    for agent in *agents {
        show(out, &format!("  {}  {}", agent.name, agent.summary), 6)?;
        keys(out, agent.keys, 6)?;
    }
    writeln!(out, "\nEvaluations: eval=name or eval=name(key=value, ...)\n")?;
    for evaluation in *evaluations {
        show(out, &format!("  {}  {}", evaluation.name, evaluation.summary), 6)?;
        keys(out, evaluation.keys, 6)?;
    }
    writeln!(out, "\nPresets: further keys go over those of the preset, as in name(key=value)\n")?;
    let width = presets.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in *presets {
        show(out, &format!("  {:width$}  {}", preset.name, preset.summary), width + 4)?;
        show(out, &format!("  {:width$}  = {}", "", preset.spec), width + 6)?;
    }
    Ok(())
}

/// A line, on a terminal as wide as that is.
fn show(out: &mut impl Write, line: &str, indent: usize) -> Result<(), Failure> {
    Ok(writeln!(out, "{}", folded(line, indent, terminal::width()))?)
}

fn keys(out: &mut impl Write, of: &[Key], indent: usize) -> Result<(), Failure> {
    let name_width = of.iter().map(|key| key.name.len()).max().unwrap_or(0);
    let default_width = of.iter().map(|key| key.default.len()).max().unwrap_or(0);
    for key in of {
        let Key { name, default, values, help } = key;
        let values_and_help = format!("{}: {help}", values.describe());
        let line = format!("{:indent$}{name:name_width$} = {default:default_width$}  {values_and_help}", "");
        show(out, &line, (indent + name_width + default_width + 5).min(WIDEST_INDENT))?;
        for variant in variants(values).iter().filter(|variant| !variant.keys.is_empty()) {
            writeln!(out, "{:indent$}  {}(key=value, ...)", "", variant.name)?;
            keys(out, variant.keys, indent + 4)?;
        }
    }
    Ok(())
}

/// The words of a key that have settings of their own.
fn variants(values: &Values) -> &'static [Variant] {
    if let Values::Variant(variants) = values { variants } else { &[] }
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
            let mut described = json!({
                "name": key.name, "default": key.default, "values": key.values.describe(), "help": key.help,
            });
            let variants = variants(&key.values);
            if !variants.is_empty() {
                let settings =
                    variants.iter().map(|variant| json!({ "name": variant.name, "keys": keys_as_json(variant.keys) }));
                described["variants"] = settings.collect();
            }
            described
        })
        .collect()
}
