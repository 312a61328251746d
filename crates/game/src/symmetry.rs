//! Symmetries: transformations of the board that leave the game unchanged.

use crate::Position;

/// The number of a symmetry, `0` being the identity. Only meaningful together with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(pub u8);

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Self = Self(0);
}

/// A game whose board has symmetries.
pub trait Symmetric: Position {
    /// The number of symmetries, the identity included.
    const SYMMETRIES: u8;

    /// The symmetry that undoes `symmetry`.
    fn inverse(symmetry: Symmetry) -> Symmetry;

    /// The position as seen through the symmetry.
    #[must_use]
    fn transformed(&self, symmetry: Symmetry) -> Self;

    /// A move as seen through the symmetry: playing and transforming commute.
    fn transformed_move(mv: Self::Move, symmetry: Symmetry) -> Self::Move;

    /// All symmetries of the game, the identity first.
    fn symmetries() -> impl Iterator<Item = Symmetry> {
        (0..Self::SYMMETRIES).map(Symmetry)
    }
}
