//! The keys of the agent `mcts`, the same for every game but for a few defaults.

use crate::key::{Key, Values, Variant};

const C: Key = Key {
    name: "c",
    default: "1.4142135623730951",
    values: Values::Number(0.0, 1e6),
    help: "the weight of exploration",
};
const SHARE_BEST: Key =
    Key { name: "best", default: "0.4", values: Values::Number(0.0, 1.0), help: "the share of the best moves" };
const SHARE_RANDOM: Key =
    Key { name: "random", default: "0.1", values: Values::Number(0.0, 1.0), help: "the share of random others" };
const AT_VISIT: Key = Key {
    name: "at-visit",
    default: "2",
    values: Values::Integer(1, 1_000_000),
    help: "which visit of a node makes its children",
};
const LIMIT: Key =
    Key { name: "limit", default: "off", values: Values::IntegerOrOff(1, 100_000), help: "half-moves at most" };

const SELECTION: &[Variant] = &[
    Variant { name: "uct", keys: &[C] },
    Variant {
        name: "uct-cp",
        keys: &[Key {
            name: "cp",
            default: "0.7071067811865476",
            values: Values::Number(0.0, 1e6),
            help: "half the weight of exploration: mean + 2 * cp * sqrt(ln N / n)",
        }],
    },
    Variant { name: "ucb1-tuned", keys: &[Key { default: "1", ..C }] },
    Variant {
        name: "single-player",
        keys: &[
            C,
            Key {
                name: "d",
                default: "10000",
                values: Values::Number(0.0, 1e12),
                help: "keeps a rarely visited child uncertain",
            },
        ],
    },
    Variant { name: "uct-n", keys: &[C] },
    Variant { name: "uct-spread", keys: &[Key { default: "1", ..C }] },
    Variant {
        name: "puct",
        keys: &[
            Key { default: "1.5", ..C },
            Key {
                name: "temperature",
                default: "1",
                values: Values::Number(1e-6, 1e6),
                help: "how much the promises of the ordering are levelled",
            },
        ],
    },
];

const FIRST_PLAY: &[Variant] = &[
    Variant::plain("before-all"),
    Variant {
        name: "urgency",
        keys: &[Key {
            name: "value",
            default: "1",
            values: Values::Number(-1e9, 1e9),
            help: "what a child counts before its first visit",
        }],
    },
    Variant {
        name: "below-parent",
        keys: &[Key {
            name: "by",
            default: "0.1",
            values: Values::Number(-1e9, 1e9),
            help: "how much less than the mean of its parent",
        }],
    },
    Variant::plain("static"),
];

const EXPANSION: &[Variant] = &[
    Variant::plain("one-by-one"),
    Variant { name: "all-at-once", keys: &[AT_VISIT] },
    Variant { name: "reduced", keys: &[SHARE_BEST, SHARE_RANDOM, AT_VISIT] },
];

const SIMULATION: &[Variant] = &[
    Variant::plain("none"),
    Variant {
        name: "look-ahead",
        keys: &[Key { name: "moves", default: "1", values: Values::Integer(1, 8), help: "moves ahead, all of them" }],
    },
    Variant { name: "random", keys: &[LIMIT] },
    Variant { name: "policy", keys: &[LIMIT, SHARE_BEST, SHARE_RANDOM] },
    Variant { name: "greedy", keys: &[LIMIT, SHARE_RANDOM] },
];

const SCALE: &[Variant] = &[
    Variant::plain("raw"),
    Variant {
        name: "linear",
        keys: &[Key {
            name: "half-range",
            default: "1",
            values: Values::Number(1e-9, 1e12),
            help: "the value that counts as won",
        }],
    },
    Variant {
        name: "logistic",
        keys: &[Key {
            name: "scale",
            default: "1",
            values: Values::Number(1e-9, 1e12),
            help: "the value that counts as won with 73%",
        }],
    },
];

const OVER: &[Variant] = &[
    Variant::plain("evaluation"),
    Variant {
        name: "worth",
        keys: &[Key {
            name: "value",
            default: "0",
            values: Values::Number(-1e12, 1e12),
            help: "in the unit of the evaluation",
        }],
    },
];

