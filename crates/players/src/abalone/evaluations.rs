//! The evaluations of Abalone by name, with their weights as keys.

use afterstate_abalone::Position;
use afterstate_abalone::evaluation::{Centre, Chorus, Emphasis, Fitted, Hauff, Weights};
use afterstate_game::Evaluation;
use afterstate_search::mcts::{ByClass, ByEvaluation, MoveOrdering, Unordered};

use crate::evaluated::{Evaluated, WithEvaluation};
use crate::key::{Arguments, Key, Values};
use crate::{EvaluationKind, SpecError};

impl Evaluated for Position {
    fn with_evaluation<W: WithEvaluation<Self>>(
        name: &'static str,
        weights: &Arguments,
        then: W,
    ) -> Result<W::Output, SpecError> {
        let weight = |name: &str| weights.number(name).map(|weight| weight as f32);
        Ok(match name {
            "fitted" => then.with(Fitted::default()),
            "chorus" => then.with(Chorus {
                marbles: weight("marbles")?,
                centre: weight("centre")?,
                compactness: weight("compactness")?,
                attack: weight("attack")?,
            }),
            _ => then.with(Hauff {
                weights: Weights {
                    marbles: weight("marbles")?,
                    centre: weight("centre")?,
                    compactness: weight("compactness")?,
                    attack: weight("attack")?,
                    broken: weight("broken")?,
                },
                emphasis: match weights.choice("player")? {
                    "offensive" => Emphasis::OFFENSIVE,
                    "defensive" => Emphasis::DEFENSIVE,
                    _ => Emphasis::NORMAL,
                },
                centre: match weights.choice("middle")? {
                    "mass" => Centre::Mass,
                    _ => Centre::Board,
                },
                attack_from: weights.integer("attack-from")? as u32,
                standpoint: None,
            }),
        })
    }

    fn ordering<E: Evaluation<Self> + 'static>(name: &'static str, evaluation: E) -> Box<dyn MoveOrdering<Self>> {
        match name {
            "classes" => Box::new(ByClass),
            "evaluation" => Box::new(ByEvaluation(evaluation)),
            _ => Box::new(Unordered),
        }
    }
}

const fn weight(name: &'static str, default: &'static str, help: &'static str) -> Key {
    Key { name, default, values: Values::Number(-1e6, 1e6), help }
}

pub(super) const EVALUATIONS: &[EvaluationKind] = &[
    EvaluationKind {
        name: "hauff",
        summary: "marbles, centre, compactness, attacks and broken formations, own minus opponent",
        keys: &[
            weight("marbles", "1000", "for each marble"),
            weight("centre", "130", "for the mean nearness to the centre"),
            weight("compactness", "70", "for the mean number of own neighbours"),
            weight("attack", "30", "for each point of attack"),
            weight("broken", "10", "for each formation of the opponent that a marble breaks"),
            Key {
                name: "player",
                default: "normal",
                values: Values::Choice(&["normal", "offensive", "defensive"]),
                help: "the additional weights of the thesis",
            },
            Key {
                name: "middle",
                default: "board",
                values: Values::Choice(&["board", "mass"]),
                help: "what counts as the centre: the middle of the board, or the centre of mass of all marbles",
            },
            Key {
                name: "attack-from",
                default: "20",
                values: Values::Integer(0, 1_000_000),
                help: "the half-move from which attacks count",
            },
        ],
    },
    EvaluationKind {
        name: "fitted",
        summary: "sixteen features weighed by a regression of results on positions of self-play",
        keys: &[],
    },
    EvaluationKind {
        name: "chorus",
        summary: "the older function: sums that are not divided by the number of marbles, attacks simply counted",
        keys: &[
            weight("marbles", "1000", "for each marble"),
            weight("centre", "9.285714", "for each step of a marble towards the centre"),
            weight("compactness", "5", "for each own neighbour of a marble"),
            weight("attack", "30", "for each attack"),
        ],
    },
];
