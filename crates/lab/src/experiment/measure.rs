//! What can be measured, by name: the columns of tables and the axes of figures.

use std::fmt;
use std::str::FromStr;

use afterstate_players::nearest;
use serde::{Deserialize, Serialize};

use crate::decisions::DecisionSummary;
use crate::duel::MatchSummary;
use crate::solo::SoloSummary;
use crate::stats::{Estimate, Interval, Rate, score_from_elo};

/// A measured figure and how it is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The value.
    pub value: f64,
    /// Its 95% interval, where there is one.
    pub interval: Option<Interval>,
    /// The unit.
    pub unit: Unit,
    /// The games it rests on.
    pub games: u64,
}

/// What a figure counts, which decides how it is written and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Points, tiles, moves, nodes: a mean of whole numbers.
    Count,
    /// A share of games in percent.
    Percent,
    /// A few marbles or half-moves: a mean that needs decimals.
    Few,
    /// A difference in strength.
    Elo,
    /// A time.
    Seconds,
}

/// Something that can be measured.
#[derive(Clone, Copy)]
pub struct Measure(&'static Kind);

struct Kind {
    name: &'static str,
    heading: &'static str,
    axis: &'static str,
    read: Read,
}

enum Read {
    Solo(fn(&SoloSummary) -> Option<Reading>),
    Duel(fn(&MatchSummary) -> Option<Reading>),
    Decision(fn(&DecisionSummary) -> Option<Reading>),
}

/// What kind of series a measure belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesKind {
    /// Games of one agent.
    Solo,
    /// Matches of two.
    Duel,
    /// Single decisions.
    Decision,
}

/// No measure has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown measure `{name}`{}; known: {}", suggestion(name), known())]
pub struct UnknownMeasure {
    name: String,
}

fn known() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

fn suggestion(name: &str) -> String {
    nearest(name, KINDS.iter().map(|kind| kind.name))
        .map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

impl Measure {
    /// Its name in an experiment's file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// The heading of its column.
    #[must_use]
    pub fn heading(&self) -> &'static str {
        self.0.heading
    }

    /// The label of its axis, with the unit.
    #[must_use]
    pub fn axis(&self) -> &'static str {
        self.0.axis
    }

    /// The kind of series that has it.
    #[must_use]
    pub fn kind(&self) -> SeriesKind {
        match self.0.read {
            Read::Solo(_) => SeriesKind::Solo,
            Read::Duel(_) => SeriesKind::Duel,
            Read::Decision(_) => SeriesKind::Decision,
        }
    }

    /// Its value for the games of one agent.
    #[must_use]
    pub fn of_solo(&self, summary: &SoloSummary) -> Option<Reading> {
        if let Read::Solo(read) = self.0.read { read(summary) } else { None }
    }

    /// Its value for a match.
    #[must_use]
    pub fn of_duel(&self, summary: &MatchSummary) -> Option<Reading> {
        if let Read::Duel(read) = self.0.read { read(summary) } else { None }
    }

    /// Its value for a decision.
    #[must_use]
    pub fn of_decision(&self, summary: &DecisionSummary) -> Option<Reading> {
        if let Read::Decision(read) = self.0.read { read(summary) } else { None }
    }

    /// The columns of a table for which none are named.
    #[must_use]
    pub fn usual(kind: SeriesKind) -> Vec<Self> {
        let names: &[&str] = match kind {
            SeriesKind::Solo => &[
                "games",
                "score",
                "median",
                "best",
                "tile-1024",
                "tile-2048",
                "tile-4096",
                "tile-8192",
                "time-per-move",
            ],
            SeriesKind::Duel => {
                &["matches", "won", "drawn", "lost", "captured", "captured-by-opponent", "elo", "superiority"]
            }
            SeriesKind::Decision => &["searched-depth", "searched-nodes", "searched-evaluations", "searched-time"],
        };
        names.iter().filter_map(|name| name.parse().ok()).collect()
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Measure({})", self.name())
    }
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<Self, UnknownMeasure> {
        let kind = KINDS.iter().find(|kind| kind.name == name);
        kind.map(Self).ok_or_else(|| UnknownMeasure { name: name.to_owned() })
    }
}

