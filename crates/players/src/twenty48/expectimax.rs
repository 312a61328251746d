//! The agent `expectimax` of 2048: every key, and how they become the settings of the search.

use afterstate_game::{Evaluation, Limits};
use afterstate_search::expectimax::{
    Chance, Dead, Deepening, Depth, DepthUnit, Expectimax, Horizon, Keys, Leaves, Lifetime, Reuse, Settings, Sharing,
    SingleMove, TableNodes, TableSettings,
};
use afterstate_twenty48::State;

use super::tables;
use crate::evaluated::{WithEvaluation, with_evaluation};
use crate::key::{Arguments, Key, Values};
use crate::{AgentKind, BoxedPlayer, SpecError, memory};

pub(super) const AGENT: AgentKind<State> = AgentKind {
    name: "expectimax",
    summary: "searches moves and spawns, and plays the move of the highest expected value",
    keys: KEYS,
    build,
};

const KEYS: &[Key] = &[
    Key { name: "depth", default: "4", values: Values::Integer(1, 100), help: "how deep to search, in units" },
    Key {
        name: "unit",
        default: "half-moves",
        values: Values::Choice(&["half-moves", "half-moves-after-move", "levels", "moves-ahead"]),
        help: "what counts as one: each move and spawn; the same, the first move free; a move with its spawn; a spawn \
               with the next move",
    },
    Key {
        name: "depth-rule",
        default: "fixed",
        values: Values::Choice(&["fixed", "distinct", "empty"]),
        help: "depth as given; or at least the number of distinct tiles less 2; or up to 2 more when few cells are empty",
    },
    Key { name: "eval", default: "xiao", values: Values::Evaluation, help: "how boards are judged at the leaves" },
    Key {
        name: "dead",
        default: "0",
        values: Values::Number(-1e9, 1e9),
        help: "the worth of a board without a legal move",
    },
    Key {
        name: "dead-rule",
        default: "value",
        values: Values::Choice(&["value", "floor", "evaluated"]),
        help: "dead boards are worth that value; or no board is worth less; or dead boards are judged like others",
    },
    Key {
        name: "horizon",
        default: "sees-dead",
        values: Values::Choice(&["sees-dead", "evaluates"]),
        help: "whether a dead board is noticed where the depth ends",
    },
    Key {
        name: "single-move",
        default: "searched",
        values: Values::Choice(&["searched", "played"]),
        help: "what happens to the only legal move",
    },
    Key {
        name: "chance",
        default: "full",
        values: Values::Choice(&["full", "sampled", "likeliest"]),
        help: "all spawns; some drawn by their probability; some cells, twos only",
    },
    Key { name: "samples", default: "10", values: Values::Integer(1, 32), help: "how many spawns when not all" },
    Key {
        name: "cutoff",
        default: "0",
        values: Values::Number(0.0, 0.99),
        help: "boards less probable than this are judged whatever the depth",
    },
    Key { name: "table", default: "off", values: Values::SizeOrOff, help: "memory for the transposition table" },
    Key {
        name: "reuse",
        default: "exact",
        values: Values::Choice(&["exact", "sound", "shallower"]),
        help: "a stored value stands for a search of the same depth; of at most its depth; of at least its depth",
    },
    Key {
        name: "table-nodes",
        default: "chance",
        values: Values::Choice(&["chance", "max"]),
        help: "the nodes whose values are stored",
    },
    Key {
        name: "table-keys",
        default: "own",
        values: Values::Choice(&["own", "symmetric"]),
        help: "whether boards that differ by a symmetry share a value",
    },
    Key {
        name: "table-lifetime",
        default: "decision",
        values: Values::Choice(&["decision", "game"]),
        help: "how long a value is kept",
    },
    Key {
        name: "table-sharing",
        default: "all-moves",
        values: Values::Choice(&["all-moves", "per-move"]),
        help: "which root moves see each other's values",
    },
    Key {
        name: "leaves",
        default: "together",
        values: Values::Choice(&["together", "one-by-one"]),
        help: "leaves judged all moves at once, or each counted as a call of its own; the values are the same",
    },
    Key {
        name: "deepening",
        default: "when-limited",
        values: Values::Choice(&["when-limited", "always"]),
        help: "when every smaller depth is searched first",
    },
    Key { name: "time", default: "off", values: Values::TimeOrOff, help: "time per move; not reproducible" },
    Key { name: "nodes", default: "off", values: Values::IntegerOrOff(1, u64::MAX), help: "nodes per move" },
    Key {
        name: "threads",
        default: "1",
        values: Values::Integer(1, 256),
        help: "threads for the moves of the root; they never change the decision",
    },
    tables::KEYS[0],
    tables::KEYS[1],
    tables::KEYS[2],
];

