//! The way to the current position: the game so far and the moves of the search, where repetitions are found.

use afterstate_game::{DrawRules, History, Outcome, Position};

use super::settings::Repetition;

/// The keys of the positions before the current one, with the draw rules of the game.
#[derive(Clone, Debug)]
pub(super) struct Path {
    rules: DrawRules,
    repetition: Repetition,
    /// The half-moves of the game up to the root.
    root_ply: u32,
    /// Keys since the last irreversible move before the root, oldest first.
    keys: Vec<u64>,
    /// Where the search begins in `keys`.
    root: usize,
    /// Where the last irreversible move lies in `keys`: nothing before it can repeat.
    reversible_from: usize,
}

/// Where [`Path::back`] returns to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    reversible_from: usize,
}

impl Path {
    pub(super) fn new<P: Position>(history: &History<P>, repetition: Repetition) -> Self {
        let keys = history.earlier_keys().to_vec();
        Self { rules: history.rules(), repetition, root_ply: history.ply(), root: keys.len(), keys, reversible_from: 0 }
    }

    /// Leaves a position by a move.
    #[inline]
    pub(super) fn forward<P: Position>(&mut self, position: &P, mv: P::Move) -> Mark {
        if self.rules.repetitions.is_none() {
            return self.mark();
        }
        self.leave(position.key(), position.is_irreversible(mv))
    }

    /// Leaves a position by passing: nothing after it repeats anything before it.
    #[inline]
    pub(super) fn forward_by_pass<P: Position>(&mut self, position: &P) -> Mark {
        if self.rules.repetitions.is_none() {
            return self.mark();
        }
        self.leave(position.key(), true)
    }

    #[inline]
    fn mark(&self) -> Mark {
        Mark { reversible_from: self.reversible_from }
    }

    #[inline]
    fn leave(&mut self, key: u64, irreversible: bool) -> Mark {
        let mark = self.mark();
        self.keys.push(key);
        if irreversible {
            self.reversible_from = self.keys.len();
        }
        mark
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn back(&mut self, mark: Mark) {
        if self.rules.repetitions.is_some() {
            self.keys.pop();
            self.reversible_from = mark.reversible_from;
        }
    }

    /// Returns to the root after a search that was interrupted.
    pub(super) fn return_to_root(&mut self) {
        self.keys.truncate(self.root);
        self.reversible_from = 0;
    }

    /// How the draw rules end the game in this position, `ply` half-moves after the root.
    #[inline]
    pub(super) fn outcome<P: Position>(&self, position: &P, ply: usize) -> Option<Outcome> {
        if self.is_repetition(|| position.key()) {
            return Some(Outcome::Drawn);
        }
        let limit = self.rules.max_plies?;
        (self.root_ply + ply as u32 >= limit).then(|| self.rules.at_limit.outcome(position))
    }

    #[inline]
    fn is_repetition(&self, key: impl FnOnce() -> u64) -> bool {
        /// The same side is to move again, and where both may pass, in the same position.
        const SHORTEST: usize = 2;
        let Some(needed) = self.rules.repetitions else { return false };
        self.keys.len() - self.reversible_from >= SHORTEST && self.occurs_too_often(key(), needed)
    }

    fn occurs_too_often(&self, key: u64, needed: u32) -> bool {
        let mut occurrences = 1;
        // The same side is to move every second half-move only.
        let mut index = self.keys.len();
        while index >= self.reversible_from + 2 {
            index -= 2;
            if self.keys[index] == key {
                occurrences += 1;
                let once_is_enough = self.repetition == Repetition::Once && index >= self.root;
                if once_is_enough || occurrences >= needed {
                    return true;
                }
            }
        }
        false
    }

    /// What the key of a position is mixed with in the table: where the ply limit is near, a position is worth
    /// something else at another ply, and must not be taken for the same.
    #[inline]
    pub(super) fn salt(&self, ply: usize) -> u64 {
        /// Deeper searches than this do not happen in games with a ply limit.
        const NEAR: u32 = 64;
        match self.rules.max_plies {
            Some(limit) if limit.saturating_sub(self.root_ply) <= NEAR => {
                (ply as u64 + 1 + u64::from(self.root_ply)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that has left the positions with these keys, the first `root` of them before it began.
    fn path(repetition: Repetition, root: usize, keys: &[u64]) -> Path {
        let rules = DrawRules { repetitions: Some(3), ..DrawRules::default() };
        let keys = keys.to_vec();
        Path { rules, repetition, root_ply: 0, root, keys, reversible_from: 0 }
    }

    #[test]
    fn the_third_occurrence_is_a_draw_wherever_the_others_were() {
        for root in [0, 3, 8] {
            let path = path(Repetition::ByRule, root, &[1, 2, 3, 4, 1, 2, 3, 4]);
            assert!(path.is_repetition(|| 1));
            assert!(!path.is_repetition(|| 2), "the other side was to move");
            assert!(!path.is_repetition(|| 5));
        }
    }

    #[test]
    fn once_is_enough_inside_the_search_only() {
        let keys = [1, 2, 3, 4];
        assert!(path(Repetition::Once, 0, &keys).is_repetition(|| 1));
        assert!(!path(Repetition::Once, 1, &keys).is_repetition(|| 1));
        assert!(!path(Repetition::ByRule, 0, &keys).is_repetition(|| 1));
    }

    #[test]
    fn where_both_sides_may_pass_a_position_returns_after_two_half_moves() {
        assert!(path(Repetition::Once, 0, &[1, 2]).is_repetition(|| 1));
        assert!(path(Repetition::ByRule, 4, &[1, 2, 1, 2]).is_repetition(|| 1));
        assert!(!path(Repetition::ByRule, 2, &[1, 2]).is_repetition(|| 1), "only the second time");
    }

    #[test]
    fn nothing_repeats_across_an_irreversible_move() {
        let mut path = path(Repetition::Once, 0, &[1, 2, 3, 4]);
        let mark = path.leave(1, false);
        let pass = path.leave(2, true);
        path.leave(3, false);
        path.leave(4, false);
        assert!(!path.is_repetition(|| 1));
        path.return_to_root();
        assert!(path.keys.is_empty());
        path.keys = vec![1, 2, 3, 4, 1, 2];
        path.back(pass);
        path.back(mark);
        assert!(path.is_repetition(|| 1));
    }
}
