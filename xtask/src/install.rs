//! Installing the programs that some tests drive. What cannot be installed is skipped by its tests, and counted here.

use std::process::{Command, Stdio};

use crate::step::Report;

/// Programs and the Debian package that brings each.
const TOOLS: [(&str, &str); 5] = [
    ("tmux", "tmux"),
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("munged", "munge"),
    ("slurmctld", "slurm-wlm"),
];

/// Makes sure that every tool is there, or says that the tests that need it will be skipped.
pub(crate) fn tools(report: &mut Report) {
    let missing: Vec<_> = TOOLS.into_iter().filter(|(program, _)| !is_there(program)).collect();
    if missing.is_empty() {
        return;
    }
    let packages: Vec<_> = missing.iter().map(|&(_, package)| package).collect();
    println!("==> installing {}", packages.join(" "));
    let updated = quietly(Command::new("apt-get").args(["update", "--quiet"]));
    for (program, package) in missing {
        // One by one: a package that is not to be had must not keep the others away.
        if !(updated && apt_install(package) && is_there(program)) {
            let reason = format!("`{program}` is not here and the package `{package}` could not be installed");
            report.skip(&format!("tests that drive {program}"), &reason);
        }
    }
}

/// Where the tests of network files look for a Python with NumPy and safetensors; inside the folder that git ignores.
const PYTHON: &str = "target/python-tensors";

/// Makes that Python, or says that the tests that need it will be skipped.
pub(crate) fn python_tensors(report: &mut Report) {
    let pip = format!("{PYTHON}/bin/pip");
    let ready = || quietly(Command::new(format!("{PYTHON}/bin/python")).args(["-c", "import numpy, safetensors"]));
    let install = || {
        println!("==> installing numpy and safetensors into {PYTHON}");
        quietly(Command::new("python3").args(["-m", "venv", PYTHON]))
            && quietly(Command::new(pip).args(["install", "--quiet", "numpy==2.4.6", "safetensors==0.8.0"]))
    };
    if !ready() && !install() {
        // Half an environment would look like a whole one to the tests.
        let _ = std::fs::remove_dir_all(PYTHON);
        report.skip("reading network files with Python", "numpy and safetensors could not be installed");
    }
}

/// Whether a program can be started.
pub(crate) fn is_there(program: &str) -> bool {
    quietly(Command::new("sh").args(["-c", &format!("command -v {program}")]))
}

fn apt_install(package: &str) -> bool {
    let mut install = Command::new("apt-get");
    install.args(["install", "--quiet", "--yes", "--no-install-recommends", package]);
    quietly(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

fn quietly(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
