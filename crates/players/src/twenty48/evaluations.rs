//! The evaluations of 2048 by name, with their weights as keys.

use afterstate_game::Evaluation;
use afterstate_learn::neural::Asked;
use afterstate_search::mcts::{ByEvaluation, MoveOrdering, Unordered};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::{
    Dietenberger, Empty, Greedy, Jordal, Maqsood, Score, Tabled, Xiao, ZhawMatrix, ZhawSearch,
};

use crate::evaluated::{Evaluated, WithEvaluation};
use crate::key::{Arguments, Key, Values};
use crate::{EvaluationKind, SpecError, models};

impl Evaluated for State {
    fn with_evaluation<W: WithEvaluation<Self>>(
        name: &'static str,
        weights: &Arguments,
        then: W,
    ) -> Result<W::Output, SpecError> {
        let weight = |name: &str| weights.number(name).map(|weight| weight as f32);
        Ok(match name {
            "maqsood" => then.with(Tabled::shared(Maqsood {
                monotonicity: weight("monotonicity")?,
                smoothness: weight("smoothness")?,
                empty: weight("empty")?,
            })),
            "jordal" => then.with(Tabled::shared(Jordal {
                gradient: [weight("gradient1")?, weight("gradient2")?, weight("gradient3")?, weight("gradient4")?],
                gradient_power: weight("gradient-power")?,
                empty: weight("empty")?,
                smoothness: weight("smoothness")?,
                smoothness_cap: weight("smoothness-cap")?,
                monotonicity: weight("monotonicity")?,
                max_tile: weight("max-tile")?,
                corner: weight("corner")?,
            })),
            "zhaw-matrix" => then.with(Tabled::shared(ZhawMatrix { weights: matrix(weights)? })),
            "zhaw" => then.with(Tabled::shared(ZhawSearch { weights: matrix(weights)?, penalty: weight("penalty")? })),
            "dietenberger" => then.with(Tabled::shared(Dietenberger {
                empty: weight("empty")?,
                differences: weight("differences")?,
                middle: weight("middle")?,
            })),
            "xiao" => then.with(Tabled::shared(Xiao {
                lost_offset: weight("offset")?,
                empty: weight("empty")?,
                merges: weight("merges")?,
                monotonicity: weight("monotonicity")?,
                monotonicity_power: weight("monotonicity-power")?,
                sum: weight("sum")?,
                sum_power: weight("sum-power")?,
            })),
            "ntuple" => then.with(models::network(weights)?),
            "neural" => {
                let (network, averaged) = (models::neural(weights)?, weights.choice("symmetries")? == "mean");
                match weights.switch("points")? {
                    true => then.with(Asked::<true> { network, averaged }),
                    false => then.with(Asked::<false> { network, averaged }),
                }
            }
            "empty" => then.with(Empty),
            "greedy" => then.with(Greedy),
            _ => then.with(Score),
        })
    }

    fn ordering<E: Evaluation<Self> + 'static>(name: &'static str, evaluation: E) -> Box<dyn MoveOrdering<Self>> {
        match name {
            "evaluation" => Box::new(ByEvaluation(evaluation)),
            _ => Box::new(Unordered),
        }
    }
}

fn matrix(weights: &Arguments) -> Result<[[f32; 4]; 4], SpecError> {
    let mut matrix = [[0.0; 4]; 4];
    for (key, cell) in MATRIX.iter().zip(matrix.as_flattened_mut()) {
        *cell = weights.number(key.name)? as f32;
    }
    Ok(matrix)
}

/// A weight: any number of moderate size.
const fn weight(name: &'static str, default: &'static str, help: &'static str) -> Key {
    Key { name, default, values: Values::Number(-1e6, 1e6), help }
}

/// A power of a tile or of its exponent.
const fn power(name: &'static str, default: &'static str, help: &'static str) -> Key {
    Key { name, default, values: Values::Number(0.0, 8.0), help }
}

/// The weights of the cells, row by row from the top left, named like the cells.
const MATRIX: &[Key] = &[
    weight("a1", "6", "weight of this cell"),
    weight("b1", "5", "weight of this cell"),
    weight("c1", "4", "weight of this cell"),
    weight("d1", "1", "weight of this cell"),
    weight("a2", "5", "weight of this cell"),
    weight("b2", "4", "weight of this cell"),
    weight("c2", "1", "weight of this cell"),
    weight("d2", "0", "weight of this cell"),
    weight("a3", "4", "weight of this cell"),
    weight("b3", "1", "weight of this cell"),
    weight("c3", "0", "weight of this cell"),
    weight("d3", "-1", "weight of this cell"),
    weight("a4", "1", "weight of this cell"),
    weight("b4", "0", "weight of this cell"),
    weight("c4", "-1", "weight of this cell"),
    weight("d4", "-2", "weight of this cell"),
];

