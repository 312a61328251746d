//! Random boards of every kind, for the property tests.

use afterstate_twenty48::Board;
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
    let exponents = (1..=max_exponent).prop_flat_map(move |low| proptest::array::uniform16(cell(low)));
    exponents.prop_filter_map("every exponent is that of a tile", Board::from_exponents)
}