const CHOICE: &[Variant] = &[
    Variant::plain("max"),
    Variant::plain("robust"),
    Variant {
        name: "max-robust",
        keys: &[Key {
            name: "extension",
            default: "0.5",
            values: Values::Number(0.0, 100.0),
            help: "how much longer the search may take, as a share of its limits",
        }],
    },
    Variant {
        name: "secure",
        keys: &[Key {
            name: "a",
            default: "4",
            values: Values::Number(0.0, 1e9),
            help: "how much a rarely visited move is distrusted",
        }],
    },
];

const PARALLELISM: &[Variant] = &[
    Variant::plain("single"),
    Variant {
        name: "root",
        keys: &[Key { name: "trees", default: "2", values: Values::Integer(1, 256), help: "one for each thread" }],
    },
    Variant {
        name: "tree",
        keys: &[Key {
            name: "threads",
            default: "2",
            values: Values::Integer(1, 256),
            help: "threads on one tree; not reproducible",
        }],
    },
];

/// The keys of the agent: a game has its own default evaluation, the scale that fits it, and its orderings.
pub(crate) const fn keys(eval: &'static str, scale: &'static str, order: &'static [&'static str]) -> [Key; 21] {
    [
        Key {
            name: "iterations",
            default: "1000",
            values: Values::IntegerOrOff(1, u64::MAX),
            help: "iterations per move",
        },
        Key { name: "time", default: "off", values: Values::TimeOrOff, help: "time per move; not reproducible" },
        Key { name: "nodes", default: "off", values: Values::IntegerOrOff(1, u64::MAX), help: "nodes added per move" },
        Key { name: "depth", default: "off", values: Values::IntegerOrOff(1, 1000), help: "half-moves of the tree" },
        Key { name: "eval", default: eval, values: Values::Evaluation, help: "how positions are judged" },
        Key {
            name: "chance",
            default: "explicit",
            values: Values::Choice(&["explicit", "balanced", "sampled", "open-loop"]),
            help: "chance nodes; chance nodes whose answers take turns by their probabilities; one answer drawn when a \
                   node is made; answers drawn anew at each visit",
        },
        Key { name: "selection", default: "uct", values: Values::Variant(SELECTION), help: "which child is followed" },
        Key {
            name: "bias",
            default: "0",
            values: Values::Number(0.0, 1e6),
            help: "weight of the progressive bias by the ordering",
        },
        Key {
            name: "first-play",
            default: "before-all",
            values: Values::Variant(FIRST_PLAY),
            help: "what a child counts before its first visit",
        },
        Key {
            name: "order",
            default: "none",
            values: Values::Choice(order),
            help: "which moves look promising: reductions, policies, bias and priors use it",
        },
        Key {
            name: "expansion",
            default: "one-by-one",
            values: Values::Variant(EXPANSION),
            help: "how the tree grows",
        },
        Key {
            name: "simulation",
            default: "random",
            values: Values::Variant(SIMULATION),
            help: "what happens below the tree",
        },
        Key {
            name: "scale",
            default: scale,
            values: Values::Variant(SCALE),
            help: "how a value of the evaluation becomes a payoff",
        },
        Key {
            name: "cut",
            default: "evaluation",
            values: Values::Choice(&["evaluation", "draw"]),
            help: "what a cut simulation is worth",
        },
        Key {
            name: "over",
            default: "evaluation",
            values: Values::Variant(OVER),
            help: "what a finished game of one player is worth",
        },
        Key {
            name: "win",
            default: "1000000",
            values: Values::Number(0.0, 1e12),
            help: "what a won game is worth, in the unit of the evaluation",
        },
        Key {
            name: "minimax",
            default: "0",
            values: Values::Number(0.0, 1.0),
            help: "weight of the implicit minimax value beside the mean",
        },
        Key { name: "choice", default: "max", values: Values::Variant(CHOICE), help: "which move is played" },
        Key { name: "reuse", default: "off", values: Values::Switch, help: "keep the tree from move to move" },
        Key {
            name: "parallelism",
            default: "single",
            values: Values::Variant(PARALLELISM),
            help: "how many threads work, and on what",
        },
        Key {
            name: "memory",
            default: "256M",
            values: Values::SizeOrOff,
            help: "for the nodes of all threads; a full tree stops growing and the search goes on",
        },
    ]
}
