//! A decision in text and numbers: the form in which the terminal, JSON, the engine protocol and every other boundary
//! show it.

use afterstate_game::{Bound, Decision, Notation};
use serde::Serialize;

/// A [`Decision`] written down in its game's notation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionReport {
    /// The position that was decided.
    pub position: String,
    /// The chosen move.
    pub best: String,
    /// The value of the chosen move for the side to move, if one was computed.
    pub value: Option<f64>,
    /// Every legal move, best first.
    pub moves: Vec<MoveReport>,
    /// The expected continuation, starting with the chosen move.
    pub line: Vec<String>,
    /// Depth of the last completed search.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Static evaluations.
    pub evaluations: u64,
    /// Moves generated and tried.
    pub moves_tried: u64,
    /// Table look-ups.
    pub table_probes: u64,
    /// Table look-ups that saved a search.
    pub table_hits: u64,
    /// Monte Carlo iterations.
    pub iterations: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// One legal move of a [`DecisionReport`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side to move, if it was looked at.
    pub value: Option<f64>,
    /// `exact`, `upper` or `lower`.
    pub bound: &'static str,
    /// How often a Monte Carlo search tried it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// Half-width of the 95% interval of a sampled value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
}

impl DecisionReport {
    /// Writes a decision about `position` down.
    pub fn new<P: Notation>(position: &P, decision: &Decision<P::Move>) -> Self {
        let effort = decision.effort;
        let moves: Vec<MoveReport> = decision
            .moves
            .iter()
            .map(|known| MoveReport {
                mv: position.move_to_text(known.mv),
                value: known.value,
                bound: match known.bound {
                    Bound::Exact => "exact",
                    Bound::Upper => "upper",
                    Bound::Lower => "lower",
                },
                visits: known.visits,
                half_width: known.half_width,
            })
            .collect();
        let best = position.move_to_text(decision.best);
        Self {
            position: position.to_text(),
            value: moves.iter().find(|known| known.mv == best).and_then(|known| known.value),
            best,
            moves,
            // Written without their positions: notations that need one write their moves in full anyway.
            line: decision.line.iter().map(ToString::to_string).collect(),
            depth: decision.depth,
            nodes: effort.nodes,
            evaluations: effort.evaluations,
            moves_tried: effort.moves_tried,
            table_probes: effort.table_probes,
            table_hits: effort.table_hits,
            iterations: effort.iterations,
            seconds: decision.time.as_secs_f64(),
        }
    }
}
