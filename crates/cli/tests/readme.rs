//! The README's commands do what the README shows.

#[test]
fn the_readme_tells_the_truth() {
    trycmd::TestCases::new().case("../../README.md");
}
