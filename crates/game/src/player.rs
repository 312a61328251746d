//! Somebody who chooses moves.

use std::fmt;

use crate::{Decision, History, Limits, Position, Stop};

/// One decision to make: the game so far, what may be spent, and how to follow or end it from outside.
pub struct Task<'a, P: Position> {
    /// The game up to the position to decide.
    pub history: &'a History<P>,
    /// Limits on top of the player's own.
    pub limits: Limits,
    /// Ends the search early.
    pub stop: &'a Stop,
    /// Is shown every intermediate decision worth seeing, in order.
    pub observer: &'a mut dyn FnMut(&Decision<P::Move>),
}

impl<P: Position> fmt::Debug for Task<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { history, limits, stop, observer: _ } = self;
        let mut task = f.debug_struct("Task");
        task.field("history", history).field("limits", limits).field("stop", stop).finish_non_exhaustive()
    }
}

impl<P: Position> Task<'_, P> {
    /// The position to decide.
    #[must_use]
    pub fn position(&self) -> &P {
        self.history.position()
    }
}

/// A program (or a person) that chooses moves.
pub trait Player<P: Position>: Send {
    /// Chooses a move. Within limits that are reproducible, the same seed and the same calls give the same decisions.
    fn decide(&mut self, task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove>;

    /// Forgets the last game (tables, trees, random state) and starts the next one with this seed.
    fn start_game(&mut self, seed: u64);

    /// Decides within these limits and the player's own, with nobody watching or stopping it.
    fn decide_within(&mut self, history: &History<P>, limits: Limits) -> Result<Decision<P::Move>, NoLegalMove> {
        self.decide(Task { history, limits, stop: &Stop::new(), observer: &mut |_| {} })
    }

    /// Decides a single position with no history and no limits but the player's own.
    fn decide_position(&mut self, position: &P) -> Result<Decision<P::Move>, NoLegalMove> {
        self.decide_within(&History::new(position.clone()), Limits::NONE)
    }
}

/// A player that is only known at run time.
impl<P: Position, T: Player<P> + ?Sized> Player<P> for Box<T> {
    fn decide(&mut self, task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove> {
        (**self).decide(task)
    }

    fn start_game(&mut self, seed: u64) {
        (**self).start_game(seed);
    }
}

/// The game is over: there is nothing to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is over: there is no legal move to decide on")]
pub struct NoLegalMove;
