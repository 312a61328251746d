//! The agent `alphabeta` of Abalone: every key, and how they become the settings of the search.

use std::num::NonZeroUsize;

use afterstate_abalone::Position;
use afterstate_game::{Evaluation, Limits};
use afterstate_search::alphabeta::{
    AfterMiss, AlphaBeta, Futility, LateMoves, Lifetime, Memory, NullMove, Ordering, Quiescence, Reductions,
    Repetition, Replacement, Reuse, Settings, Unfinished, Window,
};

use crate::evaluated::{WithEvaluation, with_evaluation};
use crate::key::{Arguments, Key, Values, Variant};
use crate::{AgentKind, BoxedPlayer, SpecError, memory};

pub(super) const AGENT: AgentKind<Position> = AgentKind {
    name: "alphabeta",
    summary: "searches both sides' best moves with alpha-beta; every technique can be switched alone",
    keys: KEYS,
    build,
};

const MARGIN: &[Variant] = &Variant::technique(&[
    Key { name: "max-depth", default: "3", values: Values::Integer(1, 20), help: "the deepest search that uses it" },
    Key { name: "base", default: "200", values: Values::Number(0.0, 1e6), help: "the margin at depth 0" },
    Key { name: "per-ply", default: "200", values: Values::Number(0.0, 1e6), help: "what each half-move adds" },
]);

const REDUCTIONS: &[Variant] = &Variant::technique(&[
    Key { name: "min-depth", default: "3", values: Values::Integer(1, 50), help: "the shallowest reduced search" },
    Key { name: "from-move", default: "4", values: Values::Integer(1, 200), help: "the first reduced move" },
    Key { name: "base", default: "0.5", values: Values::Number(-5.0, 5.0), help: "the constant part" },
    Key { name: "divisor", default: "2", values: Values::Number(0.1, 100.0), help: "larger reduces less" },
]);

const NULL_MOVE: &[Variant] = &Variant::technique(&[
    Key { name: "min-depth", default: "3", values: Values::Integer(1, 50), help: "the shallowest search" },
    Key { name: "reduction", default: "2", values: Values::Integer(0, 20), help: "the constant part" },
    Key { name: "divisor", default: "4", values: Values::Integer(0, 50), help: "larger reduces less; 0 for constant" },
]);

const LATE_MOVES: &[Variant] = &Variant::technique(&[
    Key { name: "max-depth", default: "3", values: Values::Integer(1, 20), help: "the deepest search that skips" },
    Key { name: "base", default: "8", values: Values::Integer(0, 500), help: "moves that are always tried" },
    Key { name: "factor", default: "4", values: Values::Integer(0, 100), help: "growth with the depth squared" },
]);

