//! What the game promises, from outside.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod apgn;
mod common;
mod fitted;
mod playthrough;
mod reference;
mod rules;
mod text;
