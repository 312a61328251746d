//! The position string: rows I to A separated by `/`, then the side to move and the marbles lost by black and white.
//!
//! In a row, `b` and `w` are marbles and a digit is a run of empty cells. Reading accepts capital letters and a run
//! written in several digits; writing uses small letters and one digit.

use std::fmt::Write as _;

use afterstate_game::{PerSide, Position as _, Side};

use super::TextError;
use crate::{Cell, Cells, LOST_TO_LOSE, Position, Setup};

/// Reads a position string.
pub fn read(text: &str) -> Result<Setup, TextError> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let &[rows, turn, black_lost, white_lost] = parts.as_slice() else {
        return Err(TextError::Parts { found: parts.len() });
    };
    let marbles = read_rows(rows)?;
    let turn = match turn {
        "b" | "B" => Side::First,
        "w" | "W" => Side::Second,
        other => return Err(TextError::Turn(other.to_owned())),
    };
    let lost = PerSide([read_lost("black", black_lost)?, read_lost("white", white_lost)?]);
    Ok(Setup { marbles, lost, turn })
}

fn read_rows(text: &str) -> Result<PerSide<Cells>, TextError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 9 {
        return Err(TextError::Rows { found: rows.len() });
    }
    let mut marbles = PerSide([Cells::EMPTY; 2]);
    for (row, text) in (0..9).rev().zip(rows) {
        read_row(row, text, &mut marbles)?;
    }
    Ok(marbles)
}

fn read_row(row: u8, text: &str, marbles: &mut PerSide<Cells>) -> Result<(), TextError> {
    let letter = char::from(b'A' + row);
    let mut cells = Cell::row_cells(row);
    let mut found = 0;
    for character in text.chars() {
        let (run, side) = match character {
            'b' | 'B' => (1, Some(Side::First)),
            'w' | 'W' => (1, Some(Side::Second)),
            '1'..='9' => (character as usize - '0' as usize, None),
            found => return Err(TextError::Square { row: letter, found }),
        };
        found += run;
        if let (Some(cell), Some(side)) = (cells.nth(run - 1), side) {
            marbles[side].insert(cell);
        }
    }
    let needed = Cell::row_cells(row).count();
    if found == needed {
        Ok(())
    } else {
        Err(TextError::RowLength { row: letter, text: text.to_owned(), needed, found })
    }
}

fn read_lost(side: &'static str, text: &str) -> Result<u8, TextError> {
    let lost: Option<u8> = text.parse().ok();
    lost.filter(|&lost| lost <= LOST_TO_LOSE).ok_or_else(|| TextError::Lost { side, found: text.to_owned() })
}

/// Writes a position string.
#[must_use]
pub fn write(position: &Position) -> String {
    let mut text = String::with_capacity(64);
    for row in (0..9).rev() {
        let mut empty = 0;
        for cell in Cell::row_cells(row) {
            let Some(letter) = marble(position, cell) else {
                empty += 1;
                continue;
            };
            push_run(&mut text, &mut empty);
            text.push(letter);
        }
        push_run(&mut text, &mut empty);
        if row > 0 {
            text.push('/');
        }
    }
    let turn = if position.side_to_move() == Side::First { 'b' } else { 'w' };
    // Writing into a string cannot fail.
    let _ = write!(text, " {turn} {} {}", position.lost(Side::First), position.lost(Side::Second));
    text
}

/// `b` or `w`, or `None` for an empty cell.
fn marble(position: &Position, cell: Cell) -> Option<char> {
    if position.marbles(Side::First).contains(cell) {
        Some('b')
    } else if position.marbles(Side::Second).contains(cell) {
        Some('w')
    } else {
        None
    }
}

fn push_run(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
