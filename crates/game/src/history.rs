//! A game in progress: the position, how it was reached, and the rules that depend on that.

use crate::{Outcome, Position};

/// When a game that nobody wins ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct DrawRules {
    /// The game is drawn when a position occurs this many times since the last irreversible move.
    pub repetitions: Option<u32>,
    /// The game ends after this many half-moves.
    pub max_plies: Option<u32>,
    /// How a game ends at the ply limit.
    pub at_limit: AtPlyLimit,
}

/// How a game ends at the ply limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AtPlyLimit {
    /// Nobody wins.
    #[default]
    Draw,
    /// Who leads by the game's own count wins.
    LeaderWins,
}

/// A position together with what led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<P> {
    position: P,
    ply: u32,
    rules: DrawRules,
    /// Keys of the positions since the last irreversible move, oldest first, without the current one.
    earlier: Vec<u64>,
}

impl<P: Position> History<P> {
    /// A game that starts here, with no draw rules.
    #[must_use]
    pub fn new(position: P) -> Self {
        Self::with_rules(position, DrawRules::default())
    }

    /// A game that starts here.
    #[must_use]
    pub fn with_rules(position: P, rules: DrawRules) -> Self {
        Self { position, ply: 0, rules, earlier: Vec::new() }
    }

    /// The position that has to be decided.
    #[inline]
    #[must_use]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Half-moves played so far.
    #[inline]
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The rules of this game.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> DrawRules {
        self.rules
    }

    /// Keys of the positions since the last irreversible move, oldest first, without the current one.
    #[inline]
    #[must_use]
    pub fn earlier_keys(&self) -> &[u64] {
        &self.earlier
    }

    /// Continues with `mv`, which was legal in the current position and, after chance answered, led to `next`.
    pub fn push(&mut self, mv: P::Move, next: P) {
        if self.position.is_irreversible(mv) {
            self.earlier.clear();
        } else {
            self.earlier.push(self.position.key());
        }
        self.position = next;
        self.ply += 1;
    }

    /// How often the current position has occurred since the last irreversible move, this time included.
    #[must_use]
    pub fn occurrences(&self) -> u32 {
        if self.earlier.is_empty() {
            return 1;
        }
        let key = self.position.key();
        1 + self.earlier.iter().filter(|&&earlier| earlier == key).count() as u32
    }

    /// How the game ended, by the position itself or by the draw rules.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.position.outcome() {
            return Some(outcome);
        }
        if self.rules.repetitions.is_some_and(|limit| self.occurrences() >= limit) {
            return Some(Outcome::Drawn);
        }
        if self.rules.max_plies.is_some_and(|limit| self.ply >= limit) {
            return Some(self.rules.at_limit.outcome(&self.position));
        }
        None
    }
}

impl AtPlyLimit {
    /// The outcome of a game that is cut in this position.
    #[must_use]
    pub fn outcome<P: Position>(self, position: &P) -> Outcome {
        match (self, position.leader()) {
            (Self::LeaderWins, Some(side)) => Outcome::Won(side),
            _ => Outcome::Drawn,
        }
    }
}
