//! The catalogue of a game: its agents, presets and evaluations, and how a spec becomes a player.

use afterstate_game::{Notation, Player};

use crate::error::nearest;
use crate::key::{Arguments, Key};
use crate::{Spec, SpecError};

/// A game that agents can be named for.
pub trait Playable: Notation {
    /// Everything that can be named in a spec of this game.
    fn catalogue() -> &'static Catalogue<Self>;
}

/// Everything that can be named in a spec of one game.
#[derive(Debug)]
pub struct Catalogue<P: Playable> {
    /// Agents with their keys.
    pub agents: &'static [AgentKind<P>],
    /// Names for particular settings of an agent.
    pub presets: &'static [Preset],
    /// Evaluations that searches can use at their leaves.
    pub evaluations: &'static [EvaluationKind],
}

/// An agent that can be built from a spec.
#[derive(Debug)]
pub struct AgentKind<P: Playable> {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Its settings.
    pub keys: &'static [Key],
    /// Makes the player.
    pub build: Build<P>,
}

/// Makes a player from checked arguments.
pub type Build<P> = fn(&Arguments) -> Result<BoxedPlayer<P>, SpecError>;

/// A player whose algorithm is only known from a spec.
pub type BoxedPlayer<P> = Box<dyn Player<P>>;

/// A name for particular settings of an agent. Further arguments are put over those of the preset.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name in a spec.
    pub name: &'static str,
    /// The agent and its settings.
    pub spec: &'static str,
    /// Where the settings come from.
    pub summary: &'static str,
}

/// An evaluation that can be named in the key `eval` of an agent.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationKind {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it judges, in one line.
    pub summary: &'static str,
    /// Its weights.
    pub keys: &'static [Key],
}

/// Makes the player that a spec names.
pub fn build<P: Playable>(text: &str) -> Result<BoxedPlayer<P>, SpecError> {
    build_spec(&Spec::parse(text)?)
}

/// Makes the player that a parsed spec names.
pub fn build_spec<P: Playable>(spec: &Spec) -> Result<BoxedPlayer<P>, SpecError> {
    let spec = resolve::<P>(spec)?;
    let agent = agent::<P>(&spec.name)?;
    (agent.build)(&Arguments::new(agent.name, agent.keys, spec)?)
}

/// The spec in its canonical spelling, after checking that a player can be built from it.
pub fn canonical<P: Playable>(text: &str) -> Result<String, SpecError> {
    let spec = Spec::parse(text)?;
    build_spec::<P>(&spec)?;
    Ok(spec.to_string())
}

/// The agent that a text names, written the same way for every spelling of it: presets resolved, keys in order. Two texts
/// with the same identity name the same player, and a preset that changes later does not change what was stored.
pub fn identity<P: Playable>(text: &str) -> Result<String, SpecError> {
    let spec = Spec::parse(text)?;
    build_spec::<P>(&spec)?;
    Ok(resolve::<P>(&spec)?.sorted().to_string())
}

/// A preset's agent with all its settings; any other spec as it is.
pub fn resolve<P: Playable>(spec: &Spec) -> Result<Spec, SpecError> {
    match P::catalogue().presets.iter().find(|preset| preset.name == spec.name) {
        Some(preset) => Ok(Spec::parse(preset.spec)?.overridden_by(&spec.arguments)),
        None => Ok(spec.clone()),
    }
}

pub(crate) fn agent<P: Playable>(name: &str) -> Result<&'static AgentKind<P>, SpecError> {
    let catalogue = P::catalogue();
    catalogue.agents.iter().find(|agent| agent.name == name).ok_or_else(|| {
        let agents = catalogue.agents.iter().map(|agent| agent.name);
        let known = agents.chain(catalogue.presets.iter().map(|preset| preset.name));
        unknown_name(format!("{} agent", P::GAME), name, known)
    })
}

pub(crate) fn unknown_name(
    what: impl Into<String>,
    name: &str,
    known: impl Iterator<Item = &'static str> + Clone,
) -> SpecError {
    SpecError::UnknownName {
        what: what.into(),
        name: name.to_owned(),
        nearest: nearest(name, known.clone()),
        known: known.map(str::to_owned).collect(),
    }
}

/// The kind of evaluation that a spec names, from a game's list.
pub(crate) fn evaluation_kind(
    kinds: &'static [EvaluationKind],
    spec: &Spec,
) -> Result<&'static EvaluationKind, SpecError> {
    kinds
        .iter()
        .find(|kind| kind.name == spec.name)
        .ok_or_else(|| unknown_name("evaluation", &spec.name, kinds.iter().map(|kind| kind.name)))
}
