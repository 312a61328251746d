//! From an experiment to its series: sweeps expanded, agents checked, pairs made, openings read.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{AtPlyLimit, DrawRules, Limits, Notation as _};
use afterstate_players::{Playable, Spec, canonical, identity, nearest, parse_time};
use afterstate_twenty48::State;

use super::file::{AgentSettings, AtLimit, DrawSettings, LimitSettings, PositionSettings};
use super::{Experiment, ExperimentError, FigureSettings, GameName, Measure, Pairing, Planned, SeriesKind, StopRule};
use crate::decisions::DecisionRun;
use crate::duel::{DuelRun, Opening, parse_openings};
use crate::solo::SoloRun;

/// An agent of an experiment, one of a sweep or alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name in tables.
    pub name: String,
    /// Its spec with presets resolved: what its games are stored under.
    pub spec: String,
    /// The values of the swept keys.
    pub swept: BTreeMap<String, String>,
    /// Its name as the file has it, with places for swept values.
    pub template: String,
    /// The number of games of this agent, where it differs.
    pub games: Option<u64>,
}

impl Agent {
    /// The name that agents share which differ in nothing but the value of `key`.
    #[must_use]
    pub fn family(&self, key: &str) -> String {
        let others: BTreeMap<String, String> =
            self.swept.iter().filter(|(other, _)| *other != key).map(|(k, v)| (k.clone(), v.clone())).collect();
        let name = filled(&self.template, &others).replace(&format!("{{{key}}}"), "");
        name.trim_end_matches(|c: char| c == '_' || c == '-' || c.is_whitespace()).to_owned()
    }
}

/// One series of an experiment and what its rows are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name in tables.
    pub name: String,
    /// The agents: one, or the two of a match.
    pub agents: Vec<Agent>,
}

/// Everything that an experiment plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The series in the order in which they are played.
    pub rows: Vec<Row>,
    /// Their games.
    pub games: PlannedGames,
    /// The openings of matches, or the positions to decide.
    openings: Vec<Opening<Abalone>>,
}

/// The series of a plan; one for each of its rows.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedGames {
    /// 2048.
    Solo(Vec<Planned<SoloRun<State>>>),
    /// Abalone.
    Duel(Vec<Planned<DuelRun<Abalone>>>),
    /// Decisions on positions of Abalone.
    Decision(Vec<Planned<DecisionRun<Abalone>>>),
}

impl PlannedGames {
    /// The kind of the series.
    #[must_use]
    pub fn kind(&self) -> SeriesKind {
        match self {
            Self::Solo(_) => SeriesKind::Solo,
            Self::Duel(_) => SeriesKind::Duel,
            Self::Decision(_) => SeriesKind::Decision,
        }
    }
}

impl Plan {
    /// Checks an experiment and works out its series. Files are looked for beside the experiment's own, in `folder`.
    pub fn new(experiment: &Experiment, folder: &Path) -> Result<Self, ExperimentError> {
        check_name("name", &experiment.name)?;
        if let Some(results) = &experiment.results {
            check_name("results", results)?;
        }
        let limits = limits(&experiment.limits)?;
        let plan = match (experiment.game, &experiment.positions) {
            (GameName::Twenty48, None) => solo_plan(experiment, limits),
            (GameName::Abalone, None) => duel_plan(experiment, limits, folder),
            (GameName::Abalone, Some(positions)) => decision_plan(experiment, positions, limits, folder),
            (GameName::Twenty48, Some(_)) => Err(ExperimentError::setting("positions", "only for abalone")),
        }?;
        check_report(experiment, &plan)?;
        Ok(plan)
    }

    /// The experiment as it is kept with its games: the positions of a file are in it, because the file need not be at hand
    /// where the results are read.
    pub(crate) fn resolved(&self, experiment: &Experiment) -> String {
        let mut whole = experiment.clone();
        for settings in [&mut whole.openings, &mut whole.positions].into_iter().flatten() {
            if settings.file.take().is_some() {
                let read = self.openings.iter().skip(settings.layouts.len());
                settings.positions =
                    read.map(|Opening { name, position }| format!("{name}: {}", position.to_text())).collect();
            }
        }
        whole.resolved()
    }
}

fn check_name(setting: &str, name: &str) -> Result<(), ExperimentError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || !name.chars().all(is_plain) || name.starts_with('.') {
        let reason = "expected letters, digits, `-`, `_` and `.`: a file is called after it";
        return Err(ExperimentError::setting(format!("{setting} = {name:?}"), reason));
    }
    Ok(())
}

