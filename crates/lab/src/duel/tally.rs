//! What the games of a match add up to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Contender, DuelResult};
use crate::play::Spent;
use crate::series::Tally;
use crate::solo::{per_second, ratio};
use crate::stats::{Distribution, Estimate, Pentanomial, Trinomial};

/// Counts the games of a match. Its size does not depend on their number when they come in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchTally {
    games: Trinomial,
    pairs: Pentanomial,
    /// Half points of pairs of which only one game is known.
    half_pairs: BTreeMap<u64, u8>,
    /// Marbles that A and B have lost.
    lost: [Distribution; 2],
    plies: Distribution,
    spent: [Spent; 2],
}

/// What a match says, from A's point of view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// Finished games.
    pub games: u64,
    /// Games that A won.
    pub won: u64,
    /// Games that nobody won.
    pub drawn: u64,
    /// Games that A lost.
    pub lost: u64,
    /// Pairs with swapped colours by A's points: 0, 1/2, 1, 3/2, 2.
    pub pairs: Pentanomial,
    /// A's points per game.
    pub score: Option<f64>,
    /// How much stronger A is. Infinite ends and values (a clean sweep) are `null` in JSON.
    pub elo: Option<Estimate>,
    /// The same in normalised Elo.
    pub normalised_elo: Option<Estimate>,
    /// How sure it is that A is the stronger one.
    pub superiority: f64,
    /// Marbles pushed off per game, by A and by B.
    pub captured: [Option<Estimate>; 2],
    /// Half-moves per game.
    pub plies: Option<f64>,
    /// What A and B spent.
    pub cost: [AgentCost; 2],
}

/// What one agent of a match spent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentCost {
    /// Moves made.
    pub moves: u64,
    /// Nodes visited.
    pub nodes: u64,
    /// Seconds thought.
    pub seconds: f64,
    /// Nodes per second of one thread.
    pub nodes_per_second: f64,
    /// Nodes per move.
    pub nodes_per_move: f64,
    /// Seconds per move.
    pub seconds_per_move: f64,
}

impl Tally<DuelResult> for MatchTally {
    fn add(&mut self, result: &DuelResult) {
        self.games.add(usize::from(result.half_points));
        match self.half_pairs.remove(&(result.game / 2)) {
            Some(other) => self.pairs.add(usize::from(other + result.half_points)),
            None => drop(self.half_pairs.insert(result.game / 2, result.half_points)),
        }
        for contender in Contender::BOTH.map(|contender| contender as usize) {
            self.lost[contender].add(i64::from(result.lost[contender]));
            self.spent[contender] += result.spent[contender];
        }
        self.plies.add(i64::try_from(result.plies).unwrap_or(i64::MAX));
    }

    fn games(&self) -> u64 {
        self.games.observations()
    }

    fn seconds(&self) -> f64 {
        self.spent.iter().map(|spent| spent.time.as_secs_f64()).sum()
    }

    fn headline(&self) -> Option<Estimate> {
        self.pairs.elo()
    }

    fn reported(&self) -> Option<Estimate> {
        if self.is_paired() { self.pairs.elo() } else { self.games.elo() }
    }

    fn pairs(&self) -> Option<Pentanomial> {
        Some(self.pairs)
    }
}

impl MatchTally {
    /// Single games, lost, drawn and won by A.
    #[must_use]
    pub fn singles(&self) -> Trinomial {
        self.games
    }

    /// Whether there are pairs to judge by. Single games are no match for them, but better than nothing.
    fn is_paired(&self) -> bool {
        self.pairs.observations() > 0
    }

    /// What the games so far say.
    #[must_use]
    pub fn summary(&self) -> MatchSummary {
        let paired = self.is_paired();
        let [a_lost, b_lost] = &self.lost;
        MatchSummary {
            games: self.games.observations(),
            won: self.games.won(),
            drawn: self.games.drawn(),
            lost: self.games.lost(),
            pairs: self.pairs,
            score: self.games.score(),
            elo: self.reported(),
            normalised_elo: if paired { self.pairs.normalised_elo() } else { self.games.normalised_elo() },
            superiority: if paired { self.pairs.superiority() } else { self.games.superiority() },
            captured: [b_lost, a_lost].map(|lost| lost.mean_estimate().map(Estimate::of_no_less_than_zero)),
            plies: self.plies.mean(),
            cost: self.spent.map(AgentCost::from),
        }
    }
}

impl From<Spent> for AgentCost {
    fn from(spent: Spent) -> Self {
        let nodes = spent.effort.nodes;
        Self {
            moves: spent.moves,
            nodes,
            seconds: spent.time.as_secs_f64(),
            nodes_per_second: per_second(nodes, spent.time),
            nodes_per_move: ratio(nodes as f64, spent.moves),
            seconds_per_move: ratio(spent.time.as_secs_f64(), spent.moves),
        }
    }
}
