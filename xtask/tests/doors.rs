//! The doors of the house: which crate may use which. ARCHITECTURE.md draws the same picture.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What each crate of the workspace may use of the others. A crate that is not listed may use nothing.
const DOORS: [(&str, &[&str]); 10] = [
    ("afterstate-game", &[]),
    ("afterstate-twenty48", &["afterstate-game"]),
    ("afterstate-abalone", &["afterstate-game"]),
    ("afterstate-search", &["afterstate-game"]),
    ("afterstate-learn", &["afterstate-game", "afterstate-twenty48", "afterstate-abalone", "afterstate-search"]),
    (
        "afterstate-players",
        &["afterstate-game", "afterstate-twenty48", "afterstate-abalone", "afterstate-search", "afterstate-learn"],
    ),
    (
        "afterstate-lab",
        &["afterstate-game", "afterstate-twenty48", "afterstate-abalone", "afterstate-learn", "afterstate-players"],
    ),
    ("afterstate-drive", &["afterstate-game", "afterstate-twenty48", "afterstate-players"]),
    (
        "afterstate-server",
        &["afterstate-game", "afterstate-twenty48", "afterstate-abalone", "afterstate-players", "afterstate-lab"],
    ),
    (
        "afterstate",
        &[
            "afterstate-game",
            "afterstate-twenty48",
            "afterstate-abalone",
            "afterstate-learn",
            "afterstate-players",
            "afterstate-lab",
            "afterstate-server",
            "afterstate-drive",
        ],
    ),
];

fn packages() -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()
        .expect("cargo metadata runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

/// Whether a dependency is part of the product: tests may look at any room.
fn is_product(dependency: &Value) -> bool {
    dependency["kind"].as_str() != Some("dev")
}

#[test]
fn no_door_is_opened_the_wrong_way() {
    let doors: BTreeMap<&str, &[&str]> = DOORS.into_iter().collect();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for package in packages() {
        let name = package["name"].as_str().unwrap_or_default().to_owned();
        let allowed = doors.get(name.as_str()).copied().unwrap_or_default();
        let dependencies = package["dependencies"].as_array().cloned().unwrap_or_default();
        for dependency in dependencies.iter().filter(|dependency| is_product(dependency)) {
            let used = dependency["name"].as_str().unwrap_or_default();
            if used.starts_with("afterstate") {
                seen += 1;
                if !allowed.contains(&used) {
                    wrong.push(format!("{name} -> {used}"));
                }
            }
        }
    }
    assert!(seen >= 10, "only {seen} doors seen: is the test reading the right workspace?");
    assert!(wrong.is_empty(), "doors opened the wrong way: {wrong:?}");
}

/// Words that a room must not contain, because they belong to another one.
#[test]
fn the_searches_name_no_game_and_the_vocabulary_no_clock() {
    let forbidden: [(&str, &[&str]); 2] = [
        ("crates/search/src", &["twenty48", "abalone", "println!", "eprintln!", "std::fs"]),
        ("crates/game/src", &["Instant", "std::fs", "std::thread", "println!"]),
    ];
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    for (folder, words) in forbidden {
        let mut files = 0;
        visit(format!("{root}/{folder}").as_ref(), &mut |path, text| {
            files += 1;
            for word in words {
                assert!(!product(text).contains(word), "{} contains `{word}`", path.display());
            }
        });
        assert!(files > 3, "{folder} has only {files} files: is the test reading the right folder?");
    }
}

/// The part of a source file that is not a test, nor an example of the documentation, which is a test as well.
fn product(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut in_example = false;
    let is_product = |line: &&str| {
        let comment = line.trim_start().strip_prefix("//!").or_else(|| line.trim_start().strip_prefix("///"));
        let is_fence = comment.is_some_and(|comment| comment.trim_start().starts_with("```"));
        in_example = comment.is_some() && in_example != is_fence;
        !in_example && !is_fence
    };
    code.lines().filter(is_product).map(|line| format!("{line}\n")).collect()
}

#[test]
fn examples_and_tests_are_no_product() {
    let text =
        "//! Says.\n//! ```\n//! println!();\n//! ```\n//! More.\nfn product() {}\n#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(product(text), "//! Says.\n//! More.\nfn product() {}\n");
    let cut = "/// ```\n/// use a;\nfn product() {}\n";
    assert_eq!(product(cut), "fn product() {}\n", "an example ends with its comment");
}

/// Calls `check` with every source file below a folder, except modules that are tests as a whole.
fn visit(folder: &Path, check: &mut dyn FnMut(&Path, &str)) {
    let parent = std::fs::read_to_string(folder.join("mod.rs")).unwrap_or_default();
    for entry in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        let module = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            visit(&path, check);
        } else if !parent.contains(&format!("#[cfg(test)]\nmod {module};")) {
            check(&path, &std::fs::read_to_string(&path).expect("sources are text"));
        }
    }
}
