//! The page in a real browser. Ignored unless asked for, because it needs chromium and its driver: `cargo xtask test`
//! installs them and asks for it. All tests share one browser and come one after the other; each has a server of its
//! own and with it, because storage goes by address, a page without memories.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

#[path = "../common/mod.rs"]
mod common;

mod abalone;
mod analysis;
mod house;
mod lab;
mod screen;
mod stage;
mod twenty48;
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cases = [twenty48::cases(), abalone::cases(), analysis::cases(), watch::cases(), lab::cases(), house::cases()];
    stage::run(cases.into_iter().flatten())
}