/// Whether what is to be shown can be shown: better before the games than after.
fn check_report(experiment: &Experiment, plan: &Plan) -> Result<(), ExperimentError> {
    for (index, table) in experiment.tables.iter().enumerate() {
        let place = format!("tables.{index}.measures");
        table.measures.iter().try_for_each(|measure| check_measure(&place, *measure, plan))?;
    }
    for (index, figure) in experiment.figures.iter().enumerate() {
        check_figure(&format!("figures.{index}"), figure, plan)?;
    }
    let Some(published) = &experiment.published else { return Ok(()) };
    for (name, values) in &published.values {
        let place = format!("published.values.{name:?}");
        if !plan.rows.iter().any(|row| row.name == *name) {
            let nearest = nearest(name, plan.rows.iter().map(|row| row.name.as_str()));
            let nearest = nearest.map_or_else(String::new, |name| format!(" (did you mean {name:?}?)"));
            return Err(ExperimentError::setting(place, format!("no row is called so{nearest}")));
        }
        for measure in values.keys().filter(|name| name.as_str() != "games") {
            let measure = measure.parse().map_err(|error| ExperimentError::setting(place.as_str(), error))?;
            check_measure(&place, measure, plan)?;
        }
    }
    Ok(())
}

fn check_measure(place: &str, measure: Measure, plan: &Plan) -> Result<(), ExperimentError> {
    let (found, expected) = (measure.kind(), plan.games.kind());
    if found == expected {
        return Ok(());
    }
    let of = |kind| match kind {
        SeriesKind::Solo => "games of one player",
        SeriesKind::Duel => "matches",
        SeriesKind::Decision => "decisions",
    };
    let reason = format!("`{}` measures {}, not {}", measure.name(), of(found), of(expected));
    Err(ExperimentError::setting(place, reason))
}

fn check_figure(place: &str, figure: &FigureSettings, plan: &Plan) -> Result<(), ExperimentError> {
    match figure {
        FigureSettings::Bars { measure, .. } => check_measure(place, *measure, plan),
        FigureSettings::Lines { measure, over, .. } => {
            let mut agents = plan.rows.iter().flat_map(|row| &row.agents);
            if !agents.any(|agent| agent.swept.contains_key(over)) {
                return Err(ExperimentError::setting(format!("{place}.over"), format!("no agent sweeps `{over}`")));
            }
            check_measure(place, *measure, plan)
        }
        FigureSettings::Distribution { .. } if plan.games.kind() != SeriesKind::Solo => {
            Err(ExperimentError::setting(place, "only games of one player have scores"))
        }
        FigureSettings::Course { .. } if plan.games.kind() == SeriesKind::Decision => {
            Err(ExperimentError::setting(place, "decisions have no course"))
        }
        FigureSettings::Course { judge: Some(judge), .. } => match plan.games.kind() {
            SeriesKind::Solo => canonical::<State>(judge),
            _ => canonical::<Abalone>(judge),
        }
        .map(drop)
        .map_err(|error| ExperimentError::setting(format!("{place}.judge"), error)),
        FigureSettings::Distribution { .. } | FigureSettings::Course { .. } => Ok(()),
    }
}

/// Limits as written in a file.
pub(crate) fn limits(settings: &LimitSettings) -> Result<Limits, ExperimentError> {
    let time = settings.time.as_ref().map(|text| {
        parse_time(text).ok_or_else(|| {
            ExperimentError::setting(format!("limits.time = {text:?}"), "expected a time such as 5ms or 20s")
        })
    });
    Ok(Limits {
        depth: settings.depth,
        nodes: settings.nodes,
        iterations: settings.iterations,
        time: time.transpose()?,
    })
}

fn solo_plan(experiment: &Experiment, limits: Limits) -> Result<Plan, ExperimentError> {
    for (setting, is_given) in [
        ("pairing", experiment.pairing.is_some()),
        ("openings", experiment.openings.is_some()),
        ("draws", experiment.draws.is_some()),
    ] {
        if is_given {
            return Err(ExperimentError::setting(setting, "2048 has one player: leave this out"));
        }
    }
    let agents = agents::<State>(experiment)?;
    let mut series = Vec::new();
    for agent in &agents {
        let stop = stop_rule(experiment, agent.games)?;
        if stop.sprt().is_some() {
            return Err(ExperimentError::setting(
                "stop.rule",
                "sprt needs a game of two players; use half-width or games",
            ));
        }
        series.push(Planned { series: SoloRun::new(agent.spec.clone(), experiment.seed, limits), stop });
    }
    let rows = agents.into_iter().map(|agent| Row { name: agent.name.clone(), agents: vec![agent] }).collect();
    Ok(Plan { rows, games: PlannedGames::Solo(series), openings: Vec::new() })
}

