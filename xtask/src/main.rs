//! The project's own tasks: `cargo xtask test` and its kin.

fn main() {}
