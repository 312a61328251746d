//! What an alpha-beta player is made of: every technique is a setting that can be switched alone.
//!
//! Margins and windows are in the unit of the evaluation; depths and reductions are in half-moves.

use std::num::NonZeroUsize;

use afterstate_game::Limits;

use crate::TableTooLarge;

/// The techniques of a search. [`Settings::plain`] has none of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The player's own limits, which hold beside those of each task. Where neither sets any, the search ends at
    /// [`Settings::DEFAULT_DEPTH`].
    pub limits: Limits,
    /// Searches depth 1, 2, 3, … instead of the full depth at once. A search with a limit on nodes or time needs it to
    /// have something to show when the limit is reached.
    pub iterative_deepening: bool,
    /// Whether an iteration that a limit ends early may already change the choice.
    pub unfinished: Unfinished,
    /// Points per unit of the evaluation, above 0: the search counts in whole points. 16 suits evaluations in the hundreds
    /// and thousands; one between -1 and 1 wants some 10,000. A win is worth 16,000,000 points, less one for each half-move
    /// to it, and no judgement comes near.
    pub resolution: f32,
    /// Remembers positions that were searched before.
    pub table: Option<Memory>,
    /// Which moves are tried first.
    pub ordering: Ordering,
    /// Starts an iteration with a narrow window around the last value.
    pub window: Option<Window>,
    /// Follows loud moves beyond the horizon.
    pub quiescence: Quiescence,
    /// Searches every move but the first with a window of width zero and repeats the few that beat it.
    pub principal_variation_search: bool,
    /// Moves of this many most promising classes are never reduced or skipped.
    pub loud_classes: u8,
    /// Searches late quiet moves less deeply.
    pub reductions: Option<Reductions>,
    /// Lets the opponent move twice: who is still winning then needs no proof.
    pub null_move: Option<NullMove>,
    /// Believes a static value far above the window.
    pub reverse_futility: Option<Futility>,
    /// Skips quiet moves where the static value is far below the window.
    pub futility: Option<Futility>,
    /// Skips quiet moves that come very late.
    pub late_moves: Option<LateMoves>,
    /// Searches one half-move less from this depth on where no best move is remembered.
    pub internal_reduction: Option<u32>,
    /// What a repeated position inside the search is worth.
    pub repetition: Repetition,
    /// Threads that share the table. More than one is faster but, like a time limit, **not reproducible**: which thread
    /// fills the table first is chance. A decision panics where the system cannot start them.
    pub threads: NonZeroUsize,
}

/// What becomes of an iteration that a limit ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The last complete iteration decides.
    Discarded,
    /// The best move so far decides, once the expected best move has been searched.
    Used,
}

/// The transposition table of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Its size; an entry takes 16 bytes.
    pub bytes: u64,
    /// Which entry makes room.
    pub replacement: Replacement,
    /// How long entries are believed.
    pub lifetime: Lifetime,
    /// Which entries answer a search.
    pub reuse: Reuse,
}

/// Which of the four entries that share a place makes room for a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Always the same one.
    Always,
    /// The one from the shallowest search.
    Shallowest,
    /// The shallowest, where an entry loses worth with every move of the game since it was made.
    OldAndShallow,
}

/// How long entries of the table are believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// The table is empty at the start of every search.
    Search,
    /// The table is kept from move to move of a game.
    Game,
}

/// Which entries of the table answer a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Only those of exactly the depth that is wanted: the value is that of a search without a table, unless the game knows
    /// draws by repetition. An entry does not know the way to its position, and so not what would repeat.
    SameDepth,
    /// Deeper ones too.
    AtLeastDepth,
}

/// Which moves are tried first. Later entries of this list take precedence over earlier ones; with none of them the
/// order is arbitrary, but fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ordering {
    /// By the game's move classes.
    pub classes: bool,
    /// By how often a move was best elsewhere; together with the classes, their sum counts.
    pub history: bool,
    /// By the evaluation of the position it leads to, on this many top levels.
    pub evaluated_levels: u32,
    /// The last two moves that were too good on the same level.
    pub killers: bool,
    /// The best move that the table or the last iteration remembers.
    pub hash_move: bool,
}

/// A narrow window around the value of the last iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Its full width, in the unit of the evaluation.
    pub width: f32,
    /// What follows when the value lies outside.
    pub after_miss: AfterMiss,
}

/// How a window that was missed is widened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterMiss {
    /// The missed side is opened to infinity at once.
    Open,
    /// The missed side is moved away by twice as much each time.
    Double,
}

/// Following loud moves beyond the horizon until the position is quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiescence {
    /// The horizon is the end.
    Off,
    /// Only where the last move was loud itself.
    AfterLoud,
    /// At every leaf.
    Always,
}

/// By how much late quiet moves are searched less deeply: `base + ln(depth) * ln(number of the move) / divisor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reductions {
    /// The shallowest search that is reduced.
    pub min_depth: u32,
    /// Moves before this one (counted from 1) are not reduced.
    pub from_move: u32,
    /// The constant part.
    pub base: f32,
    /// The larger, the smaller the reduction.
    pub divisor: f32,
}