fn duel_plan(experiment: &Experiment, limits: Limits, folder: &Path) -> Result<Plan, ExperimentError> {
    let agents = agents::<Abalone>(experiment)?;
    let openings = openings(experiment.openings.as_ref(), folder)?;
    let rules = draw_rules(experiment.draws.unwrap_or_default());
    let mut rows = Vec::new();
    let mut series = Vec::new();
    for [a, b] in pairs(experiment, &agents)? {
        let stop = stop_rule(experiment, a.games.or(b.games))?;
        let run = DuelRun {
            agents: [a.spec.clone(), b.spec.clone()],
            openings: openings.clone(),
            rules,
            limits,
            seed: experiment.seed,
        };
        series.push(Planned { series: run, stop });
        rows.push(Row { name: format!("{} : {}", a.name, b.name), agents: vec![a.clone(), b.clone()] });
    }
    Ok(Plan { rows, games: PlannedGames::Duel(series), openings })
}

fn decision_plan(
    experiment: &Experiment,
    positions: &PositionSettings,
    limits: Limits,
    folder: &Path,
) -> Result<Plan, ExperimentError> {
    for (setting, is_given) in [
        ("games", experiment.games.is_some()),
        ("stop", experiment.stop.is_some()),
        ("pairing", experiment.pairing.is_some()),
        ("openings", experiment.openings.is_some()),
        ("draws", experiment.draws.is_some()),
    ] {
        if is_given {
            return Err(ExperimentError::setting(setting, "positions are decided once each: leave this out"));
        }
    }
    let positions = openings(Some(positions), folder)?;
    let mut rows = Vec::new();
    let mut series = Vec::new();
    for position in &positions {
        for agent in agents::<Abalone>(experiment)? {
            let run =
                DecisionRun { agent: agent.spec.clone(), position: position.clone(), seed: experiment.seed, limits };
            series.push(Planned { series: run, stop: StopRule::Games { games: 1 } });
            rows.push(Row { name: format!("{}, {}", agent.name, position.name), agents: vec![agent] });
        }
    }
    Ok(Plan { rows, games: PlannedGames::Decision(series), openings: positions })
}

fn stop_rule(experiment: &Experiment, games: Option<u64>) -> Result<StopRule, ExperimentError> {
    let rule = match (games.or(experiment.games), experiment.stop) {
        (Some(_), Some(_)) => {
            return Err(ExperimentError::setting("games", "there is a stopping rule too: give one of the two"));
        }
        (Some(games), None) => StopRule::Games { games },
        (None, Some(rule)) => rule,
        (None, None) => return Err(ExperimentError::setting("games", "missing; expected a number of games or [stop]")),
    };
    rule.validate().map_err(|error| ExperimentError::setting("stop", error))?;
    Ok(rule)
}

/// The rules of draws as written in a file.
pub(crate) fn draw_rules(settings: DrawSettings) -> DrawRules {
    let at_limit = match settings.at_limit {
        AtLimit::Draw => AtPlyLimit::Draw,
        AtLimit::LeaderWins => AtPlyLimit::LeaderWins,
    };
    DrawRules { repetitions: Some(settings.repetitions), max_plies: Some(settings.max_plies), at_limit }
}

/// Openings as written in a file, by default the two usual layouts. Files are looked for in `folder`.
pub(crate) fn openings(
    settings: Option<&PositionSettings>,
    folder: &Path,
) -> Result<Vec<Opening<Abalone>>, ExperimentError> {
    let usual = PositionSettings {
        layouts: vec![Layout::Standard.name().to_owned(), Layout::BelgianDaisy.name().to_owned()],
        ..PositionSettings::default()
    };
    let settings = settings.unwrap_or(&usual);
    let mut openings = Vec::new();
    for name in &settings.layouts {
        let layout: Layout = name.parse().map_err(|error| ExperimentError::setting("openings.layouts", error))?;
        openings.push(Opening { name: layout.name().to_owned(), position: layout.position() });
    }
    if let Some(file) = &settings.file {
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| ExperimentError::unreadable(&path, &error))?;
        let read = parse_openings(&text).map_err(|error| ExperimentError::setting(file.as_str(), error))?;
        openings.extend(read);
    }
    if !settings.positions.is_empty() {
        let read = parse_openings(&settings.positions.join("\n"));
        openings.extend(read.map_err(|error| ExperimentError::setting("openings.positions", error))?);
    }
    if openings.is_empty() {
        return Err(ExperimentError::setting("openings", "empty; expected layouts, a file or positions"));
    }
    Ok(openings)
}

