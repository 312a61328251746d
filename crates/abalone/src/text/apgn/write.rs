//! Writing games.

use std::fmt::Write as _;

use afterstate_game::{Position as _, Side};

use super::{DERIVED, Game, IllegalGame, VARIANTS, result_text};
use crate::Position;
use crate::text::rows;

/// The width at which lines of moves are broken.
const WIDTH: usize = 80;

/// What the format wants to come first, with what stands for the unknown.
const LEADING: [(&str, &str); 4] = [("Event", "?"), ("Date", "????.??.??"), ("Black", "?"), ("White", "?")];

impl Game {
    /// The game as text, to be appended to a file: with the blank line that separates it from the next. Fails if the
    /// moves cannot be replayed.
    pub fn to_text(&self) -> Result<String, IllegalGame> {
        let moves = self.written_moves()?;
        let mut text = self.header();
        text.push('\n');
        let mut column = 0;
        for word in moves.iter().map(String::as_str).chain([result_text(self.outcome)]) {
            if column + 1 + word.len() > WIDTH {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += word.len();
        }
        text.push_str("\n\n");
        Ok(text)
    }

    fn header(&self) -> String {
        let mut text = String::new();
        for (name, unknown) in LEADING {
            push_tag(&mut text, name, self.tag(name).unwrap_or(unknown));
        }
        let variant = VARIANTS.iter().find(|(layout, _)| layout.position() == self.start);
        push_tag(&mut text, "Variant", variant.map_or("custom", |(_, name)| name));
        push_tag(&mut text, "Result", result_text(self.outcome));
        push_tag(&mut text, "Notation", &self.notation.to_string());
        if variant.is_none() {
            push_tag(&mut text, "SetUp", "1");
            push_tag(&mut text, "Position", &position_text(&self.start));
        }
        push_tag(&mut text, "Plies", &self.moves.len().to_string());
        for (name, value) in &self.tags {
            let mut written = LEADING.iter().map(|(name, _)| name).chain(&DERIVED);
            if !written.any(|written| written.eq_ignore_ascii_case(name)) {
                push_tag(&mut text, name, value);
            }
        }
        text
    }

    /// The moves, a number before each of black's, after playing them.
    fn written_moves(&self) -> Result<Vec<String>, IllegalGame> {
        let mut words = Vec::with_capacity(self.moves.len());
        let mut position = self.start;
        for (played, &mv) in self.moves.iter().enumerate() {
            let illegal = |_| IllegalGame { ply: played + 1, mv };
            let next = position.play(mv).map_err(illegal)?.afterstate.0;
            let ahead = usize::from(self.start.side_to_move() == Side::Second);
            let number = (played + ahead) / 2 + 1;
            let mv = self.notation.write(mv);
            words.push(match position.side_to_move() {
                Side::First => format!("{number}. {mv}"),
                Side::Second if played == 0 => format!("{number}... {mv}"),
                Side::Second => mv,
            });
            position = next;
        }
        Ok(words)
    }
}

/// The start as the tag `Position` has it.
fn position_text(position: &Position) -> String {
    let text = rows::write(position);
    let rows = text.split(' ').next().unwrap_or_default();
    let turn = if position.side_to_move() == Side::First { 'b' } else { 'w' };
    match Side::BOTH.map(|side| position.lost(side)) {
        [0, 0] => format!("{rows} {turn}"),
        [black, white] => format!("{rows}-{black}b{white}w {turn}"),
    }
}

/// A tag is one line: quotes and backslashes are escaped, line breaks become spaces. A name is one word.
fn push_tag(text: &mut String, name: &str, value: &str) {
    let name: String = name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    if name.is_empty() {
        return;
    }
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
    // Writing into a string cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}
