//! The binary `afterstate`.

fn main() {}