/// A search after passing, `reduction + depth / divisor` half-moves shallower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullMove {
    /// The shallowest search that tries it.
    pub min_depth: u32,
    /// The constant part of the reduction.
    pub reduction: u32,
    /// The larger, the smaller the reduction; 0 means none beyond the constant.
    pub divisor: u32,
}

/// A static value is believed when it is `base + per_ply * depth` outside the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Futility {
    /// The deepest search that uses it.
    pub max_depth: u32,
    /// The margin at depth 0.
    pub base: f32,
    /// What each half-move of depth adds.
    pub per_ply: f32,
}

/// Quiet moves after the first `base + factor * depth * depth` are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateMoves {
    /// The deepest search that skips.
    pub max_depth: u32,
    /// Moves that are always tried.
    pub base: u32,
    /// How fast the number grows with the depth.
    pub factor: u32,
}

/// What a repeated position inside the search is worth, where the game knows draws by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// A draw exactly when the rule says so.
    ByRule,
    /// A draw already at the first repetition of a position of the search itself: who could gain by deviating would
    /// have done so the first time.
    Once,
}

/// Settings that no search can be built from.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidSettings {
    /// The resolution is no scale.
    #[error("the resolution {0} is no number of points per unit: it must be finite and above 0")]
    Resolution(f32),
    /// The table does not fit into memory.
    #[error(transparent)]
    TableTooLarge(#[from] TableTooLarge),
}

impl Settings {
    /// The depth of a search without any limit.
    pub const DEFAULT_DEPTH: u32 = 6;

    /// Alpha-beta to a fixed depth and nothing else: moves in an arbitrary order, no memory, no selectivity.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            limits: Limits::NONE,
            iterative_deepening: false,
            unfinished: Unfinished::Discarded,
            resolution: 16.0,
            table: None,
            ordering: Ordering::default(),
            window: None,
            quiescence: Quiescence::Off,
            principal_variation_search: false,
            loud_classes: 0,
            reductions: None,
            null_move: None,
            reverse_futility: None,
            futility: None,
            late_moves: None,
            internal_reduction: None,
            repetition: Repetition::ByRule,
            threads: NonZeroUsize::MIN,
        }
    }

    /// The player that the thesis `hauff` ended with: iterative deepening, a table of 2^20 entries that is empty at every
    /// search, all four orderings and a window of 100; no quiescence, because its matches showed no gain.
    #[must_use]
    pub fn classic() -> Self {
        Self {
            iterative_deepening: true,
            table: Some(Memory {
                bytes: 16 << 20,
                replacement: Replacement::Shallowest,
                lifetime: Lifetime::Search,
                reuse: Reuse::AtLeastDepth,
            }),
            ordering: Ordering { classes: true, history: false, evaluated_levels: 3, killers: true, hash_move: true },
            window: Some(Window { width: 100.0, after_miss: AfterMiss::Open }),
            ..Self::plain()
        }
    }

    /// What made the classic player stronger in matches of Abalone: the principal variation searched in full, everything
    /// else only questioned, and late moves, hopeless positions and quiet horizons not believed to deserve more.
    #[must_use]
    pub fn modern() -> Self {
        Self {
            unfinished: Unfinished::Used,
            table: Some(Memory {
                bytes: 64 << 20,
                replacement: Replacement::OldAndShallow,
                lifetime: Lifetime::Game,
                reuse: Reuse::AtLeastDepth,
            }),
            ordering: Ordering { classes: true, history: true, evaluated_levels: 0, killers: true, hash_move: true },
            window: Some(Window { width: 60.0, after_miss: AfterMiss::Double }),
            quiescence: Quiescence::Always,
            principal_variation_search: true,
            loud_classes: 2,
            reductions: Some(Reductions { min_depth: 3, from_move: 4, base: 0.5, divisor: 2.0 }),
            null_move: Some(NullMove { min_depth: 3, reduction: 2, divisor: 4 }),
            reverse_futility: Some(Futility { max_depth: 4, base: 0.0, per_ply: 80.0 }),
            futility: Some(Futility { max_depth: 3, base: 60.0, per_ply: 60.0 }),
            late_moves: Some(LateMoves { max_depth: 4, base: 8, factor: 3 }),
            repetition: Repetition::Once,
            ..Self::classic()
        }
    }

    /// Finds the first setting that makes no sense.
    pub(super) fn check(&self) -> Result<(), InvalidSettings> {
        let is_scale = self.resolution.is_finite() && self.resolution > 0.0;
        if is_scale { Ok(()) } else { Err(InvalidSettings::Resolution(self.resolution)) }
    }

    /// Whether the search must know the classes of moves.
    #[inline]
    pub(super) fn needs_class(&self) -> bool {
        self.ordering.classes || self.loud_classes > 0
    }
}
