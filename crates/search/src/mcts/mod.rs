//! Monte Carlo tree search for games with and without chance, for one or two players.
//!
//! One [`Mcts`] is every variant, by its [`Settings`]: what the tree knows of chance, which child is followed, how the
//! tree grows, what happens below it, what that is worth, and which move is played in the end. All values are those of
//! the side that moves, so that a game for two needs no case of its own. The positions are judged by an
//! [`afterstate_game::Evaluation`], the moves by a [`MoveOrdering`].
//!
//! The value of a move is its mean payoff: from 0 (lost) to 1 (won), or with [`Scale::Raw`] in the unit of the evaluation.
//! Depth is the longest path of the tree, in half-moves. Where there is a choice and
//! nothing else ends the search, exactly as many [`iterations`](afterstate_game::Limits::iterations) are made as were asked
//! for.
//!
//! What it leaves to others: which settings make a good player of a game.

mod ahead;
mod check;
mod choice;
mod clock;
#[cfg(test)]
mod laws;
mod ordering;
mod parallel;
mod payoff;
mod plan;
mod player;
mod reuse;
mod rules;
mod select;
mod settings;
mod sharing;
mod simulate;
mod tree;
mod worker;

pub use check::SettingsError;
pub use ordering::{ByClass, ByEvaluation, MoveOrdering, Unordered};
pub use player::Mcts;
pub use settings::{
    Chance, Choice, Cut, Expansion, FirstPlay, Over, Parallelism, Payoff, Reuse, Rule, Scale, Selection, Settings,
    Shares, Simulation,
};
