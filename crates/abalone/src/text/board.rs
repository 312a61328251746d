//! The board drawn for people.

use std::fmt::{self, Write as _};

use afterstate_game::{Position as _, Side};

use crate::setup::name;
use crate::{Cell, Position};

/// Draws the board with whatever `show` says for each cell, which must take one column. Rows are marked with letters
/// on the left, columns with digits along the lower right edge, where each diagonal ends.
pub fn draw<D: fmt::Display>(mut show: impl FnMut(Cell) -> D) -> String {
    let mut text = String::new();
    for row in (0..9u8).rev() {
        let indent = usize::from(row.abs_diff(4));
        let letter = char::from(b'A' + row);
        // Writing into a string cannot fail.
        let _ = write!(text, "{:indent$}{letter} ", "");
        for cell in Cell::row_cells(row) {
            let _ = write!(text, " {}", show(cell));
        }
        // Column c ends below row c - 5, counted from 0: its digit stands at the end of the next row down.
        if row < 4 {
            let _ = write!(text, " {}", row + 6);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{:5}   1 2 3 4 5", "");
    text
}

/// Draws a position with `b`, `w` and `.`, and says whose turn it is and what is lost.
#[must_use]
pub fn render(position: &Position) -> String {
    let mut text = draw(|cell| match () {
        () if position.marbles(Side::First).contains(cell) => 'b',
        () if position.marbles(Side::Second).contains(cell) => 'w',
        () => '.',
    });
    let [black, white] = Side::BOTH.map(|side| position.lost(side));
    let turn = name(position.side_to_move());
    let _ = writeln!(text, "{turn} to move; lost: black {black}, white {white}");
    text
}
