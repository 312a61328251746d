//! The web page's own check: the types written in its comments, by the compiler that knows them.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::install::is_there;
use crate::step::Report;

/// Pinned, so that a new compiler with new opinions does not fail an old commit.
const TYPESCRIPT: &str = "typescript@7.0.2";
/// Inside the folder that git ignores.
const FOLDER: &str = "target/typescript";

/// Checks the page, or says why it cannot be checked here.
pub(crate) fn types(report: &mut Report) {
    const NAME: &str = "types of the web page";
    let compiler = format!("{FOLDER}/node_modules/.bin/tsc");
    if !Path::new(&compiler).exists() && !install() {
        report.skip(NAME, "the TypeScript compiler is not here and npm could not install it");
        return;
    }
    report.run(NAME, Command::new(compiler).args(["--project", "web/tsconfig.json"]));
}

fn install() -> bool {
    println!("==> installing {TYPESCRIPT}");
    is_there("npm")
        && std::fs::create_dir_all(FOLDER).is_ok()
        && Command::new("npm")
            .args(["install", "--prefix", FOLDER, "--no-audit", "--no-fund", "--silent", TYPESCRIPT])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
}
