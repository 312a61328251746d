//! Experiments as a person runs them: from the file to the report, with the mistakes that people make.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FILE: &str = r#"
name = "two"
game = "2048"
games = 30

[[agents]]
name = "random"
spec = "random"

[[agents]]
name = "greedy"
spec = "greedy"

[[figures]]
kind = "bars"
title = "Mean score"
measure = "score"

[profiles.quick]
games = 4
"#;

/// A folder with an experiment in it that goes with the test.
struct Bench(PathBuf);

impl Bench {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("afterstate-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        std::fs::write(path.join("two.toml"), FILE).expect("the experiment");
        Self(path)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"));
        command.args(arguments).current_dir(&self.0);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    #[track_caller]
    fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("output is UTF-8")
    }

    /// The command fails with this exit code and one line that contains `part`.
    #[track_caller]
    fn refused(&self, arguments: &[&str], code: i32, part: &str) {
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(part), "{arguments:?}: {message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn one_command_gives_tables_figures_and_a_report() {
    let bench = Bench::new("run");
    let dry = bench.stdout(&["run", "two.toml", "--dry-run"]);
    assert!(dry.contains("30 games") && dry.contains("results/two.db"), "{dry}");
    assert!(!Path::new(&bench.0.join("results")).exists(), "a dry run leaves nothing");
    let text = bench.stdout(&["run", "two.toml"]);
    assert!(text.contains("Difference to random") && text.contains("results/two/report.html"), "{text}");
    for file in ["report.html", "report.md", "report.json", "table-1.csv", "table-1.tex", "figure-1.svg"] {
        assert!(!bench.file(&format!("results/two/{file}")).is_empty(), "{file}");
    }
    let markdown = bench.stdout(&["report", "two.toml", "--format", "markdown"]);
    assert!(markdown.contains("afterstate run two.toml"), "{markdown}");
    let status = bench.stdout(&["status", "two.toml", "games=40"]);
    assert!(status.contains("30 of 40"), "{status}");
    let csv = bench.stdout(&["export", "two.toml", "games=2"]);
    assert_eq!(csv.lines().count(), 5, "{csv}");
    let games = bench.stdout(&["export", "two.toml", "games=2", "--format", "records"]);
    let games: Result<Vec<_>, _> = afterstate_twenty48::Records::new(games.as_bytes()).collect();
    assert_eq!(games.expect("every record replays").len(), 4);
}

/// The state and the report of an experiment as JSON: the first row's main figure.
fn main_figures(bench: &Bench, settings: &str) -> [serde_json::Value; 2] {
    let json =
        |arguments: &[&str]| -> serde_json::Value { serde_json::from_str(&bench.stdout(arguments)).expect("JSON") };
    let status = json(&["status", "two.toml", settings, "--json"]);
    let report = json(&["report", "two.toml", settings, "--format", "json"]);
    let row = &report["tables"][0]["rows"][0];
    let reading = row.as_array().and_then(|cells| cells.iter().find(|cell| !cell["interval"].is_null()));
    [&status[0]["status"]["rows"][0]["headline"], reading.expect("a mean with its interval")]
        .map(|figure| serde_json::json!([figure["value"], figure["interval"]]))
}

#[test]
fn status_says_what_the_report_says() {
    let bench = Bench::new("same-figures");
    for games in [2, 30] {
        let settings = format!("games={games}");
        bench.stdout(&["run", "two.toml", &settings]);
        let [status, report] = main_figures(&bench, &settings);
        assert_eq!(status, report, "{games} games");
        assert!(status[1]["low"].as_f64().expect("an interval") >= 0.0, "{status}");
    }
}

#[test]
fn a_folder_is_run_file_by_file() {
    let bench = Bench::new("folder");
    std::fs::create_dir(bench.0.join("more")).expect("a folder");
    std::fs::write(bench.0.join("more/second.toml"), FILE.replace("\"two\"", "\"second\"")).expect("the experiment");
    let text = bench.stdout(&["run", ".", "profile=quick", "--results", "there"]);
    assert!(text.contains("reports   there/"), "{text}");
    let page = text.lines().last().and_then(|line| line.strip_prefix("reports   ")).expect("the page of all reports");
    assert!(bench.file(page).contains("href=\"second/report.html\""));
    assert!(!bench.file("there/second/report.html").is_empty());
    let csv = bench.stdout(&["export", ".", "profile=quick", "--results", "there"]);
    assert_eq!(csv.lines().filter(|line| line.starts_with("experiment,row,")).count(), 1, "{csv}");
    assert_eq!(csv.lines().filter(|line| line.starts_with("second,")).count(), 8, "{csv}");
    assert_eq!(csv.lines().count(), 17, "{csv}");
    let json = bench.stdout(&["report", ".", "profile=quick", "--results", "there", "--format", "json"]);
    let reports: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(reports.as_array().map(Vec::len), Some(2));
    bench.refused(&["export", ".", "profile=quick", "--results", "there", "--to", "more"], 1, "it is a folder");
    assert!(!bench.0.join("more.tmp").exists());
    std::fs::write(bench.0.join("more/third.toml"), FILE.replace("games = 30", "gaems = 30")).expect("the experiment");
    bench.refused(&["run", ".", "--results", "elsewhere"], 2, "third.toml: line 4: unknown field `gaems`");
    assert!(!bench.0.join("elsewhere").exists(), "mistakes are found before the first game");
}

#[test]
fn a_folder_is_run_to_its_end_where_nobody_reads() {
    let bench = Bench::new("unread");
    std::fs::write(bench.0.join("zwei.toml"), FILE.replace("\"two\"", "\"zwei\"")).expect("the experiment");
    let mut child = bench.command(&["run", ".", "profile=quick"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(141));
    for name in ["two", "zwei"] {
        assert!(!bench.file(&format!("results/{name}/report.html")).is_empty());
    }
}

#[test]
fn mistakes_are_one_line_that_says_what_would_be_right() {
    let bench = Bench::new("mistakes");
    for (arguments, code, part) in [
        (vec!["run", "nowhere.toml"], 2, "nowhere.toml"),
        (vec!["run", "two.toml", "gamse=3"], 2, "did you mean `games`?"),
        (vec!["run", "two.toml", "games=-1"], 2, "games=-1"),
        (vec!["run", "two.toml", "seed=2", "games=-1", "limits.depth=1"], 2, "error: two.toml: games=-1: "),
        (vec!["run", "two.toml", "agents=[]"], 2, "agents: empty"),
        (vec!["run", "two.toml", "profile=slow"], 2, "known: paper, quick"),
        (vec!["run", "two.toml", "agents.0.spec=expectimax(eval=ntuple(model=none))"], 2, "none"),
        (vec!["run", "two.toml", "stop={rule=\"sprt\",elo0=5,elo1=0}"], 2, "give one of the two"),
        (vec!["run", "two.toml", "--results", "two.toml"], 2, "not a results file of Afterstate"),
        (vec!["report", "two.toml"], 2, "no such results file"),
        (vec!["compare", "2048", "random", "randum"], 2, "did you mean `random`"),
        (
            vec!["match", "abalone", "random", "random"],
            2,
            "\"A\" and \"B\" are both `random`; a match needs two agents",
        ),
        (vec!["match", "abalone", "random", "one-ply", "--sprt", "5,0"], 2, "elo0 = 5 must be below elo1 = 0"),
        (vec!["match", "abalone", "random", "one-ply", "--sprt", "5"], 2, "such as 0,20"),
    ] {
        bench.refused(&arguments, code, part);
    }
    assert!(bench.file("two.toml") == FILE, "nothing was written over");
}

#[test]
fn a_results_file_in_the_place_of_an_experiment_is_recognised() {
    let bench = Bench::new("swapped");
    bench.stdout(&["run", "two.toml", "profile=quick"]);
    for command in ["status", "report", "export", "run"] {
        bench.refused(
            &[command, "results/two.db"],
            2,
            "results/two.db: a results file (SQLite); expected an experiment",
        );
    }
    bench.refused(&["status", "results/two.db"], 2, "EXPERIMENT.toml --results FILE");
    bench.stdout(&["status", "two.toml", "--results", "results/two.db"]);
    std::fs::write(bench.0.join("noise.toml"), b"\xff\xfe").expect("a file");
    bench.refused(&["status", "noise.toml"], 2, "noise.toml: not a text (UTF-8); expected an experiment (TOML)");
}

#[test]
fn results_of_another_program_are_not_mixed_by_accident() {
    let bench = Bench::new("mixed");
    bench.stdout(&["run", "two.toml", "profile=quick"]);
    let change = "import sqlite3; c = sqlite3.connect('results/two.db'); c.execute(\"UPDATE sessions SET git_commit = 'another'\"); c.commit()";
    let changed = Command::new("python3").args(["-c", change]).current_dir(&bench.0).status();
    if !changed.is_ok_and(|status| status.success()) {
        eprintln!("skipped: python3 with sqlite3 is not installed");
        return;
    }
    bench.refused(&["run", "two.toml"], 2, "--mix-programs");
    bench.stdout(&["run", "two.toml", "--mix-programs"]);
    let report = bench.stdout(&["report", "two.toml", "--format", "markdown"]);
    assert!(report.contains("(another); afterstate"), "both programs are named: {report}");
    bench.stdout(&["run", "two.toml", "profile=quick", "--results", "here.db"]);
    let merge = ["merge", "two.toml", "--results", "here.db", "--from", "results/two.db"];
    bench.refused(&merge, 2, "those to be merged by");
    assert!(bench.stdout(&[&merge[..], &["--mix-programs"]].concat()).contains("games 60, new 52"));
}

#[test]
fn a_comparison_is_paired_and_its_results_can_be_kept() {
    let bench = Bench::new("compare");
    let first = bench.stdout(&["compare", "2048", "greedy", "random", "--games", "40", "--results", "kept.db"]);
    assert!(first.contains("verdict   A is stronger") && first.contains("sign test"), "{first}");
    let more =
        bench.stdout(&["compare", "2048", "greedy", "random", "--games", "50", "--results", "kept.db", "--json"]);
    let more: serde_json::Value = serde_json::from_str(&more).expect("JSON");
    assert_eq!(more["summary"]["paired"]["pairs"], 50);
}

#[test]
fn a_match_ends_when_its_test_has_decided() {
    let bench = Bench::new("match");
    let text = bench.stdout(&[
        "match",
        "abalone",
        "one-ply",
        "random",
        "--max-plies",
        "60",
        "--at-limit",
        "leader-wins",
        "--sprt",
        "0,200",
        "--record",
        "games.apgn",
    ]);
    assert!(text.contains("sprt      H1 accepted") && text.contains("normalised"), "{text}");
    assert!(bench.file("games.apgn").contains("[Opening \"Belgian Daisy\"]"));
}

#[test]
fn a_match_does_not_take_a_copy_of_a_game_for_evidence() {
    let bench = Bench::new("copies");
    let play = |more: &[&str]| {
        let start = ["match", "abalone", "one-ply", "hauff/alphabeta(depth=1)", "--max-plies", "40"];
        bench.run(&[&start[..], more].concat())
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let usual = play(&["-n", "10"]);
    assert!(text(&usual.stdout).contains("10 from 5 openings"), "{}", text(&usual.stdout));
    assert_eq!(text(&usual.stderr), "");
    let one = play(&["-n", "6", "--layout", "standard"]);
    assert!(text(&one.stdout).contains("6, 2 different, from 1 opening, each"), "{}", text(&one.stdout));
    assert!(text(&one.stderr).contains("warning: of 6 games only 2 are different"), "{}", text(&one.stderr));
    assert_eq!(one.status.code(), Some(0));
    let json = play(&["-n", "6", "--layout", "standard", "--json"]);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&json.stdout).expect("JSON")["different"], 2);
    let test = play(&["--sprt", "0,5", "--layout", "standard"]);
    assert_eq!(test.status.code(), Some(2));
    assert!(text(&test.stderr).contains("play at most 2 games"), "{}", text(&test.stderr));
}

/// Runs until Ctrl-C, then goes on: nothing is lost and nothing is played twice.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_that_the_same_command_goes_on_with() {
    let bench = Bench::new("interrupt");
    let arguments = ["run", "two.toml", "games=20000"];
    let mut child = bench.command(&arguments).stdout(std::process::Stdio::null()).spawn().expect("the program starts");
    let store = bench.0.join("results/two.db-wal");
    // The first games are stored as soon as they are played.
    while std::fs::metadata(&store).map_or(true, |file| file.len() < 100_000) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let code = child.wait().expect("the program ends").code();
    assert!(code == Some(130) || code == Some(0), "{code:?}");
    bench.stdout(&arguments);
    let whole = ["run", "two.toml", "games=20000", "--results", "whole", "--threads", "1"];
    bench.stdout(&whole);
    // Everything but the times and the names of the commands is the same, byte for byte.
    let figures = |results: &str| {
        let csv = bench.stdout(&["export", "two.toml", "games=20000", "--results", results]);
        csv.lines().map(|line| line.rsplit_once(',').map_or("", |(figures, _)| figures).to_owned()).collect::<Vec<_>>()
    };
    assert!(figures("results") == figures("whole"), "the same games");
}

