//! `afterstate train 2048` as a person types it, mistakes included.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("afterstate-train-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn train(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["train", "2048"])
        .args(arguments)
        .current_dir(&folder.0)
        .output()
        .expect("the program ends")
}

#[track_caller]
fn trained(folder: &Folder, arguments: &[&str]) -> String {
    let output = train(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

#[track_caller]
fn refused(folder: &Folder, arguments: &[&str], code: i32, part: &str) {
    let output = train(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(message.contains(part) && !message.contains("panicked"), "{arguments:?}: {message}");
}

const SMALL: [&str; 8] = ["--design", "4x4", "--evaluate", "200", "--sample", "20", "--threads", "1"];

fn same(a: &Path, b: &Path) -> bool {
    let weights = |path: &Path| {
        let model = afterstate_learn::ntuple::Model::load(path).expect("a model");
        model.network.play_games(20, 3, 1)
    };
    weights(a) == weights(b)
}

#[test]
fn a_training_writes_a_model_its_curve_and_a_figure() {
    let folder = Folder::new("model");
    let shown = trained(&folder, &[&SMALL[..], &["--games", "400", "--out", "small.model"]].concat());
    assert!(shown.contains("mean score") && shown.contains("wrote small.model"), "{shown}");
    assert!(shown.lines().all(|line| line.len() <= 80), "a terminal has room for it: {shown}");
    let csv = std::fs::read_to_string(folder.file("small.csv")).expect("a curve");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(csv.starts_with("games,moves,seconds,mean") && csv.contains("\n400,"), "{csv}");
    assert!(std::fs::read_to_string(folder.file("small.svg")).expect("a figure").contains("</svg>"));
    let model = folder.file("small.model").display().to_string();
    let agent = format!("one-ply(eval=ntuple(model={model}))");
    let played = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["play", "2048", "--agent", &agent, "--games", "3"])
        .output()
        .expect("the program ends");
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
}

#[test]
fn a_training_goes_on_from_its_checkpoint_as_if_it_had_never_stopped() {
    let folder = Folder::new("resume");
    // The rate stays as it is: that of 200 games would fall earlier than that of 500.
    let small = [&SMALL[..], &["--fall", "0"]].concat();
    trained(&folder, &[&small[..], &["--games", "500", "--out", "whole.model"]].concat());
    // The end of a round: games of one batch are played side by side, so a training cut within one learns in another order.
    let half = ["--games", "200", "--out", "half.model", "--checkpoint", "half.checkpoint"];
    trained(&folder, &[&small[..], &half].concat());
    trained(&folder, &["--resume", "half.checkpoint", "--games", "500", "--out", "rest.model"]);
    assert!(same(&folder.file("whole.model"), &folder.file("rest.model")));
    refused(
        &folder,
        &["--resume", "half.checkpoint", "--design", "4x6"],
        2,
        "a checkpoint of another network: 4x4, not 4x6",
    );
    std::fs::copy(folder.file("whole.model"), folder.file("other.model")).expect("a copy");
    let over = |model| ["--resume", "half.checkpoint", "--games", "300", "--out", model];
    refused(&folder, &over("other.model"), 2, "other.model is already there");
    trained(&folder, &over("half.model"));
    trained(&folder, &[&over("other.model")[..], &["--force"]].concat());
    refused(&folder, &["--resume", "half.model"], 2, "is a model, not a checkpoint");
    refused(&folder, &["--resume", "half.checkpoint", "--alpha", "1"], 2, "cannot be used with");
}

#[test]
fn a_training_begins_with_the_weights_and_the_design_of_a_model() {
    let folder = Folder::new("from");
    trained(&folder, &[&SMALL[..], &["--games", "1500", "--stages", "300", "--out", "first.model"]].concat());
    let mean = |name: &str| {
        let model = afterstate_learn::ntuple::Model::load(&folder.file(name)).expect("a model");
        model.network.play_games(200, 3, 1).mean
    };
    let learned = mean("first.model");
    // One game teaches next to nothing, least of all at this rate: a training from nothing would play at random.
    let go_on = ["--from", "first.model", "--games", "1", "--sample", "1", "--threads", "1", "--alpha", "0.000001"];
    trained(&folder, &[&go_on[..], &["--out", "second.model"]].concat());
    assert!(mean("second.model") > 0.9 * learned, "{} after {learned}", mean("second.model"));
    trained(&folder, &[&go_on[..], &["--stages", "200,300", "--out", "third.model"]].concat());
    assert!(mean("third.model") > 0.9 * learned, "{} after {learned}", mean("third.model"));
    let settings = "[design]\nname = \"x\"\ntuples = [\"a1 b1\"]\n";
    std::fs::write(folder.file("other.toml"), settings).expect("a file");
    let check = |arguments: &[&str], part| refused(&folder, &[&["--from", "first.model"], arguments].concat(), 2, part);
    check(&["--settings", "other.toml"], "first.model: it has the tuples of the design 4x4, not those of x");
    check(&["--design", "4x4"], "cannot be used with");
    std::fs::write(folder.file("wrong.toml"), format!("{settings}[fal]\n")).expect("a file");
    check(&["--settings", "wrong.toml"], "wrong.toml, line 4: unknown field `fal`");
    refused(&folder, &["--from", "first.csv"], 2, "first.csv");
    refused(&folder, &["--from", "nowhere.model"], 2, "nowhere.model: ");
}

#[test]
fn a_part_of_the_game_may_be_learned_alone() {
    let folder = Folder::new("part");
    std::fs::write(
        folder.file("boards.txt"),
        "128 64 0 0/2 0 0 0/0 0 0 0/0 0 0 0\n128 0 0 64/0 0 0 0/4 0 0 0/0 0 0 0\n",
    )
    .expect("a file");
    let part = ["--starts", "boards.txt", "--until", "260"];
    trained(
        &folder,
        &[&SMALL[..], &part, &["--games", "400", "--out", "part.model", "--checkpoint", "part.checkpoint"]].concat(),
    );
    let model = afterstate_learn::ntuple::Model::load(&folder.file("part.model")).expect("a model");
    let last = &model.provenance.curve.last().expect("a curve").sample;
    // From 194 to 260 there are at most 33 moves, and 256 is the largest tile.
    assert!(last.moves > 0 && last.moves <= 33 * last.games, "{last:?}");
    trained(&folder, &["--resume", "part.checkpoint", "--games", "500", "--out", "more.model"]);
    let model = afterstate_learn::ntuple::Model::load(&folder.file("more.model")).expect("a model");
    let last = &model.provenance.curve.last().expect("a curve").sample;
    assert!(last.moves <= 33 * last.games, "a checkpoint keeps the part: {last:?}");
}

#[test]
fn mistakes_are_refused_before_anything_is_learned() {
    let folder = Folder::new("mistakes");
    let design = |name: &str, tuples: &str| {
        std::fs::write(folder.file(name), format!("name = \"x\"\ntuples = {tuples}\n")).expect("a file");
    };
    design("repeated.toml", "[\"a1 b1 a1\"]");
    design("missing.toml", "[\"a1 e9\"]");
    design("none.toml", "[]");
    std::fs::write(folder.file("taken.model"), "mine").expect("a file");
    let check = |arguments: &[&str], part| refused(&folder, arguments, 2, part);
    check(&["--design", "repeated.toml"], "the cell a1 occurs twice in the tuple `a1 b1 a1`");
    check(&["--design", "missing.toml"], "`e9` in the tuple `a1 e9` is no cell");
    check(&["--design", "none.toml"], "the network has 0 tuples");
    check(&["--design", "nowhere.toml"], "there is no file nowhere.toml");
    check(&["--design", "9x9"], "there are 4x4, 4x6, 4x6+5x4, 8x6, or a TOML file");
    check(&["--design", "4x4", "--stages", "20,10"], "not strictly ascending");
    check(&["--design", "4x4", "--alpha", "-1"], "");
    check(&["--design", "4x4", "--lambda", "2"], "lambda is 2: it must be from 0 to 1");
    check(&["--design", "4x4", "--fall", "1.5"], "fall.share is 1.5: it must be from 0 to 1");
    check(&["--design", "4x4", "--restart", "carousel"], "the network has one stage: give it more (--stages)");
    check(&["--starts", "nowhere.txt"], "nowhere.txt");
    std::fs::write(
        folder.file("boards.txt"),
        "64 32 0 0/2 0 0 0/0 0 0 0/0 0 0 0\n\n64 31 0 0/2 0 0 0/0 0 0 0/0 0 0 0\n",
    )
    .expect("a file");
    check(&["--starts", "boards.txt"], "boards.txt: line 3: ");
    check(&["--starts", "taken.model", "--until", "64"], "taken.model: line 1: ");
    std::fs::write(folder.file("boards.txt"), "64 32 0 0/2 0 0 0/0 0 0 0/0 0 0 0\n").expect("a file");
    check(&["--starts", "boards.txt", "--until", "98"], "add up to 98, and games end at 98");
    std::fs::write(folder.file("boards.txt"), "\n").expect("a file");
    check(&["--starts", "boards.txt"], "boards.txt: there is no board in it");
    check(&["--out", "taken.model"], "taken.model is already there");
    check(&["--minutes", "soon"], "expected a number of minutes");
    check(&["--recipe", "x.toml"], "--recipe goes with --device cuda");
    for flag in ["--alpha", "--until", "--games", "--stages", "--seed"] {
        check(&["--device", "cuda", "--recipe", "x.toml", flag, "1"], "cannot be used with");
    }
    refused(&folder, &["--out", "nowhere/x.model"], 1, "its folder does not exist");
    refused(&folder, &["--resume", "nowhere"], 2, "nowhere: ");
    assert_eq!(std::fs::read(folder.file("taken.model")).expect("still there"), b"mine");
}

/// With the feature `cuda` the same commands say that there is no GPU, or what is wrong with what they were given.
#[test]
fn a_gpu_that_is_not_there_is_a_clear_error() {
    let folder = Folder::new("gpu");
    std::fs::write(folder.file("r.toml"), "[design]\nname = \"x\"\ntuples = [\"a1 b1\"]\n[[phases]]\nseconds = 1\n")
        .expect("a file");
    if cfg!(feature = "cuda") {
        let output = train(&folder, &["--device", "cuda", "--recipe", "r.toml"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || message.contains("no CUDA on this machine"), "{message}");
        std::fs::write(folder.file("boards.txt"), "64 32 0 0/2 0 0 0/0 0 0 0/0 0 0 0\n").expect("a file");
        let starts = |recipe: &str, part: &str| {
            refused(&folder, &["--device", "cuda", "--recipe", recipe, "--starts", "boards.txt"], 2, part);
        };
        starts("r.toml", "r.toml: no phase starts games from `given` boards");
        let given = std::fs::read_to_string(folder.file("r.toml")).expect("a recipe") + "plan = { given = 0.5 }\n";
        std::fs::write(folder.file("given.toml"), given).expect("a file");
        refused(&folder, &["--device", "cuda", "--recipe", "given.toml"], 2, "name a file of them with --starts");
        std::fs::write(folder.file("boards.txt"), "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2\n").expect("a file");
        starts("given.toml", "no move is left on the board");
    } else {
        refused(&folder, &["--device", "cuda", "--recipe", "r.toml"], 2, "this program was built without CUDA");
    }
}

#[test]
fn a_network_without_its_gpu_is_a_clear_error_and_nothing_is_written() {
    let folder = Folder::new("network-gpu");
    let refused = |kind: &str, config: &str, codes: &[i32], parts: &[&str]| {
        std::fs::write(folder.file("network.toml"), config).expect("a file");
        let output = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
            .args(["train", kind, "--config", "network.toml", "--out", "run", "--device", "cuda"])
            .current_dir(&folder.0)
            .output()
            .expect("the program ends");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some_and(|code| codes.contains(&code)), "{message}");
        assert!(parts.iter().any(|part| message.contains(part)) && !message.contains("panicked"), "{message}");
        assert!(!folder.file("run").exists());
    };
    refused(
        "value",
        "network = { encoding = \"features\", layers = [{ kind = \"dense\", units = 1 }] }",
        &[2],
        &["the encoding `features` is not computed on a GPU"],
    );
    // On a machine with a GPU the training would begin.
    if !cfg!(feature = "cuda") {
        refused("value", "network = \"fc\"", &[2], &["this program was built without CUDA"]);
        let dqn = "name = \"x\"\nvariant = \"q\"\nmoves = 1\nhidden = [8]";
        refused("dqn", dqn, &[2], &["this program was built without CUDA"]);
        let spec = "one-ply(eval=neural(model=2048-value, device=cuda))";
        let output = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
            .args(["play", "2048", "--agent", spec, "--games", "1"])
            .output()
            .expect("the program ends");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("this program was built without CUDA"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_a_checkpoint() {
    let folder = Folder::new("interrupt");
    let child = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["train", "2048", "--design", "4x4", "--minutes", "10", "--evaluate", "1000000", "--out", "x y.model"])
        .args(["--games", "9000000", "--fall", "1", "--checkpoint", "x.checkpoint"])
        .current_dir(&folder.0)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let output = child.wait_with_output().expect("the program ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("--resume x.checkpoint --out 'x y.model'"), "{message}");
    assert!(folder.file("x.checkpoint").is_file());
    let other = ["--resume", "x.checkpoint", "--games", "8000000"];
    refused(&folder, &other, 2, "x.checkpoint nears its end after 9000000 games");
}

#[test]
fn a_reader_that_goes_away_does_not_end_a_training() {
    let folder = Folder::new("unread");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["train", "2048", "--games", "400", "--out", "x.model"])
        .args(SMALL)
        .current_dir(&folder.0)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(141));
    assert!(folder.file("x.model").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_a_name_that_is_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("bytes");
    let name = OsStr::from_bytes(b"\xff.model");
    let output = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["train", "2048", "--games", "20", "--out"])
        .arg(name)
        .args(SMALL)
        .current_dir(&folder.0)
        .output()
        .expect("the program ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.0.join(name).exists());
}

#[test]
fn a_folder_with_a_run_of_another_kind_is_refused_and_left_alone() {
    let trainings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../trainings");
    let kinds = [
        ("ga", "dietenberger/ga/mutation-1.toml", "checkpoint.genetic"),
        ("ga", "dietenberger/ga/structure.toml", "structures.toml"),
        ("value", "dietenberger/value/example.toml", "settings.toml"),
        ("dqn", "dqn/afterstate.toml", "checkpoint.dqn"),
        ("weights", "weights/zhaw.toml", "checkpoint.toml"),
    ];
    for (number, (kind, config, _)) in kinds.into_iter().enumerate() {
        let (_, _, other) = kinds[(number + 1) % kinds.len()];
        let folder = Folder::new(&format!("kind-{number}"));
        std::fs::write(folder.file(other), "of another run").expect("a file");
        let output = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
            .args(["train", kind, "--config"])
            .arg(trainings.join(config))
            .arg("--out")
            .arg(&folder.0)
            .output()
            .expect("the program ends");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(&format!("a training of another kind ({other})")), "{kind}: {error}");
        assert_eq!(output.status.code(), Some(2), "{kind}");
        assert_eq!(std::fs::read_dir(&folder.0).expect("a folder").count(), 1, "{kind}");
    }
}
