//! What is drawn on a terminal: live boards and tables.

pub(crate) mod board2048;
mod screen;
pub(crate) mod table;

pub(crate) use screen::{Key, Screen};