fn build(arguments: &Arguments) -> Result<BoxedPlayer<State>, SpecError> {
    struct Build<'a>(&'a Arguments, Settings<State>);

    impl WithEvaluation<State> for Build<'_> {
        type Output = Result<BoxedPlayer<State>, SpecError>;

        fn with<E: Evaluation<State> + Clone + 'static>(self, evaluation: E) -> Self::Output {
            let player = Expectimax::new(self.1, evaluation).map_err(|error| self.0.unsuitable(error.to_string()))?;
            tables::asked_first(self.0, Box::new(player))
        }
    }

    let settings = settings(arguments)?;
    with_evaluation(arguments, Build(arguments, settings))?
}

fn settings(arguments: &Arguments) -> Result<Settings<State>, SpecError> {
    let dead = arguments.number("dead")? as f32;
    let samples = arguments.integer("samples")? as u32;
    Ok(Settings {
        depth: depth(arguments)?,
        unit: match arguments.choice("unit")? {
            "half-moves" => DepthUnit::HalfMoves,
            "half-moves-after-move" => DepthUnit::HalfMovesAfterMove,
            "levels" => DepthUnit::Levels,
            _ => DepthUnit::MovesAhead,
        },
        limits: Limits {
            nodes: arguments.integer_or_off("nodes")?,
            time: arguments.time_or_off("time")?,
            ..Limits::NONE
        },
        deepening: match arguments.choice("deepening")? {
            "always" => Deepening::Always,
            _ => Deepening::WhenLimited,
        },
        dead: match arguments.choice("dead-rule")? {
            "floor" => Dead::Floor(dead),
            "evaluated" => Dead::Evaluated,
            _ => Dead::Value(dead),
        },
        horizon: match arguments.choice("horizon")? {
            "evaluates" => Horizon::Evaluates,
            _ => Horizon::SeesDead,
        },
        single_move: match arguments.choice("single-move")? {
            "played" => SingleMove::Played,
            _ => SingleMove::Searched,
        },
        chance: match arguments.choice("chance")? {
            "sampled" => Chance::Sampled(samples),
            "likeliest" => Chance::Likeliest(samples),
            _ => Chance::Full,
        },
        cutoff: arguments.number("cutoff")? as f32,
        table: table(arguments)?,
        leaves: match arguments.choice("leaves")? {
            "one-by-one" => Leaves::OneByOne,
            _ => Leaves::Together,
        },
        threads: arguments.integer("threads")? as u32,
    })
}

fn depth(arguments: &Arguments) -> Result<Depth<State>, SpecError> {
    let depth = arguments.integer("depth")? as u32;
    Ok(match arguments.choice("depth-rule")? {
        "distinct" => Depth::adaptive(move |state: &State| depth.max(state.0.count_distinct().saturating_sub(2))),
        "empty" => Depth::adaptive(move |state: &State| {
            depth
                + match state.0.count_empty() {
                    0..=3 => 2,
                    4..=7 => 1,
                    _ => 0,
                }
        }),
        _ => Depth::Fixed(depth),
    })
}

fn table(arguments: &Arguments) -> Result<Option<TableSettings<State>>, SpecError> {
    let Some(bytes) = arguments.size_or_off("table")? else { return Ok(None) };
    memory::check(arguments, bytes)?;
    Ok(Some(TableSettings {
        bytes,
        reuse: match arguments.choice("reuse")? {
            "sound" => Reuse::Sound,
            "shallower" => Reuse::Shallower,
            _ => Reuse::Exact,
        },
        nodes: match arguments.choice("table-nodes")? {
            "max" => TableNodes::Max,
            _ => TableNodes::Chance,
        },
        lifetime: match arguments.choice("table-lifetime")? {
            "game" => Lifetime::Game,
            _ => Lifetime::Decision,
        },
        sharing: match arguments.choice("table-sharing")? {
            "per-move" => Sharing::PerMove,
            _ => Sharing::AllMoves,
        },
        keys: match arguments.choice("table-keys")? {
            "symmetric" => Keys::Canonical {
                afterstate: |slid| slid.0.canonical().key(),
                position: |state| state.0.canonical().key(),
            },
            _ => Keys::Own,
        },
    }))
}