const KEYS: &[Key] = &[
    Key {
        name: "depth",
        default: "off",
        values: Values::IntegerOrOff(1, 100),
        help: "half-moves; 6 without any limit",
    },
    Key { name: "nodes", default: "off", values: Values::IntegerOrOff(1, u64::MAX), help: "nodes per move" },
    Key { name: "time", default: "off", values: Values::TimeOrOff, help: "time per move; not reproducible" },
    Key {
        name: "threads",
        default: "1",
        values: Values::Integer(1, 256),
        help: "threads on one table; more than one is not reproducible",
    },
    Key { name: "eval", default: "hauff", values: Values::Evaluation, help: "how positions are judged at the leaves" },
    Key {
        name: "resolution",
        default: "16",
        values: Values::Number(0.001, 1e6),
        help: "points per unit of the evaluation",
    },
    Key { name: "deepening", default: "on", values: Values::Switch, help: "search depth 1, 2, 3, ... in turn" },
    Key {
        name: "unfinished",
        default: "discarded",
        values: Values::Choice(&["discarded", "used"]),
        help: "what becomes of an iteration that a limit ends early",
    },
    Key { name: "table", default: "16M", values: Values::SizeOrOff, help: "memory for the transposition table" },
    Key {
        name: "replacement",
        default: "shallowest",
        values: Values::Choice(&["always", "shallowest", "old-and-shallow"]),
        help: "which entry of the table makes room",
    },
    Key {
        name: "table-lifetime",
        default: "search",
        values: Values::Choice(&["search", "game"]),
        help: "how long entries are believed",
    },
    Key {
        name: "reuse",
        default: "at-least-depth",
        values: Values::Choice(&["same-depth", "at-least-depth"]),
        help: "which entries answer a search",
    },
    Key { name: "classes", default: "on", values: Values::Switch, help: "order by the nine move classes (BS)" },
    Key {
        name: "evaluated-levels",
        default: "3",
        values: Values::Integer(0, 20),
        help: "order by evaluation on this many top levels (BF)",
    },
    Key { name: "killers", default: "on", values: Values::Switch, help: "order by two killers per level (KM)" },
    Key { name: "hash-move", default: "on", values: Values::Switch, help: "try the table's best move first (HM)" },
    Key { name: "history", default: "off", values: Values::Switch, help: "order by how often a move was best" },
    Key {
        name: "window",
        default: "off",
        values: Values::NumberOrOff(0.001, 1e6),
        help: "width of the aspiration window",
    },
    Key {
        name: "window-miss",
        default: "open",
        values: Values::Choice(&["open", "double"]),
        help: "how a missed window is widened",
    },
    Key {
        name: "quiescence",
        default: "off",
        values: Values::Choice(&["off", "after-loud", "always"]),
        help: "follow ejections beyond the horizon",
    },
    Key { name: "pvs", default: "off", values: Values::Switch, help: "principal variation search" },
    Key {
        name: "loud-classes",
        default: "0",
        values: Values::Integer(0, 9),
        help: "moves of this many first classes are never reduced or skipped",
    },
    Key { name: "reductions", default: "off", values: Values::Variant(REDUCTIONS), help: "late-move reductions" },
    Key { name: "null-move", default: "off", values: Values::Variant(NULL_MOVE), help: "let the opponent move twice" },
    Key {
        name: "reverse-futility",
        default: "off",
        values: Values::Variant(MARGIN),
        help: "believe a static value far above the window",
    },
    Key {
        name: "futility",
        default: "off",
        values: Values::Variant(MARGIN),
        help: "skip quiet moves where the static value is far below the window",
    },
    Key { name: "late-moves", default: "off", values: Values::Variant(LATE_MOVES), help: "skip very late quiet moves" },
    Key {
        name: "internal-reduction",
        default: "off",
        values: Values::IntegerOrOff(1, 50),
        help: "from this depth on, one half-move less where no best move is remembered",
    },
    Key {
        name: "repetition",
        default: "by-rule",
        values: Values::Choice(&["by-rule", "once"]),
        help: "when a repeated position inside the search is a draw",
    },
];

fn build(arguments: &Arguments) -> Result<BoxedPlayer<Position>, SpecError> {
    struct Build<'a>(&'a Arguments, Settings);

    impl WithEvaluation<Position> for Build<'_> {
        type Output = Result<BoxedPlayer<Position>, SpecError>;

        fn with<E: Evaluation<Position> + Clone + 'static>(self, evaluation: E) -> Self::Output {
            let player = AlphaBeta::new(self.1, evaluation).map_err(|error| self.0.unsuitable(error.to_string()))?;
            Ok(Box::new(player))
        }
    }

    let settings = settings(arguments)?;
    with_evaluation(arguments, Build(arguments, settings))?
}

