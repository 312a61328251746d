//! An Abalone board as lines of text: rows I to A from the top, as players write them.

use afterstate_abalone::{Cell, LOST_TO_LOSE, Position};
use afterstate_game::{Position as _, Side};

/// The board in plain text, with the names of rows and columns, the side to move and the marbles lost.
pub(crate) fn plain(position: &Position) -> String {
    let mut lines: Vec<String> = (0..9).rev().map(|row| line(position, row)).collect();
    // The columns run along the diagonals and end below the board.
    lines.push(format!("{}1 2 3 4 5", " ".repeat(9)));
    lines.push(String::new());
    let turn = if position.side_to_move() == Side::First { "black (x)" } else { "white (o)" };
    let lost = |side| format!("{} of {LOST_TO_LOSE}", position.lost(side));
    lines.push(format!("{turn} to move; lost: black {}, white {}", lost(Side::First), lost(Side::Second)));
    lines.join("\n")
}

/// One row: its letter, its cells, and at the lower half the number of the column that ends beside it.
fn line(position: &Position, row: u8) -> String {
    let cells: Vec<&str> = Cell::row_cells(row)
        .map(|cell| {
            if position.marbles(Side::First).contains(cell) {
                "x"
            } else if position.marbles(Side::Second).contains(cell) {
                "o"
            } else {
                "."
            }
        })
        .collect();
    let column = if row < 4 { format!(" {}", row + 6) } else { String::new() };
    format!("{}{}  {}{column}", " ".repeat(9 - cells.len()), char::from(b'A' + row), cells.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate_abalone::Layout;

    #[test]
    fn the_standard_layout_looks_as_it_is_drawn() {
        let expected = "    I  o o o o o
   H  o o o o o o
  G  . . o o o . .
 F  . . . . . . . .
E  . . . . . . . . .
 D  . . . . . . . . 9
  C  . . x x x . . 8
   B  x x x x x x 7
    A  x x x x x 6
         1 2 3 4 5

black (x) to move; lost: black 0 of 6, white 0 of 6";
        assert_eq!(plain(&Layout::Standard.position()), expected);
    }
}
