//! Live boards in a terminal.

pub(crate) mod board2048;
mod screen;

pub(crate) use screen::{Key, Screen};
