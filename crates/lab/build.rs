//! Tells the laboratory which commit it was built from, so that every result can name it.

use std::process::Command;

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
    // A commit moves HEAD's log, staging moves the index; unstaged edits are told apart by the program's checksum.
    for part in ["logs/HEAD", "index"] {
        if let Some(path) = git(&["rev-parse", "--git-path", part]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