/// A disk that is full ends a run with a message; with more space, the same command goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_game() {
    let bench = Bench::new("full");
    let disk = bench.0.join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    let mount = |options: &str| {
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&disk).output();
        mounted.is_ok_and(|output| output.status.success())
    };
    if !mount("size=1m") {
        eprintln!("skipped: only root can mount a small disk");
        return;
    }
    let full = bench.run(&["run", "two.toml", "games=5000", "--results", "disk"]);
    let message = String::from_utf8_lossy(&full.stderr).into_owned();
    let grown = mount("remount,size=64m");
    let again = bench.run(&["run", "two.toml", "games=5000", "--results", "disk"]);
    let status = bench.run(&["status", "two.toml", "games=5000", "--results", "disk"]);
    let _ = Command::new("umount").arg("-l").arg(&disk).status();
    assert_eq!(full.status.code(), Some(1), "{message}");
    assert!(message.contains("the disk is full; free some space and run the same command again"), "{message}");
    assert!(grown && again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(String::from_utf8_lossy(&status.stdout).matches("5,000 of 5,000").count(), 2);
}

#[test]
fn a_second_run_on_the_same_results_is_refused() {
    let bench = Bench::new("twice");
    let mut first = bench
        .command(&["run", "two.toml", "games=1000000"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    while !bench.0.join("results/two.db-wal").exists() && first.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    bench.refused(&["run", "two.toml"], 1, "another run (process ");
    // Readers are welcome meanwhile. The file is there a moment before its tables are, and says so until then.
    let asked = std::time::Instant::now();
    loop {
        let status = bench.run(&["status", "two.toml"]);
        if status.status.success() {
            break;
        }
        let message = String::from_utf8_lossy(&status.stderr);
        assert!(message.contains("no such results file") && asked.elapsed().as_secs() < 60, "{message}");
    }
    first.kill().expect("it still runs");
    first.wait().expect("it ends");
}

#[test]
fn parts_that_were_played_apart_are_put_together() {
    let bench = Bench::new("parts");
    bench.stdout(&["run", "two.toml", "--part", "1/2", "--results", "first.db"]);
    let status = bench.stdout(&["status", "two.toml", "--results", "first.db"]);
    assert!(status.contains("16 of 30"), "openings stay together: {status}");
    bench.stdout(&["run", "two.toml", "--part", "2/2", "--results", "second.db"]);
    let merge = ["merge", "two.toml", "--from", "first.db", "second.db"];
    let merged = bench.stdout(&merge);
    assert!(
        merged.contains("first.db: games 32, new 32") && merged.contains("second.db: games 28, new 28"),
        "{merged}"
    );
    assert_eq!(merged.matches("30 of 30  complete").count(), 2, "{merged}");
    assert!(bench.stdout(&merge).contains("first.db: games 32, new 0"), "nothing is taken twice");

    bench.stdout(&["run", "two.toml", "--results", "whole.db"]);
    let games = ["export", "two.toml", "--format", "records"];
    assert_eq!(bench.stdout(&games), bench.stdout(&[&games[..], &["--results", "whole.db"]].concat()));
    let report = bench.stdout(&["report", "two.toml", "--format", "markdown"]);
    assert!(report.contains("60 games") && !report.contains("whole.db"), "{report}");
}

#[test]
fn parts_and_merges_that_make_no_sense_are_refused() {
    let bench = Bench::new("merges");
    let rule = "stop = { rule = \"half-width\", half_width = 9, max_games = 50 }";
    std::fs::write(bench.0.join("rule.toml"), FILE.replacen("games = 30", rule, 1)).expect("the experiment");
    bench.refused(&["run", "rule.toml", "--part", "1/2"], 2, "plays until a rule ends it");
    for part in ["0/2", "3/2", "two"] {
        let refused = bench.run(&["run", "two.toml", "--part", part]);
        assert_eq!(refused.status.code(), Some(2), "{part}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("2/3 is the second of three"), "{part}");
    }
    bench.stdout(&["run", "two.toml", "profile=quick"]);
    bench.refused(&["merge", "two.toml", "--from", "results/two.db"], 2, "name other files");
    bench.refused(&["merge", "two.toml", "--from", "none.db"], 2, "none.db: no such results file");
    bench.refused(&["merge", "two.toml", "--from", "two.toml"], 2, "not a results file");
    bench.stdout(&["run", "two.toml", "seed=5", "profile=quick", "--results", "other.db"]);
    let merged = bench.stdout(&["merge", "two.toml", "--from", "other.db"]);
    assert!(merged.contains("other.db: none of its games belong"), "{merged}");
    let merged = bench.stdout(&["merge", "two.toml", "--from", "."]);
    assert!(merged.contains("./two.db: nothing there"), "{merged}");
}
