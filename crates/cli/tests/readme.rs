//! The README's commands do what the README shows.

use std::path::Path;

/// The commands run in a copy of what they need, so that results of earlier runs in the repository stay out of the test,
/// and the test's out of the repository. `TRYCMD=overwrite` lets the README say what the commands do.
#[test]
fn the_readme_tells_the_truth() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::temp_dir().join(format!("afterstate-readme-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("experiments")).expect("a folder for the test");
    for file in ["README.md", "experiments/quickstart.toml"] {
        std::fs::copy(root.join(file), folder.join(file)).expect("a copy");
    }
    std::env::set_current_dir(&folder).expect("a folder for the test");
    trycmd::TestCases::new().case(folder.join("README.md")).run();
    if std::env::var("TRYCMD").is_ok_and(|mode| mode == "overwrite") {
        std::fs::copy(folder.join("README.md"), root.join("README.md")).expect("the new README");
    }
    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR")).expect("the way back");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}
