//! The page in a real browser. Where there is none the tests say so and pass; `cargo xtask test` counts them as skipped.

#[path = "../common/mod.rs"]
mod common;

mod abalone;
mod analysis;
mod house;
mod screen;
mod twenty48;
mod watch;
