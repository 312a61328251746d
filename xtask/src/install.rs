//! Installing the programs that some tests drive. What cannot be installed is skipped by its tests, and counted here.

use std::process::{Command, Stdio};

use crate::step::Report;

/// A program and the Debian package that brings it.
const TOOLS: [(&str, &str); 1] = [("tmux", "tmux")];

/// Makes sure that every tool is there, or says that the tests that need it will be skipped.
pub(crate) fn tools(report: &mut Report) {
    for (program, package) in TOOLS {
        if !is_there(program) && !apt_install(package) {
            let reason = format!("`{program}` is not here and the package `{package}` could not be installed");
            report.skip(&format!("tests that drive {program}"), &reason);
        }
    }
}

/// Whether a program can be started.
pub(crate) fn is_there(program: &str) -> bool {
    quietly(Command::new("sh").args(["-c", &format!("command -v {program}")]))
}

fn apt_install(package: &str) -> bool {
    println!("==> installing {package}");
    quietly(Command::new("apt-get").args(["update", "--quiet"]))
        && quietly(Command::new("apt-get").args(["install", "--quiet", "--yes", "--no-install-recommends", package]))
}

fn quietly(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
