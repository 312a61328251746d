//! The posRef string of a position: black's half, `_`, white's half. A half is the number of marbles lost and then the
//! cells, row by row: the row's letter and the digits of its columns, as in `0a12345b123456c345`.
//!
//! A posRef does not say who is to move; the caller does.

use afterstate_game::{PerSide, Side};

use super::TextError;
use crate::{Cell, Cells, Position, Setup};

/// Reads a posRef string, for the side to move that the caller knows.
pub fn read(text: &str, turn: Side) -> Result<Setup, TextError> {
    let bad = |reason: String| TextError::PosRef { text: text.to_owned(), reason };
    let Some((black, white)) = text.trim().split_once('_') else {
        return Err(bad("'_' between black and white is missing".to_owned()));
    };
    let (black, white) = (read_half(black).map_err(bad)?, read_half(white).map_err(bad)?);
    Ok(Setup { marbles: PerSide([black.0, white.0]), lost: PerSide([black.1, white.1]), turn })
}

/// The marbles and the number lost of one colour.
fn read_half(text: &str) -> Result<(Cells, u8), String> {
    let mut characters = text.chars();
    let lost = characters.next().and_then(|first| first.to_digit(10));
    let lost = lost.ok_or_else(|| format!("{text:?} does not begin with the number of marbles lost"))?;
    let mut cells = Cells::EMPTY;
    let mut row = None;
    for character in characters {
        let Some(digit) = character.to_digit(10) else {
            row = Some(character.to_ascii_lowercase());
            continue;
        };
        let row = row.ok_or_else(|| format!("{text:?} has columns before the first row"))?;
        let cell = cell(row, digit).ok_or_else(|| format!("the board has no cell {row}{digit}"))?;
        if cells.contains(cell) {
            return Err(format!("{cell} is named twice"));
        }
        cells.insert(cell);
    }
    Ok((cells, lost as u8))
}

fn cell(row: char, column: u32) -> Option<Cell> {
    let row = u8::try_from(row).ok()?.checked_sub(b'a')?;
    Cell::new(row, u8::try_from(column).ok()?.checked_sub(1)?)
}

/// Writes a posRef string.
#[must_use]
pub fn write(position: &Position) -> String {
    let half = |side| {
        let mut text = position.lost(side).to_string();
        for row in 0..9 {
            let columns: String = Cell::row_cells(row)
                .filter(|&cell| position.marbles(side).contains(cell))
                .map(|cell| char::from(b'1' + cell.column()))
                .collect();
            if !columns.is_empty() {
                text.push(char::from(b'a' + row));
                text.push_str(&columns);
            }
        }
        text
    };
    format!("{}_{}", half(Side::First), half(Side::Second))
}