fn agents<P: Playable>(experiment: &Experiment) -> Result<Vec<Agent>, ExperimentError> {
    let mut agents = Vec::new();
    for (index, settings) in experiment.agents.iter().enumerate() {
        for swept in combinations(&settings.sweep) {
            let place = |part: &str| format!("agents.{index}.{part}");
            let wrong = |error| ExperimentError::setting(place("spec"), error);
            let written = swept_spec(settings, &swept).map_err(wrong)?.to_string();
            let spec = identity::<P>(&written).map_err(wrong)?;
            let template = settings.name.clone().unwrap_or(written);
            let name = filled(&template, &swept);
            agents.push(Agent { name, spec, swept, template, games: settings.games });
        }
    }
    if agents.is_empty() {
        return Err(ExperimentError::setting("agents", "empty; expected at least one agent"));
    }
    let mut names = HashSet::new();
    match agents.iter().find(|agent| !names.insert(agent.name.as_str())) {
        Some(twice) => {
            let reason = "two agents have this name; put the swept keys into it, such as EXP_{depth}";
            Err(ExperimentError::setting(format!("agents: {:?}", twice.name), reason))
        }
        None => Ok(agents),
    }
}

/// All combinations of the swept values; one that is empty where nothing is swept.
fn combinations(sweep: &BTreeMap<String, Vec<toml::Value>>) -> Vec<BTreeMap<String, String>> {
    let mut all = vec![BTreeMap::new()];
    for (key, values) in sweep {
        all = (all.iter())
            .flat_map(|chosen: &BTreeMap<String, String>| {
                values.iter().map(move |value| {
                    let mut chosen = chosen.clone();
                    chosen.insert(key.clone(), plain_text(value));
                    chosen
                })
            })
            .collect();
    }
    all
}

fn plain_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn swept_spec(
    settings: &AgentSettings,
    swept: &BTreeMap<String, String>,
) -> Result<Spec, afterstate_players::SpecError> {
    let arguments: Result<Vec<_>, _> =
        swept.iter().map(|(key, value)| Ok((key.clone(), Spec::parse(value)?))).collect();
    Ok(Spec::parse(&settings.spec)?.overridden_by(&arguments?))
}

fn filled(name: &str, swept: &BTreeMap<String, String>) -> String {
    swept.iter().fold(name.to_owned(), |name, (key, value)| name.replace(&format!("{{{key}}}"), value))
}

fn pairs<'a>(experiment: &Experiment, agents: &'a [Agent]) -> Result<Vec<[&'a Agent; 2]>, ExperimentError> {
    let Some(pairing) = &experiment.pairing else {
        return Err(ExperimentError::setting("pairing", "missing; expected round-robin, gauntlet or pairs"));
    };
    let named = |name: &String| {
        agents.iter().find(|agent| agent.name == *name).ok_or_else(|| {
            let known = agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
            ExperimentError::setting("pairing.pairs", format!("no agent is called {name:?}; known: {known}"))
        })
    };
    let pairs: Vec<[&Agent; 2]> = match pairing {
        Pairing::RoundRobin => {
            (agents.iter().enumerate()).flat_map(|(i, a)| agents[i + 1..].iter().map(move |b| [a, b])).collect()
        }
        Pairing::Gauntlet => agents[1..].iter().map(|opponent| [&agents[0], opponent]).collect(),
        Pairing::Pairs(pairs) => pairs.iter().map(|[a, b]| Ok([named(a)?, named(b)?])).collect::<Result<_, _>>()?,
    };
    match pairs.iter().find(|[a, b]| a.spec == b.spec) {
        Some([a, b]) if a.name == b.name => {
            Err(ExperimentError::setting("pairing", format!("{:?} would play against itself", a.name)))
        }
        Some([a, b]) => {
            let same =
                format!("{:?} and {:?} are both `{}`; a match needs two agents that differ", a.name, b.name, a.spec);
            Err(ExperimentError::setting("pairing", same))
        }
        None if pairs.is_empty() => Err(ExperimentError::setting("pairing", "a match needs two agents")),
        None => Ok(pairs),
    }
}
