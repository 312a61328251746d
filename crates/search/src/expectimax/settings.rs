//! What tells one expectimax from another.

use std::fmt;
use std::sync::Arc;

use afterstate_game::{Limits, Position};

use super::memory::{MIN_TABLE_BYTES, TableSettings};
use crate::TableTooLarge;

/// The largest depth that can be asked for; stands for "as deep as the limits allow".
pub const MAX_DEPTH: u32 = 100;

/// The settings of an expectimax. Every field has a neutral default, so that a variant names only what it is known for.
#[derive(Clone, Debug)]
pub struct Settings<P: Position> {
    /// How deep to search, in [`Self::unit`]s.
    pub depth: Depth<P>,
    /// What one unit of depth is.
    pub unit: DepthUnit,
    /// The player's own limits, on top of those of each task. A limit of time or nodes makes the search deepen step by
    /// step and return the best of the last completed step.
    pub limits: Limits,
    /// Whether to deepen step by step even without such a limit.
    pub deepening: Deepening,
    /// The worth of a position without a legal move.
    pub dead: Dead,
    /// What happens to a position (not an afterstate) at which the depth is used up.
    pub horizon: Horizon,
    /// What happens at the root if there is nothing to choose.
    pub single_move: SingleMove,
    /// Which answers of chance are looked at.
    pub chance: Chance,
    /// An afterstate that is reached with a smaller probability than this is evaluated whatever the depth; 0 for never.
    pub cutoff: f32,
    /// The transposition table, if there is one.
    pub table: Option<TableSettings<P>>,
    /// How the leaves below the last moves are judged: a matter of speed and counting, never of the value.
    pub leaves: Leaves,
    /// Threads that search root moves side by side; they never change the decision.
    pub threads: u32,
}

/// How deep to search.
#[derive(Clone)]
pub enum Depth<P> {
    /// The same depth everywhere.
    Fixed(u32),
    /// A depth that the root position decides, such as one that grows with the number of distinct tiles.
    Adaptive(Arc<dyn Fn(&P) -> u32 + Send + Sync>),
}

impl<P> Depth<P> {
    /// A depth decided by the root position.
    pub fn adaptive(rule: impl Fn(&P) -> u32 + Send + Sync + 'static) -> Self {
        Self::Adaptive(Arc::new(rule))
    }

    /// The depth for this root position, within 1 and [`MAX_DEPTH`].
    pub(super) fn at(&self, root: &P) -> u32 {
        match self {
            Self::Fixed(depth) => *depth,
            Self::Adaptive(rule) => rule(root),
        }
        .clamp(1, MAX_DEPTH)
    }
}

impl<P> fmt::Debug for Depth<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(depth) => f.debug_tuple("Fixed").field(depth).finish(),
            Self::Adaptive(_) => f.write_str("Adaptive(..)"),
        }
    }
}

/// What one unit of depth is. The root's own move is always tried; the units differ in what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DepthUnit {
    /// Moves and answers count one each, the root's move included (`zhaw`, `dietenberger`): at depth 1 the afterstates
    /// of the root are evaluated.
    HalfMoves,
    /// Answers and moves count one each, and the root's move is free (`maqsood`): at depth 2 the afterstates of the
    /// next move are evaluated.
    HalfMovesAfterMove,
    /// A move together with its answer counts one (`jordal`): the positions after the last answer are evaluated.
    Levels,
    /// An answer together with the next move counts one (`xiao`): afterstates are evaluated.
    MovesAhead,
}

impl DepthUnit {
    /// The half-moves between an afterstate of the root and the leaves.
    #[must_use]
    pub fn plies(self, depth: u32) -> u32 {
        match self {
            Self::HalfMoves => depth.saturating_sub(1),
            Self::HalfMovesAfterMove => depth,
            Self::Levels => (2 * depth).saturating_sub(1),
            Self::MovesAhead => 2 * depth,
        }
    }
}