const MATRIX_AND_PENALTY: &[Key] = &{
    let mut keys = [weight("penalty", "1", "for each unit of difference between neighbours"); 17];
    let mut index = 0;
    while index < MATRIX.len() {
        keys[index] = MATRIX[index];
        index += 1;
    }
    keys
};

pub(super) const EVALUATIONS: &[EvaluationKind] = &[
    EvaluationKind {
        name: "maqsood",
        summary: "ordered pairs, differences of neighbours, empty cells",
        keys: &[
            weight("monotonicity", "0.5", "for each ordered pair of neighbours, best of four orientations"),
            weight("smoothness", "1", "for the differences of neighbours, divided by log2 of the largest tile"),
            weight("empty", "10", "for each empty cell"),
        ],
    },
    EvaluationKind {
        name: "jordal",
        summary: "six terms: gradient, empty cells, smoothness, monotonicity, largest tile, corner",
        keys: &[
            weight("gradient1", "4", "weight of the favoured line"),
            weight("gradient2", "3", "weight of the second line"),
            weight("gradient3", "2", "weight of the third line"),
            weight("gradient4", "1", "weight of the last line"),
            // A higher power of a tile of 131072 would leave no room for the weights.
            Key {
                values: Values::Number(0.0, 6.0),
                ..power("gradient-power", "1.3", "power of a tile in the gradient")
            },
            weight("empty", "0.05", "times the largest tile and the square of the empty cells"),
            weight("smoothness", "0.5", "for equal neighbours"),
            weight("smoothness-cap", "4", "the most that a pair of equal neighbours counts"),
            weight("monotonicity", "1", "for lines that rise or fall in small steps"),
            weight("max-tile", "1", "times the largest tile"),
            weight("corner", "0.2", "times the largest tile if it lies in a corner"),
        ],
    },
    EvaluationKind { name: "zhaw-matrix", summary: "every tile times the weight of its cell", keys: MATRIX },
    EvaluationKind {
        name: "zhaw",
        summary: "every tile times the weight of its cell, minus the differences of neighbours",
        keys: MATRIX_AND_PENALTY,
    },
    EvaluationKind {
        name: "dietenberger",
        summary: "empty cells, differences of neighbours, tiles in the middle",
        keys: &[
            weight("empty", "4096", "for each empty cell"),
            weight("differences", "10", "paid for the differences of neighbours"),
            weight("middle", "10", "paid for the tiles on the four middle cells"),
        ],
    },
    EvaluationKind {
        name: "xiao",
        summary: "the heuristic of the best-known expectimax program: offset, empty cells, merges, monotonicity, sum",
        keys: &[
            weight("offset", "200000", "the worth of a line, so that a lost game is worth less than any board"),
            weight("empty", "270", "for each empty cell"),
            weight("merges", "700", "for runs that can merge"),
            weight("monotonicity", "47", "paid for disorder"),
            power("monotonicity-power", "4", "power of an exponent in the disorder"),
            weight("sum", "11", "paid for all tiles"),
            power("sum-power", "3.5", "power of an exponent in that sum"),
        ],
    },
    EvaluationKind {
        name: "ntuple",
        summary: "a learned n-tuple network: the points still to come",
        keys: &[
            Key { name: "model", default: models::DEFAULT, values: Values::Model, help: "which network" },
            Key {
                name: "late",
                default: "on",
                values: Values::Switch,
                help: "whether the network beside it (NAME.late.model), if there is one, judges the boards it was made for",
            },
        ],
    },
    EvaluationKind {
        name: "neural",
        summary: "a neural network: what a search says of a board, or the points still to come",
        keys: &[
            Key {
                name: "model",
                default: models::DEFAULT_NEURAL,
                values: Values::Model,
                help: "which network, a safetensors file",
            },
            Key {
                name: "points",
                default: "off",
                values: Values::Switch,
                help: "whether it learned the points still to come (`train dqn`, variant afterstate)",
            },
            Key {
                name: "symmetries",
                default: "canonical",
                values: Values::Choice(&["canonical", "mean"]),
                help: "a board in one of its eight orientations, or the mean over all",
            },
            Key {
                name: "precision",
                default: "float32",
                values: Values::Choice(&["float32", "bf16"]),
                help: "bf16: factors of 8 binary digits, sums in float32; faster on a processor with AVX-512 BF16, values differ a little",
            },
            Key {
                name: "device",
                default: "cpu",
                values: Values::Choice(&["cpu", "cuda"]),
                help: "cuda: on an NVIDIA GPU, together for all games; in the last digits values depend on what else is judged",
            },
        ],
    },
    EvaluationKind { name: "empty", summary: "the number of empty cells", keys: &[] },
    EvaluationKind { name: "score", summary: "nothing but the points earned on the way", keys: &[] },
    EvaluationKind {
        name: "greedy",
        summary: "the points earned on the way and those of the best next slide",
        keys: &[],
    },
];
