//! The draw rules of the game in progress, along a path of the search.

use afterstate_game::{DrawRules, History, Outcome, Position};

/// Follows a path from the root and says where the history ends the game. Costs nothing where no rule is set.
pub(super) struct Referee {
    rules: DrawRules,
    /// Keys of the positions of the game and of the path, without the current one.
    keys: Vec<u64>,
    /// Where the path begins in `keys`.
    game: usize,
    /// Where the positions begin that the current one can repeat.
    since: usize,
    /// Half-moves to the root.
    start: u32,
    /// Half-moves to the current position.
    ply: u32,
}

impl Referee {
    pub(super) fn new<P: Position>(history: &History<P>) -> Self {
        let rules = history.rules();
        let keys = if rules.repetitions.is_some() { history.earlier_keys().to_vec() } else { Vec::new() };
        Self { rules, game: keys.len(), keys, since: 0, start: history.ply(), ply: history.ply() }
    }

    /// Back to the root.
    #[inline]
    pub(super) fn rewind(&mut self) {
        self.keys.truncate(self.game);
        self.since = 0;
        self.ply = self.start;
    }

    /// Half-moves from the root.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.ply - self.start
    }

    /// A legal move is about to be played in `position`.
    #[inline]
    pub(super) fn play<P: Position>(&mut self, position: &P, mv: P::Move) {
        self.ply = self.ply.saturating_add(1);
        if self.rules.repetitions.is_none() {
            return;
        }
        if position.is_irreversible(mv) {
            self.since = self.keys.len();
        } else {
            self.keys.push(position.key());
        }
    }

    /// How the history ends the game in the position just reached.
    #[inline]
    pub(super) fn outcome<P: Position>(&self, position: &P) -> Option<Outcome> {
        if let Some(limit) = self.rules.repetitions {
            let key = position.key();
            let earlier = self.keys[self.since..].iter().filter(|&&earlier| earlier == key).count();
            if earlier as u32 + 1 >= limit {
                return Some(Outcome::Drawn);
            }
        }
        match self.rules.max_plies {
            Some(limit) if self.ply >= limit => Some(self.rules.at_limit.outcome(position)),
            _ => None,
        }
    }
}
