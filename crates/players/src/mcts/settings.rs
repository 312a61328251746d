//! From the arguments of the agent `mcts` to the settings of the search.

use afterstate_game::Limits;
use afterstate_search::mcts::{
    Chance, Choice, Cut, Expansion, FirstPlay, Over, Parallelism, Payoff, Reuse, Rule, Scale, Selection, Settings,
    Shares, Simulation,
};

use crate::key::Arguments;
use crate::{SpecError, memory};

/// The settings that the arguments describe.
pub(super) fn read(arguments: &Arguments) -> Result<Settings, SpecError> {
    let memory = arguments.size_or_off("memory")?.unwrap_or(Settings::default().memory);
    memory::check(arguments, memory)?;
    Ok(Settings {
        limits: Limits {
            iterations: arguments.integer_or_off("iterations")?,
            time: arguments.time_or_off("time")?,
            nodes: arguments.integer_or_off("nodes")?,
            depth: arguments.integer_or_off("depth")?.map(|depth| depth as u32),
        },
        chance: match arguments.choice("chance")? {
            "sampled" => Chance::Sampled,
            "open-loop" => Chance::OpenLoop,
            "balanced" => Chance::Balanced,
            _ => Chance::Explicit,
        },
        selection: Selection {
            rule: rule(arguments)?,
            bias: arguments.number("bias")?,
            first_play: first_play(arguments)?,
        },
        expansion: match arguments.variant("expansion")? {
            ("all-at-once", set) => Expansion::AllAtOnce { keep: None, at_visit: at_visit(&set)? },
            ("reduced", set) => Expansion::AllAtOnce { keep: Some(shares(&set)?), at_visit: at_visit(&set)? },
            _ => Expansion::OneByOne,
        },
        simulation: simulation(arguments)?,
        payoff: payoff(arguments)?,
        minimax: arguments.number("minimax")?,
        choice: match arguments.variant("choice")? {
            ("robust", _) => Choice::Robust,
            ("max-robust", set) => Choice::MaxRobust { extension: set.number("extension")? },
            ("secure", set) => Choice::Secure { a: set.number("a")? },
            _ => Choice::Max,
        },
        reuse: if arguments.switch("reuse")? { Reuse::Keep } else { Reuse::Fresh },
        parallelism: match arguments.variant("parallelism")? {
            ("root", set) => Parallelism::Root { trees: set.integer("trees")? as u32 },
            ("tree", set) => Parallelism::Tree { threads: set.integer("threads")? as u32 },
            _ => Parallelism::Single,
        },
        memory,
    })
}

fn rule(arguments: &Arguments) -> Result<Rule, SpecError> {
    let (word, set) = arguments.variant("selection")?;
    let c = || set.number("c");
    Ok(match word {
        "uct-cp" => Rule::Uct { c: 2.0 * set.number("cp")? },
        "ucb1-tuned" => Rule::Ucb1Tuned { c: c()? },
        "single-player" => Rule::SinglePlayer { c: c()?, d: set.number("d")? },
        "uct-n" => Rule::UctN { c: c()? },
        "uct-spread" => Rule::UctSpread { c: c()? },
        "puct" => Rule::Puct { c: c()?, temperature: set.number("temperature")? },
        _ => Rule::Uct { c: c()? },
    })
}

fn first_play(arguments: &Arguments) -> Result<FirstPlay, SpecError> {
    Ok(match arguments.variant("first-play")? {
        ("urgency", set) => FirstPlay::Urgency(set.number("value")?),
        ("below-parent", set) => FirstPlay::BelowParent(set.number("by")?),
        ("static", _) => FirstPlay::Static,
        _ => FirstPlay::BeforeAll,
    })
}

fn at_visit(set: &Arguments) -> Result<u32, SpecError> {
    Ok(set.integer("at-visit")? as u32)
}

fn shares(set: &Arguments) -> Result<Shares, SpecError> {
    Ok(Shares { best: set.number("best")?, random: set.number("random")? })
}

fn simulation(arguments: &Arguments) -> Result<Simulation, SpecError> {
    let (word, set) = arguments.variant("simulation")?;
    let limit = || set.integer_or_off("limit").map(|limit| limit.map(|limit| limit as u32));
    Ok(match word {
        "none" => Simulation::None,
        "look-ahead" => Simulation::LookAhead { moves: set.integer("moves")? as u32 },
        "policy" => Simulation::Policy { limit: limit()?, shares: shares(&set)? },
        "greedy" => Simulation::Greedy { limit: limit()?, random: set.number("random")? },
        _ => Simulation::Random { limit: limit()? },
    })
}

fn payoff(arguments: &Arguments) -> Result<Payoff, SpecError> {
    Ok(Payoff {
        scale: match arguments.variant("scale")? {
            ("raw", _) => Scale::Raw,
            ("logistic", set) => Scale::Logistic { scale: set.number("scale")? },
            (_, set) => Scale::Linear { half_range: set.number("half-range")? },
        },
        cut: match arguments.choice("cut")? {
            "draw" => Cut::Draw,
            _ => Cut::Evaluation,
        },
        over: match arguments.variant("over")? {
            ("worth", set) => Over::Worth(set.number("value")?),
            _ => Over::Evaluation,
        },
        win: arguments.number("win")?,
    })
}
