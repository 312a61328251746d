//! The project's own tasks.
//!
//! `cargo xtask test` installs what the tests need and runs all of them; `cargo xtask fuzz SECONDS` fuzzes every text
//! format for that long; `cargo xtask golden` rewrites the golden files.

mod install;
mod page;
mod step;

use std::process::{Command, ExitCode};

use step::{Report, cargo};

const USAGE: &str = "usage: cargo xtask test | fuzz [SECONDS] | golden";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test(),
        ["fuzz"] => fuzz(60),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz(seconds),
            Err(_) => usage(),
        },
        ["golden"] => golden(),
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

/// Everything that must hold before a change lands. All steps run even if one fails, so that one run shows all faults.
fn test() -> ExitCode {
    let mut report = Report::default();
    install::tools(&mut report);
    install::python_tensors(&mut report);
    report.run("formatting", cargo(&["fmt", "--all", "--check"]));
    report.run("lints", cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    report.run(
        "lints of the code for a GPU",
        cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]),
    );
    report.run("documentation", cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"));
    page::types(&mut report);
    report.run("tests", cargo(&["test", "--workspace", "--no-fail-fast"]));
    ignored(&mut report, "tests in a real browser", &["chromium", "chromedriver"], &["browser", "foreign_page"]);
    ignored(&mut report, "tests on a real Slurm", &["munged", "slurmctld"], &["slurm"]);
    gpu(&mut report);
    fuzz_targets(&mut report, "-runs=20000");
    report.finish()
}

/// The tests of what only a build for a GPU has. CUDA is loaded at run time, so that all of it compiles anywhere, and most of
/// its tests need no device.
fn gpu(report: &mut Report) {
    let tests = || cargo(&["test", "--package", "afterstate-learn", "--features", "cuda", "--lib"]);
    report.run("tests of the code for a GPU", tests().arg("gpu"));
    if install::is_there("nvidia-smi") {
        report.run("tests on a GPU", tests().args(["--", "--ignored"]));
    } else {
        report.skip("tests on a GPU", "`nvidia-smi` is not here");
    }
}

/// The tests that `cargo test` leaves out because they need other programs. The same selection of packages as in the step
/// before, so that nothing is compiled anew.
fn ignored(report: &mut Report, name: &str, programs: &[&str], tests: &[&str]) {
    if let Some(missing) = programs.iter().find(|program| !install::is_there(program)) {
        report.skip(name, &format!("`{missing}` is not here"));
        return;
    }
    let mut command = cargo(&["test", "--workspace"]);
    for test in tests {
        command.args(["--test", test]);
    }
    report.run(name, command.args(["--", "--ignored"]));
}

/// Fuzzes each text format for the given time.
fn fuzz(seconds: u32) -> ExitCode {
    let mut report = Report::default();
    fuzz_targets(&mut report, &format!("-max_total_time={seconds}"));
    report.finish()
}

/// Builds and runs every fuzz target. The pinned stable compiler has the unstable flags that libFuzzer's coverage
/// needs; `RUSTC_BOOTSTRAP` opens them, so that no second toolchain is needed.
fn fuzz_targets(report: &mut Report, bound: &str) {
    const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                            -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                            -Cllvm-args=-sanitizer-coverage-pc-table -Cdebug-assertions -Ccodegen-units=1";
    let Some(host) = host() else {
        report.skip("fuzzing", "rustc does not name its host");
        return;
    };
    // A named target keeps the flags away from build scripts, which are not linked with libFuzzer.
    let mut build = cargo(&["build", "--release", "--quiet", "--target", &host]);
    build.current_dir("fuzz").env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", COVERAGE);
    if !report.run("fuzz targets build", &mut build) {
        return;
    }
    for target in fuzz_target_names() {
        let corpus = format!("corpus/{target}");
        if std::fs::create_dir_all(format!("fuzz/{corpus}")).is_err() {
            report.skip(&format!("fuzz {target}"), "its corpus folder cannot be made");
            continue;
        }
        let mut command = Command::new(format!("target/{host}/release/{target}"));
        command.current_dir("fuzz").args([corpus.as_str(), bound, "-max_len=4096", "-verbosity=0"]);
        report.run(&format!("fuzz {target}"), &mut command);
    }
}

/// The platform that the compiler runs on.
fn host() -> Option<String> {
    let output = Command::new("rustc").arg("-vV").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// The fuzz targets, one file each.
fn fuzz_target_names() -> Vec<String> {
    let files = std::fs::read_dir("fuzz/fuzz_targets").into_iter().flatten().flatten();
    let mut names: Vec<String> =
        files.filter_map(|file| file.file_name().to_str()?.strip_suffix(".rs").map(str::to_owned)).collect();
    names.sort();
    names
}

/// Rewrites golden files and snapshots; the diff then shows what changed.
fn golden() -> ExitCode {
    let mut report = Report::default();
    let mut command = cargo(&["test", "--workspace"]);
    command.env("UPDATE_GOLDEN", "1").env("INSTA_UPDATE", "always").env("TRYCMD", "overwrite");
    report.run("golden files", &mut command);
    report.finish()
}