fn settings(arguments: &Arguments) -> Result<Settings, SpecError> {
    Ok(Settings {
        limits: Limits {
            depth: arguments.integer_or_off("depth")?.map(|depth| depth as u32),
            nodes: arguments.integer_or_off("nodes")?,
            time: arguments.time_or_off("time")?,
            iterations: None,
        },
        iterative_deepening: arguments.switch("deepening")?,
        unfinished: match arguments.choice("unfinished")? {
            "used" => Unfinished::Used,
            _ => Unfinished::Discarded,
        },
        resolution: arguments.number("resolution")? as f32,
        table: table(arguments)?,
        ordering: Ordering {
            classes: arguments.switch("classes")?,
            history: arguments.switch("history")?,
            evaluated_levels: arguments.integer("evaluated-levels")? as u32,
            killers: arguments.switch("killers")?,
            hash_move: arguments.switch("hash-move")?,
        },
        window: window(arguments)?,
        quiescence: match arguments.choice("quiescence")? {
            "after-loud" => Quiescence::AfterLoud,
            "always" => Quiescence::Always,
            _ => Quiescence::Off,
        },
        principal_variation_search: arguments.switch("pvs")?,
        loud_classes: arguments.integer("loud-classes")? as u8,
        reductions: arguments.technique("reductions")?.map(|on| reductions(&on)).transpose()?,
        null_move: arguments.technique("null-move")?.map(|on| null_move(&on)).transpose()?,
        reverse_futility: arguments.technique("reverse-futility")?.map(|on| margin(&on)).transpose()?,
        futility: arguments.technique("futility")?.map(|on| margin(&on)).transpose()?,
        late_moves: arguments.technique("late-moves")?.map(|on| late_moves(&on)).transpose()?,
        internal_reduction: arguments.integer_or_off("internal-reduction")?.map(|depth| depth as u32),
        repetition: match arguments.choice("repetition")? {
            "once" => Repetition::Once,
            _ => Repetition::ByRule,
        },
        threads: NonZeroUsize::new(arguments.integer("threads")? as usize).unwrap_or(NonZeroUsize::MIN),
    })
}

fn table(arguments: &Arguments) -> Result<Option<Memory>, SpecError> {
    let Some(bytes) = arguments.size_or_off("table")? else { return Ok(None) };
    memory::check(arguments, bytes)?;
    Ok(Some(Memory {
        bytes,
        replacement: match arguments.choice("replacement")? {
            "always" => Replacement::Always,
            "old-and-shallow" => Replacement::OldAndShallow,
            _ => Replacement::Shallowest,
        },
        lifetime: match arguments.choice("table-lifetime")? {
            "game" => Lifetime::Game,
            _ => Lifetime::Search,
        },
        reuse: match arguments.choice("reuse")? {
            "same-depth" => Reuse::SameDepth,
            _ => Reuse::AtLeastDepth,
        },
    }))
}

fn window(arguments: &Arguments) -> Result<Option<Window>, SpecError> {
    let after_miss = match arguments.choice("window-miss")? {
        "double" => AfterMiss::Double,
        _ => AfterMiss::Open,
    };
    Ok(arguments.number_or_off("window")?.map(|width| Window { width: width as f32, after_miss }))
}

fn reductions(on: &Arguments) -> Result<Reductions, SpecError> {
    Ok(Reductions {
        min_depth: on.integer("min-depth")? as u32,
        from_move: on.integer("from-move")? as u32,
        base: on.number("base")? as f32,
        divisor: on.number("divisor")? as f32,
    })
}

fn null_move(on: &Arguments) -> Result<NullMove, SpecError> {
    Ok(NullMove {
        min_depth: on.integer("min-depth")? as u32,
        reduction: on.integer("reduction")? as u32,
        divisor: on.integer("divisor")? as u32,
    })
}

fn margin(on: &Arguments) -> Result<Futility, SpecError> {
    Ok(Futility {
        max_depth: on.integer("max-depth")? as u32,
        base: on.number("base")? as f32,
        per_ply: on.number("per-ply")? as f32,
    })
}

fn late_moves(on: &Arguments) -> Result<LateMoves, SpecError> {
    Ok(LateMoves {
        max_depth: on.integer("max-depth")? as u32,
        base: on.integer("base")? as u32,
        factor: on.integer("factor")? as u32,
    })
}
