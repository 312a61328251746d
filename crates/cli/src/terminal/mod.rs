//! Live boards in a terminal.

pub(crate) mod board2048;
pub(crate) mod hexagon;
mod screen;

pub(crate) use screen::{Key, Screen};
