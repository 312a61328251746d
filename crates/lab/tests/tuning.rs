//! Evolved weights: the same seed gives the same run, whatever happens in between.

use std::path::Path;

use afterstate_lab::Machinery;
use afterstate_lab::tuning::{Tuning, TuningSettings};

const TWENTY48: &str = r#"
name = "test"
game = "2048"
agent = "one-ply(eval=dietenberger)"
games = 3
generations = 4
population = 5
seed = 9
confirm = { every = 2, games = 16 }

[[weights]]
key = "eval.empty"
scale = "log"

[[weights]]
key = "eval.differences"
step = 5
min = -50
max = 50
"#;

const ABALONE: &str = r#"
name = "test"
game = "abalone"
agent = "one-ply(eval=hauff)"
games = 2
generations = 2
population = 4
gain = "marbles"
draws = { max_plies = 40, at_limit = "leader-wins" }
confirm = { every = 1, games = 8 }

[[weights]]
key = "eval.centre"
scale = "log"
"#;

fn machinery(threads: usize) -> Machinery {
    Machinery { threads, ..Machinery::default() }
}

fn start(text: &str) -> Tuning {
    let settings = TuningSettings::parse(text).expect("the settings are right");
    Tuning::new(settings, Path::new(".")).expect("the agent can be built")
}

fn finish(mut tuning: Tuning, threads: usize) -> Tuning {
    while !tuning.is_finished() {
        tuning.generation(&machinery(threads)).expect("games can be played").expect("nobody stops it");
    }
    tuning
}

#[test]
fn the_same_seed_gives_the_same_run_for_any_number_of_threads() {
    for text in [TWENTY48, ABALONE] {
        let one = finish(start(text), 1);
        assert_eq!(one.checkpoint(), finish(start(text), 3).checkpoint());
        assert_ne!(
            one.checkpoint(),
            finish(start(&text.replace("games = 2\n", "seed = 4\ngames = 2\n").replace("seed = 9", "seed = 4")), 1)
                .checkpoint()
        );
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let whole = finish(start(TWENTY48), 2);
    let mut tuning = start(TWENTY48);
    tuning.generation(&machinery(2)).unwrap().unwrap();
    let before = tuning.checkpoint();
    let stopped = machinery(2);
    stopped.stop.raise();
    assert_eq!(tuning.generation(&stopped).unwrap(), None);
    assert_eq!(tuning.checkpoint(), before, "a stopped generation leaves no trace");
    let broken = Machinery { device_failure: || Some("no device".to_owned()), ..machinery(2) };
    let error = tuning.generation(&broken).unwrap_err().to_string();
    assert!(error.contains("the device failed: no device"), "{error}");
    assert_eq!(tuning.checkpoint(), before, "nor does one whose device fails");
    let settings = TuningSettings::parse(TWENTY48).unwrap();
    let resumed = Tuning::resume(settings, Path::new("."), &before, Path::new("x.toml")).unwrap();
    let resumed = finish(resumed, 1);
    assert_eq!(resumed.checkpoint(), whole.checkpoint());
    assert_eq!(resumed.csv().lines().count(), 5);
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let text = start(TWENTY48).checkpoint();
    let resume = |settings: &str, text: &str| {
        let settings = TuningSettings::parse(settings).unwrap();
        Tuning::resume(settings, Path::new("."), text, Path::new("x.toml")).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(resume(&TWENTY48.replace("generations = 4", "generations = 9"), &text), Ok(()));
    let other = resume(&TWENTY48.replace("games = 3", "games = 4"), &text).unwrap_err();
    assert!(other.starts_with("x.toml: a checkpoint of `test` with other settings"), "{other}");
    let cut = resume(TWENTY48, &text[..text.len() / 2]).unwrap_err();
    assert!(cut.starts_with("x.toml: damaged"), "{cut}");
    let newer = resume(TWENTY48, &text.replace("format = 1", "format = 2")).unwrap_err();
    assert!(newer.contains("format 2"), "{newer}");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let error = |text: String| match TuningSettings::parse(&text) {
        Ok(settings) => Tuning::new(settings, Path::new(".")).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    for (from, to, part) in [
        ("games = 3", "games = 0", "games: expected"),
        ("population = 5", "population = 1", "population: expected"),
        ("name = \"test\"", "name = \"a/b\"", "name: expected"),
        ("every = 2", "every = 0", "confirm: expected"),
        ("dietenberger", "dietenburger", "did you mean `dietenberger`?"),
        ("seed = 9", "gain = \"points\"", "2048 has one player"),
    ] {
        let message = error(TWENTY48.replace(from, to));
        assert!(message.contains(part), "{to}: {message}");
    }
    assert!(error(ABALONE.replace("games = 2\n", "games = 3\n")).contains("even number"));
    assert!(error(ABALONE.replace("gain = \"marbles\"", "opponent = \"nobody\"")).contains("nobody"));
}

#[test]
fn the_tunings_of_the_repository_can_be_started() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../trainings/weights");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("a folder of tunings") {
        let path = entry.expect("a readable entry").path();
        let tuning = TuningSettings::read(&path).map(|settings| Tuning::new(settings, &folder));
        assert!(matches!(&tuning, Ok(Ok(_))), "{}: {tuning:?}", path.display());
        names.push(path);
    }
    assert!(names.len() >= 4, "{names:?}");
}
