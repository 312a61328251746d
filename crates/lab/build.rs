//! Tells the laboratory which commit it was built from, so that every result can name it.

use std::process::Command;

/// The laboratory and what it is built on: whether there are changes on top of the commit is asked when it is built again
/// anyway.
const WATCHED: [&str; 7] = ["game", "twenty48", "abalone", "search", "learn", "players", "lab"];

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changes| !changes.is_empty());
    let mark = if changed { "+" } else { "" };
    let built_from = commit.map_or_else(|| "unknown+".to_owned(), |commit| commit + mark);
    println!("cargo::rustc-env=AFTERSTATE_COMMIT={built_from}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    for room in WATCHED {
        println!("cargo::rerun-if-changed=../{room}/src");
    }
    // A commit moves HEAD's log. The index does not count: looking at the state of the tree already touches it.
    if let Some(path) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={path}");
    }
}
