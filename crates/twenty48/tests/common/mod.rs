//! Random boards of every kind, for the property tests.

use afterstate_twenty48::{Board, Cell, Tile};
use proptest::prelude::*;

/// Boards with tiles up to the given exponent, empty cells and equal neighbours being common.
pub(crate) fn boards(max_exponent: u8) -> impl Strategy<Value = Board> {
    let cell = move |low: u8| {
        prop_oneof![
            3 => Just(0),
            4 => low..=low.saturating_add(2).min(max_exponent),
            2 => 1..=max_exponent,
            1 => max_exponent - 1..=max_exponent,
        ]
    };
    (1..=max_exponent).prop_flat_map(move |low| proptest::array::uniform16(cell(low))).prop_map(from_exponents)
}

/// The board with these exponents, 0 for empty cells.
pub(crate) fn from_exponents(exponents: [u8; 16]) -> Board {
    Cell::all()
        .zip(exponents)
        .fold(Board::EMPTY, |board, (cell, exponent)| board.with(cell, Tile::from_exponent(exponent)))
}
