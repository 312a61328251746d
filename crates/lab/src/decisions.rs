//! Single decisions on given positions: what a search costs, technique by technique.

use afterstate_game::{History, Limits, Player, Side, Stop, Task};
use afterstate_players::{DecisionReport, Playable, build};
use serde::{Deserialize, Serialize};

use crate::duel::Opening;
use crate::play::{GameSeeds, Spent, Unfinished};
use crate::series::{Recorded, Series, Tally};
use crate::stats::Estimate;
use crate::{LabError, definition};

/// One agent deciding one position. A series of one "game".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRun<P> {
    /// The agent's spec.
    pub agent: String,
    /// The position to decide.
    pub position: Opening<P>,
    /// The seed of the agent's randomness.
    pub seed: u64,
    /// Limits on top of the agent's own.
    pub limits: Limits,
}

/// The figures of one decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionResult {
    /// The number of the decision.
    pub game: u64,
    /// The depth of the last completed search.
    pub depth: u32,
    /// The value of the chosen move, if one was computed.
    pub value: Option<f64>,
    /// What it took.
    pub spent: Spent,
}

/// Adds up decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionTally {
    decisions: u64,
    depths: u64,
    spent: Spent,
    value: Option<f64>,
}

/// What decisions cost, on the mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionSummary {
    /// Decisions made.
    pub decisions: u64,
    /// Depth reached.
    pub depth: f64,
    /// Nodes visited.
    pub nodes: f64,
    /// Static evaluations.
    pub evaluations: f64,
    /// Monte Carlo iterations.
    pub iterations: f64,
    /// Table look-ups.
    pub table_probes: f64,
    /// Table look-ups that saved a search.
    pub table_hits: f64,
    /// Seconds.
    pub seconds: f64,
    /// The value of the move that was chosen last.
    pub value: Option<f64>,
}

impl<P: Playable> Series for DecisionRun<P> {
    type Players = Box<dyn Player<P>>;
    type Result = DecisionResult;
    type Tally = DecisionTally;

    fn definition(&self) -> String {
        definition::decision(&self.agent, self.seed, &self.limits, &self.position)
    }

    fn who(&self) -> String {
        self.agent.clone()
    }

    fn build(&self) -> Result<Self::Players, LabError> {
        Ok(build::<P>(&self.agent)?)
    }

    /// The record is the written decision, with the value of every move.
    fn play_game(
        &self,
        player: &mut Self::Players,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<DecisionResult>, Unfinished> {
        let position = &self.position.position;
        let side = position.side_to_move();
        player.start_game(GameSeeds::new(self.seed, 0, game).player(Side::First));
        let history = History::new(position.clone());
        let task = Task { history: &history, limits: self.limits, stop, observer: &mut |_| {} };
        let decision = player.decide(task);
        if stop.is_raised() {
            return Err(Unfinished::Stopped);
        }
        let decision = decision.map_err(|_| Unfinished::NoLegalMove { side, position: position.to_text() })?;
        let report = DecisionReport::new(position, &decision);
        let result = DecisionResult {
            game,
            depth: decision.depth,
            value: report.value,
            spent: Spent { moves: 1, effort: decision.effort, time: decision.time },
        };
        Ok(Recorded { result, record: serde_json::to_string(&report).unwrap_or_default() })
    }
}

impl Tally<DecisionResult> for DecisionTally {
    fn add(&mut self, result: &DecisionResult) {
        self.decisions += 1;
        self.depths += u64::from(result.depth);
        self.spent += result.spent;
        self.value = result.value;
    }

    fn games(&self) -> u64 {
        self.decisions
    }

    fn seconds(&self) -> f64 {
        self.spent.time.as_secs_f64()
    }

    fn headline(&self) -> Option<Estimate> {
        (self.decisions > 0).then(|| Estimate { value: self.summary().nodes, interval: None })
    }
}

impl DecisionTally {
    /// What the decisions so far cost.
    #[must_use]
    pub fn summary(&self) -> DecisionSummary {
        let mean = |total: u64| total as f64 / self.decisions.max(1) as f64;
        let effort = self.spent.effort;
        DecisionSummary {
            decisions: self.decisions,
            depth: mean(self.depths),
            nodes: mean(effort.nodes),
            evaluations: mean(effort.evaluations),
            iterations: mean(effort.iterations),
            table_probes: mean(effort.table_probes),
            table_hits: mean(effort.table_hits),
            seconds: self.spent.time.as_secs_f64() / self.decisions.max(1) as f64,
            value: self.value,
        }
    }
}
