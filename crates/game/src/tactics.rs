//! What a game tells a search about its moves beyond their legality.

use crate::Position;

/// Knowledge about moves that makes a search faster without changing what is true: which to try first, which are loud
/// enough to be followed beyond the horizon, and how to write one in a few bits.
pub trait Tactics: Position {
    /// The number of move classes.
    const CLASSES: u8;

    /// The number of codes that [`Self::move_code`] may give.
    const MOVE_CODES: usize;

    /// The class of a legal move, `0` being the most promising.
    fn move_class(&self, mv: Self::Move) -> u8;

    /// A small number for the move, below [`Self::MOVE_CODES`] and different for every move the game knows; it does not
    /// depend on the position.
    fn move_code(mv: Self::Move) -> usize;

    /// The legal move with this code, if there is one in this position. A code from a table may belong to another
    /// position, so this checks.
    fn move_from_code(&self, code: usize) -> Option<Self::Move>;

    /// Visits the loud moves: those that change the balance at once and must be resolved before a position is judged.
    fn for_each_loud_move(&self, visit: impl FnMut(Self::Move));

    /// The position with the other side to move, or `None` where passing makes no sense.
    fn pass(&self) -> Option<Self>;
}
