//! Alpha-beta for two-player games without chance.
//!
//! [`AlphaBeta`] is one search in which every technique is a setting that can be switched alone: from plain alpha-beta to
//! a fixed depth ([`Settings::plain`]) over the player of a thesis ([`Settings::classic`]) to what today's engines do.
//! The game is known only by [`Tactics`], its judgement only by [`Evaluation`].
//!
//! Depth counts half-moves. Values are for the side to move, in the unit of the evaluation, rounded to
//! [`Settings::resolution`]. Deepening, a table with [`Reuse::SameDepth`], the orderings, windows and the search of the
//! principal variation change the time and never the value, which is that of minimax to the same depth; so does quiescence,
//! once the minimax follows loud moves too. [`Reuse::AtLeastDepth`], reductions, the null move, both kinds of futility,
//! late moves and [`Repetition::Once`] give that up for more depth. The value of the chosen move is exact, of the others
//! there is often only a bound, as [`afterstate_game::MoveValue::bound`] says.
//!
//! With one thread and limits on depth or nodes a decision is reproducible; with several threads or a limit on time it
//! is not.

mod entry;
mod horizon;
mod line;
mod memory;
mod ordering;
mod path;
mod perft;
mod picker;
mod player;
mod root;
mod score;
mod selective;
mod settings;
mod tuning;
mod worker;

pub use player::AlphaBeta;
pub use settings::{
    AfterMiss, Futility, InvalidSettings, LateMoves, Lifetime, Memory, NullMove, Ordering, Quiescence, Reductions,
    Repetition, Replacement, Reuse, Settings, Unfinished, Window,
};

#[cfg(doc)]
use afterstate_game::{Evaluation, Tactics};

/// The longest path from the root that is searched, quiescence included.
const MAX_PLY: usize = 127;
