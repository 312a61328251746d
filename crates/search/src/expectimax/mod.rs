//! Expectimax: the best move against chance that answers with known probabilities.
//!
//! One search whose [`Settings`] make it every variant: how depth is counted, what a dead position is worth, which
//! answers of chance are looked at, when a transposition table may be trusted, and when a branch is too unlikely to
//! follow. It is for games of one player and chance.
//!
//! Depth is counted in [`DepthUnit`]s. Values are in the unit of the evaluation, and where that counts rewards, with those
//! of the moves up to the leaves. The plain algorithm is exact up to rounding, and stays so with any number of threads and
//! either way of judging leaves, and without a cutoff with a table of [`Reuse::Exact`] and [`Keys::Own`]. The other settings
//! say what they give up.
//!
//! What is counted: `nodes` are calls of the recursion, on positions and on afterstates, those answered by the table
//! included; leaves that are judged together with their position ([`Leaves::Together`]) are none. `evaluations` are
//! calls of the evaluation, or boards where it judges in batches. `moves_tried` are moves of expanded positions; where the game has fixed candidates
//! ([`Position::CANDIDATES`](afterstate_game::Position::CANDIDATES)) all of them count, legal or not. The reading of the
//! principal line, which follows the search, is not counted.

mod batch;
mod line;
mod memory;
mod player;
mod root;
mod sampling;
mod settings;
mod tree;

pub use memory::{Keys, Lifetime, MIN_TABLE_BYTES, Reuse, Sharing, TableNodes, TableSettings};
pub use player::Expectimax;
pub use settings::{
    Chance, Dead, Deepening, Depth, DepthUnit, Horizon, InvalidSettings, Leaves, MAX_DEPTH, Settings, SingleMove,
};
