//! Running steps and counting what passed, failed and was skipped.

use std::borrow::BorrowMut;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// What happened so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    passed: Vec<String>,
    failed: Vec<String>,
    skipped: Vec<String>,
}

impl Report {
    /// Runs a command as a step and says how it went.
    pub(crate) fn run(&mut self, name: &str, mut command: impl BorrowMut<Command>) -> bool {
        println!("==> {name}");
        let started = Instant::now();
        let passed = match command.borrow_mut().status() {
            Ok(status) => status.success(),
            Err(error) => {
                println!("    cannot start: {error}");
                false
            }
        };
        let verdict = if passed { "passed" } else { "FAILED" };
        println!("==> {name}: {verdict} ({:.0} s)", started.elapsed().as_secs_f64());
        if passed { &mut self.passed } else { &mut self.failed }.push(name.to_owned());
        passed
    }

    /// Counts a step that cannot run here.
    pub(crate) fn skip(&mut self, name: &str, reason: &str) {
        println!("==> {name}: SKIPPED: {reason}");
        self.skipped.push(format!("{name}: {reason}"));
    }

    /// Prints the summary; the exit code says whether anything failed.
    pub(crate) fn finish(self) -> ExitCode {
        for name in &self.failed {
            println!("failed: {name}");
        }
        for name in &self.skipped {
            println!("skipped: {name}");
        }
        println!("steps: {} passed, {} failed, {} skipped", self.passed.len(), self.failed.len(), self.skipped.len());
        if self.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// A cargo command in the workspace, by the cargo that runs this task.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}
