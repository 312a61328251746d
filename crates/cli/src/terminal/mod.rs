//! What is drawn on a terminal: live boards and tables.

pub(crate) mod board2048;
mod fold;
mod screen;
pub(crate) mod table;

use std::io::{IsTerminal, stdout};

pub(crate) use fold::folded;
pub(crate) use screen::{Key, Screen};

/// How wide the terminal is that shows the output, if one does.
pub(crate) fn width() -> Option<usize> {
    width_for(&stdout())
}

/// How wide the terminal is that shows what is written there, if one does.
pub(crate) fn width_for(stream: &impl IsTerminal) -> Option<usize> {
    let size = if stream.is_terminal() { crossterm::terminal::size().ok() } else { None };
    size.map(|(width, _)| width.into())
}