impl Serialize for Measure {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

const fn solo(
    name: &'static str,
    heading: &'static str,
    axis: &'static str,
    read: fn(&SoloSummary) -> Option<Reading>,
) -> Kind {
    Kind { name, heading, axis, read: Read::Solo(read) }
}

const fn duel(
    name: &'static str,
    heading: &'static str,
    axis: &'static str,
    read: fn(&MatchSummary) -> Option<Reading>,
) -> Kind {
    Kind { name, heading, axis, read: Read::Duel(read) }
}

const fn decision(
    name: &'static str,
    heading: &'static str,
    axis: &'static str,
    read: fn(&DecisionSummary) -> Option<Reading>,
) -> Kind {
    Kind { name, heading, axis, read: Read::Decision(read) }
}

fn exact(value: f64, unit: Unit, games: u64) -> Option<Reading> {
    (games > 0).then_some(Reading { value, interval: None, unit, games })
}

fn estimated(estimate: Option<Estimate>, unit: Unit, games: u64) -> Option<Reading> {
    estimate.map(|Estimate { value, interval }| Reading { value, interval, unit, games })
}

fn share(rate: Rate) -> Option<Reading> {
    let percent = |share: f64| 100.0 * share;
    let interval = Some(rate.interval.map(percent));
    (rate.games > 0).then_some(Reading { value: percent(rate.share), interval, unit: Percent, games: rate.games })
}

/// The share of games that reached tile number `INDEX` of the summary.
fn tile<const INDEX: usize>(summary: &SoloSummary) -> Option<Reading> {
    share(summary.tiles.get(INDEX)?.rate)
}

fn per_game(total: f64, summary: &SoloSummary, unit: Unit) -> Option<Reading> {
    exact(total / summary.games.max(1) as f64, unit, summary.games)
}

use Unit::{Count, Elo, Few, Percent, Seconds};

static KINDS: &[Kind] = &[
    solo("games", "games", "games", |s| exact(s.games as f64, Count, s.games)),
    solo("score", "mean score", "mean score (points)", |s| estimated(s.score, Count, s.games)),
    solo("median", "median", "median score (points)", |s| exact(s.median?, Count, s.games)),
    solo("deviation", "deviation", "standard deviation (points)", |s| exact(s.deviation?, Count, s.games)),
    solo("best", "best", "best score (points)", |s| exact(s.best? as f64, Count, s.games)),
    solo("worst", "worst", "worst score (points)", |s| exact(s.worst? as f64, Count, s.games)),
    solo("largest-tile", "mean largest tile", "mean largest tile", |s| estimated(s.largest_tile, Count, s.games)),
    solo("tile-512", "tile 512", "games that reach 512 (%)", tile::<0>),
    solo("tile-1024", "tile 1024", "games that reach 1024 (%)", tile::<1>),
    solo("tile-2048", "tile 2048", "games that reach 2048 (%)", tile::<2>),
    solo("tile-4096", "tile 4096", "games that reach 4096 (%)", tile::<3>),
    solo("tile-8192", "tile 8192", "games that reach 8192 (%)", tile::<4>),
    solo("tile-16384", "tile 16384", "games that reach 16384 (%)", tile::<5>),
    solo("tile-32768", "tile 32768", "games that reach 32768 (%)", tile::<6>),
    solo("tile-65536", "tile 65536", "games that reach 65536 (%)", tile::<7>),
    solo("tile-131072", "tile 131072", "games that reach 131072 (%)", tile::<8>),
    solo("moves", "moves per game", "moves per game", |s| per_game(s.moves as f64, s, Count)),
    solo("nodes", "nodes per game", "nodes per game", |s| per_game(s.nodes as f64, s, Count)),
    solo("nodes-per-move", "nodes per move", "nodes per move", |s| exact(s.nodes_per_move, Count, s.games)),
    solo("time-per-move", "time per move", "time per move (s)", |s| exact(s.seconds_per_move, Seconds, s.games)),
    solo("time-per-game", "time per game", "time per game (s)", |s| per_game(s.seconds, s, Seconds)),
    duel("matches", "games", "games", |m| exact(m.games as f64, Count, m.games)),
    duel("won", "won", "games won (%)", |m| share(Rate::new(m.won, m.games))),
    duel("drawn", "drawn", "games drawn (%)", |m| share(Rate::new(m.drawn, m.games))),
    duel("lost", "lost", "games lost (%)", |m| share(Rate::new(m.lost, m.games))),
    duel("points", "points", "points per game (%)", points),
    duel("elo", "Elo", "Elo difference", |m| estimated(m.elo, Elo, m.games)),
    duel("normalised-elo", "nElo", "normalised Elo difference", |m| estimated(m.normalised_elo, Elo, m.games)),
    duel("superiority", "LOS", "likelihood of superiority (%)", |m| exact(100.0 * m.superiority, Percent, m.games)),
    duel("captured", "marbles", "marbles pushed off", |m| estimated(m.captured[0], Few, m.games)),
    duel("captured-by-opponent", "opponent's marbles", "marbles pushed off by the opponent", |m| {
        estimated(m.captured[1], Few, m.games)
    }),
    duel("plies", "half-moves", "half-moves per game", |m| exact(m.plies?, Few, m.games)),
    duel("nodes-a", "nodes per move", "nodes per move", |m| exact(m.cost[0].nodes_per_move, Count, m.games)),
    duel("nodes-b", "opponent's nodes per move", "nodes per move of the opponent", |m| {
        exact(m.cost[1].nodes_per_move, Count, m.games)
    }),
    duel("time-a", "time per move", "time per move (s)", |m| exact(m.cost[0].seconds_per_move, Seconds, m.games)),
    duel("time-b", "opponent's time per move", "time per move of the opponent (s)", |m| {
        exact(m.cost[1].seconds_per_move, Seconds, m.games)
    }),
    decision("searched-depth", "depth", "depth (half-moves)", |d| exact(d.depth, Count, d.decisions)),
    decision("searched-nodes", "nodes", "nodes", |d| exact(d.nodes, Count, d.decisions)),
    decision("searched-evaluations", "evaluations", "static evaluations", |d| exact(d.evaluations, Count, d.decisions)),
    decision("searched-iterations", "iterations", "iterations", |d| exact(d.iterations, Count, d.decisions)),
    decision("searched-hits", "table hits", "table hits", |d| exact(d.table_hits, Count, d.decisions)),
    decision("searched-time", "time", "time (s)", |d| exact(d.seconds, Seconds, d.decisions)),
    decision("searched-value", "value", "value of the move", |d| exact(d.value?, Few, d.decisions)),
];

/// The share of the points, with the interval of the Elo difference.
fn points(summary: &MatchSummary) -> Option<Reading> {
    let percent = |elo: f64| 100.0 * score_from_elo(elo);
    let elo = summary.elo?;
    Some(Reading {
        value: 100.0 * summary.score?,
        interval: elo.interval.map(|interval| interval.map(percent)),
        unit: Percent,
        games: summary.games,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solo::{SoloTally, TILES};

    #[test]
    fn every_measure_is_found_by_its_name_and_no_two_share_one() {
        for kind in KINDS {
            let measure: Measure = kind.name.parse().unwrap();
            assert!(std::ptr::eq(measure.0, kind), "{}", kind.name);
        }
        let error = "tile-248".parse::<Measure>().unwrap_err().to_string();
        assert!(error.contains("did you mean `tile-2048`"), "{error}");
    }

    #[test]
    fn tile_measures_are_in_the_order_of_the_summary() {
        for (index, tile) in TILES.iter().enumerate() {
            let measure: Measure = format!("tile-{tile}").parse().unwrap();
            let mut summary = SoloTally::default().summary();
            summary.tiles[index].rate = Rate::new(1, 2);
            assert_eq!(measure.of_solo(&summary).map(|reading| reading.value), Some(50.0), "{tile}");
        }
    }

    #[test]
    fn the_usual_columns_exist() {
        let counts = [SeriesKind::Solo, SeriesKind::Duel, SeriesKind::Decision].map(|kind| Measure::usual(kind).len());
        assert_eq!(counts, [9, 8, 4]);
    }
}
