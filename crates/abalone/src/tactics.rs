//! What a search may know about moves.

use afterstate_game::{Position as _, Tactics};

use crate::{Move, Position};

impl Tactics for Position {
    /// The nine classes of [`Move::class`].
    const CLASSES: u8 = 9;
    const MOVE_CODES: usize = Move::CODES;

    #[inline]
    fn move_class(&self, mv: Move) -> u8 {
        mv.class()
    }

    #[inline]
    fn move_code(mv: Move) -> usize {
        mv.code()
    }

    #[inline]
    fn move_from_code(&self, code: usize) -> Option<Move> {
        Move::from_code(code).filter(|&mv| self.is_legal(mv))
    }

    /// Visits the ejections, and only looks for those.
    #[inline]
    fn for_each_loud_move(&self, visit: impl FnMut(Move)) {
        if !self.is_decided() {
            self.board().for_each_ejection(visit);
        }
    }

    /// A player of Abalone must move, but almost always has a move that does no harm: passing is a fair lower bound.
    #[inline]
    fn pass(&self) -> Option<Self> {
        Some(self.passed())
    }
}