/// When a search tries every smaller depth first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Deepening {
    /// Only under a limit of time or nodes.
    #[default]
    WhenLimited,
    /// Always: for observers who want to see something early.
    Always,
}

/// The worth of a position without a legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dead {
    /// A fixed value, whatever the other values are.
    Value(f32),
    /// A fixed value below which no position of the tree falls: the maximum over the moves starts here.
    Floor(f32),
    /// What the evaluation says of it.
    Evaluated,
}

/// What happens to a position at which the depth is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Horizon {
    /// A dead one is worth what [`Dead`] says; the others are evaluated.
    #[default]
    SeesDead,
    /// It is evaluated, dead or not.
    Evaluates,
}

/// What happens at the root if there is nothing to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SingleMove {
    /// A single legal move is searched like any other, so that its value is known.
    #[default]
    Searched,
    /// A single legal move is played unsearched.
    Played,
}

/// Which answers of chance are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Chance {
    /// All.
    #[default]
    Full,
    /// At most this many, drawn one after the other without repetition, each with its probability among those that are
    /// left; the mean weighs them by their probabilities (`dietenberger`).
    Sampled(u32),
    /// At most this many of the likeliest, drawn uniformly without repetition (`jordal`: cells for a two).
    Likeliest(u32),
}

/// How the leaves below the last moves are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaves {
    /// All moves of a position at once where the game has fixed candidates: fast. Such leaves are no nodes, and one
    /// judgement counts as one evaluation.
    #[default]
    Together,
    /// Each by a call of its own, counted as a node and an evaluation: slower, and comparable with the recursive calls
    /// that the literature counts.
    OneByOne,
}

impl<P: Position> Default for Settings<P> {
    /// The plain algorithm: four half-moves after the root's move, all answers, no table, one thread.
    fn default() -> Self {
        Self {
            depth: Depth::Fixed(4),
            unit: DepthUnit::HalfMovesAfterMove,
            limits: Limits::NONE,
            deepening: Deepening::default(),
            dead: Dead::Value(0.0),
            horizon: Horizon::default(),
            single_move: SingleMove::default(),
            chance: Chance::default(),
            cutoff: 0.0,
            table: None,
            leaves: Leaves::default(),
            threads: 1,
        }
    }
}

/// Settings that no search can be built from.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidSettings {
    /// The fixed depth is out of range.
    #[error("the depth {0} is not within 1 and {max}", max = MAX_DEPTH)]
    Depth(u32),
    /// A chance node without answers has no value.
    #[error("at least one answer of chance must be looked at, not 0")]
    NoAnswers,
    /// The cutoff is no probability.
    #[error("the cutoff {0} is no probability: it must be at least 0 and below 1")]
    Cutoff(f32),
    /// Nobody would search.
    #[error("at least one thread must search, not 0")]
    NoThreads,
    /// The table is too small to be divided among the root moves.
    #[error("a table of {0} bytes is too small: it needs at least {min}", min = MIN_TABLE_BYTES)]
    TableTooSmall(u64),
    /// The table does not fit into memory.
    #[error(transparent)]
    TableTooLarge(#[from] TableTooLarge),
}

impl<P: Position> Settings<P> {
    /// Finds the first setting that makes no sense.
    pub fn check(&self) -> Result<(), InvalidSettings> {
        match self.depth {
            Depth::Fixed(depth) if !(1..=MAX_DEPTH).contains(&depth) => return Err(InvalidSettings::Depth(depth)),
            _ => {}
        }
        if matches!(self.chance, Chance::Sampled(0) | Chance::Likeliest(0)) {
            return Err(InvalidSettings::NoAnswers);
        }
        if !(0.0..1.0).contains(&self.cutoff) {
            return Err(InvalidSettings::Cutoff(self.cutoff));
        }
        if self.threads == 0 {
            return Err(InvalidSettings::NoThreads);
        }
        match &self.table {
            Some(table) if table.bytes < MIN_TABLE_BYTES => Err(InvalidSettings::TableTooSmall(table.bytes)),
            _ => Ok(()),
        }
    }
}
