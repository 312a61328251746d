//! The commands as a person types them, mistakes included.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const BOARD: &str = "4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0";

/// Abalone's standard layout.
const START: &str = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0";

fn afterstate(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that has already complained does not read its input.
    let _ = child.stdin.take().expect("its input is a pipe").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn stdout(arguments: &[&str], input: &str) -> String {
    let output = afterstate(arguments, input.as_bytes());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The error is one line on standard error that contains `part`, the exit code is 2, and nothing panicked.
#[track_caller]
fn refused(arguments: &[&str], input: &[u8], part: &str) {
    let output = afterstate(arguments, input);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(part), "{arguments:?}: {message}");
    assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    let ours = message.starts_with("error: ") && !message.contains("--help");
    assert!(!ours || message.trim_end().lines().count() == 1, "{arguments:?}: {message}");
}

#[test]
fn bad_boards_are_refused_with_the_place() {
    let cases: [(&[u8], &str); 10] = [
        (b"", "empty"),
        (b"2 2 2 2/2 2 2 2/2 2 2 2/2 2 2", "row 4 has 3 cell(s)"),
        (b"2 2 2 2/2 2 2 2/2 2 2 2/2 2 2 2 2", "row 4 has 5 cell(s)"),
        (b"2 2 2 2/2 2 2 2/2 2 2 2", "found 3 row(s)"),
        (b"2 3 2 2/2 2 2 2/2 2 2 2/2 2 2 2", "row 1, column 2"),
        (b"2 -2 2 2/2 2 2 2/2 2 2 2/2 2 2 2", "row 1, column 2"),
        (b"2 262144 2 2/2 2 2 2/2 2 2 2/2 2 2 2", "row 1, column 2"),
        (b"2 99999999999999999999999 2 2/2 2 2 2/2 2 2 2/2 2 2 2", "row 1, column 2"),
        (b"2 1 2 2/2 2 2 2/2 2 2 2/2 2 2 2", "row 1, column 2"),
        (b"\xff\xfe\n", "not UTF-8"),
    ];
    for (input, part) in cases {
        refused(&["moves", "2048"], input, part);
    }
    let second_line = format!("{BOARD}\n{BOARD} 2\n");
    refused(&["moves", "2048"], second_line.as_bytes(), "line 2");
    refused(&["analyse", "2048", "--position", "2 2/2 2"], b"", "found 2 row(s)");
}

#[test]
fn bad_positions_of_abalone_are_refused() {
    let check = |text: &str, part: &str| refused(&["moves", "abalone", "--position", text], b"", part);
    check("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbb1 b 0 0", "13");
    check("wwwww/wwwwww/2wwww1/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", "15");
    check("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb x 0 0", "x");
    check("wwwww", "");
    refused(&["perft", "abalone", "--layout", "Belgium"], b"", "Belgian Daisy");
    refused(&["match", "abalone", "random"], b"", "2 values required");
    refused(&["match", "abalone", "random", "randm"], b"", "did you mean `random`?");
}

#[test]
fn bad_specs_are_refused_before_anything_is_played() {
    let check = |spec: &str, part: &str| refused(&["play", "2048", "--agent", spec], b"", part);
    check("nobody", "known: random, greedy");
    check("expectimax(depth=0)", "a whole number from 1 to 100");
    check("expectimax(depth=1000)", "a whole number from 1 to 100");
    check("expectimax(table=10000G)", "at most 1024G");
    check("expectimax(", "expected a key");
    check("", "expected a name");
    refused(&["play", "2048", "--agent", "random", "--speed", "0", "--watch"], b"", "--speed 0");
    refused(&["play", "2048", "--agent", "random", "--games", "0"], b"", "games");
    refused(&["engine", "2048", "--agent", "nobody"], b"", "unknown 2048 agent");
    refused(&["drive", "--url", "http://localhost:1", "--agent", "nobody"], b"", "unknown 2048 agent");
    refused(&["drive", "--url", "http://localhost:1", "--speed", "nan"], b"", "--speed NaN");
    refused(&["drive", "--url", "http://localhost:1", "--games", "0"], b"", "--games");
    check("one-ply(eval=ntuple(model=2048-fast(late=off)))", "expected the name of a shipped model");
    check("expectimax(tables=all(depth=3))", "expected all, the path of a folder, or off");
    refused(&["bench", "nothing"], b"", "no bench contains");
    refused(&["play", "2048", "--games", "1e6"], b"", "expected a whole number from 1 to 1000000000");
    refused(&["serve", "--listen", "2048"], b"", "expected an address and a port, such as 127.0.0.1:2048");
    refused(&["match", "2048", "random", "greedy", "--games", "2"], b"", "`afterstate compare 2048 A B`");
    refused(&["compare", "abalone", "random", "one-ply", "-n", "2"], b"", "`afterstate match abalone A B`");
}

#[test]
fn a_missing_model_is_looked_for_where_its_user_can_put_it() {
    for evaluation in ["ntuple", "neural"] {
        let agent = format!("one-ply(eval={evaluation}(model=nosuch))");
        let arguments = ["play", "2048", "--agent", &agent];
        refused(&arguments, b"", "neither in $AFTERSTATE_MODELS (");
        let message = afterstate(&arguments, b"").stderr;
        assert!(
            !String::from_utf8_lossy(&message).contains("crates/players"),
            "the folder of the source tree is shown"
        );
    }
}

#[test]
fn a_finished_game_has_no_moves_and_no_decision() {
    let dead = "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2";
    assert!(stdout(&["moves", "2048"], dead).contains(r#""terminal":true,"moves":[]"#));
    refused(&["analyse", "2048", "--position", dead], b"", "the game is over");
}

#[test]
fn moves_are_json_lines_with_the_documented_keys() {
    let line = stdout(&["moves", "2048", "--position", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 32768"], "");
    insta::assert_snapshot!(line.trim(), @r#"{"position":"2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 32768","terminal":false,"moves":[{"move":"up","afterstate":"2 2 0 32768/0 0 0 0/0 0 0 0/0 0 0 0","reward":0},{"move":"right","afterstate":"0 0 0 4/0 0 0 0/0 0 0 0/0 0 0 32768","reward":4},{"move":"down","afterstate":"0 0 0 0/0 0 0 0/0 0 0 0/2 2 0 32768","reward":0},{"move":"left","afterstate":"4 0 0 0/0 0 0 0/0 0 0 0/32768 0 0 0","reward":4}]}"#);
}

#[test]
fn the_largest_tiles_merge() {
    let line = stdout(&["moves", "2048", "--position", "32768 32768 0 0/65536 65536 0 0/0 0 0 0/0 0 0 0"], "");
    assert!(line.contains(r#""afterstate":"65536 0 0 0/131072 0 0 0/0 0 0 0/0 0 0 0","reward":196608"#), "{line}");
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_the_threads() {
    let summary = |threads: &str| {
        let text = stdout(
            &["play", "2048", "--agent", "maqsood/exp2", "--games", "6", "--seed", "9", "--threads", threads, "--json"],
            "",
        );
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        (value["summary"]["score"].clone(), value["summary"]["moves"].clone(), value["summary"]["nodes"].clone())
    };
    assert_eq!(summary("1"), summary("3"));
}

#[test]
fn records_replay_and_are_appended() {
    let folder = std::env::temp_dir().join(format!("afterstate-records-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let file = folder.join("games.txt");
    let path = file.to_str().expect("a UTF-8 path");
    for _ in 0..2 {
        stdout(&["play", "2048", "--agent", "random", "--games", "2", "--record", path], "");
    }
    let text = std::fs::read_to_string(&file).expect("the record is there");
    let records: Result<Vec<_>, _> = afterstate_twenty48::Records::new(text.as_bytes()).collect();
    let records = records.expect("every record replays");
    assert_eq!(records.len(), 4);
    assert_eq!(records[0], records[2], "the same seed gives the same game");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn a_record_that_cannot_be_written_is_known_before_the_first_game() {
    let output = afterstate(&["play", "2048", "--agent", "random", "--record", "/nonexistent/games.txt"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("opening the record /nonexistent/games.txt"));
}

/// The same with a standard output that its reader has left before anything is said. Nothing is said on standard error either.
#[track_caller]
fn unread(arguments: &[&str], input: &[u8]) -> Option<i32> {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that has nobody to talk to does not read its input.
    let _ = child.stdin.take().expect("its input is a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.is_empty() || message.starts_with("error: "), "{arguments:?}: {message}");
    output.status.code()
}

#[test]
fn an_output_that_nobody_reads_is_no_success_and_what_is_stored_stays() {
    let folder = folder("unread");
    let [record, results] = ["games.txt", "games.db"].map(|name| folder.join(name).display().to_string());
    let lines = format!("{BOARD}\n").repeat(20_000);
    assert_eq!(unread(&["moves", "2048"], lines.as_bytes()), Some(141));
    assert_eq!(unread(&["engine", "2048"], b"ugi\n"), Some(141));
    let random = ["--agent", "random", "--games", "3"];
    for arguments in [
        &["agents"][..],
        &["analyse", "2048", "--position", BOARD, "--agent", "random"],
        &[&["play", "2048", "--record", &record], &random[..]].concat(),
        &["compare", "2048", "random", "greedy", "--games", "3", "--results", &results],
        &["match", "abalone", "random", "one-ply", "--games", "2", "--record", &record],
    ] {
        assert_eq!(unread(arguments, b""), Some(141), "{arguments:?}");
    }
    let written = std::fs::read_to_string(&record).expect("a record");
    assert_eq!((written.matches("2048 record 1").count(), written.matches("[Round").count()), (3, 2), "{written}");
    let again = stdout(&["compare", "2048", "random", "greedy", "--games", "3", "--results", &results, "--json"], "");
    assert!(again.contains(r#""games":3"#), "{again}");
    let built = ["tables", "build", "0022-16", "0013-16", "--folder", folder.to_str().expect("a plain path")];
    assert_eq!(unread(&built, b""), Some(141));
    assert!(folder.join("0013-16.table").is_file(), "the second table is built as well");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[cfg(target_os = "linux")]
#[test]
fn how_the_work_ended_comes_before_who_read_of_it() {
    let random = ["play", "2048", "--agent", "random"];
    assert_eq!(unread(&[&random[..], &["--record", "/dev/full"]].concat(), b""), Some(1));
    let copies = ["match", "abalone", "one-ply", "one-ply", "--layout", "standard", "--sprt", "0,20"];
    assert_eq!(unread(&copies, b""), Some(2));
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"));
    let output = command.args(random).stdout(full).output().expect("the program ends");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("error: writing standard output: "), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_nobody_hears_keeps_its_exit_code() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let status = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["play", "2048", "--agent", "nope"])
        .stderr(full)
        .status()
        .expect("the program ends");
    assert_eq!(status.code(), Some(2));
}

/// What a command leaves behind that Ctrl-C ends after two seconds.
#[cfg(unix)]
fn interrupted(args: &[&str]) -> Output {
    let child = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    child.wait_with_output().expect("the program ends")
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_that_an_analysis_was_cut_short() {
    let output =
        interrupted(&["analyse", "abalone", "--position", START, "--agent", "hauff/alphabeta(depth=40)", "--json"]);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted: the search was cut short"));
    let decision: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a whole decision");
    assert!(decision["best"].is_string());
}

#[cfg(unix)]
#[test]
fn a_server_whose_address_nobody_reads_serves() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let child = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_what_was_finished() {
    let output = interrupted(&["play", "2048", "--agent", "maqsood/exp2", "--games", "1000000", "--json"]);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted: "));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a whole summary");
    assert!(summary["summary"]["games"].is_u64());
}

#[test]
fn the_engine_survives_everything_but_quit() {
    let script = format!(
        "ugi\nisready\nxyzzy\ngo sideways\nposition nowhere\nposition fen 1 2 3\nsetoption name Agent value nobody\n\
         setoption name Agent value expectimax(depth=2)\nposition fen {BOARD} moves left d2=2\nquery position\n\
         query gameover\nquery p1turn\nquery result\nquery weather\ngo depth 2\nstop\n\u{0}\u{1}\ngo\nquit\n"
    );
    let answer = stdout(&["engine", "2048"], &script);
    assert!(answer.contains("ugiok") && answer.contains("readyok"), "{answer}");
    assert!(answer.contains("response 4 4 16 0/8 4 128 2/2 16 64 4/4 8 0 0"), "{answer}");
    assert_eq!(answer.matches("bestmove ").count(), 2, "{answer}");
    assert!(!answer.contains("bestmove none"), "{answer}");
    for complaint in ["unknown command", "unknown word", "position:", "unknown 2048 agent", "unknown question"] {
        assert!(answer.contains(complaint), "{complaint}: {answer}");
    }
}

#[test]
fn the_engine_plays_abalone() {
    let answer =
        stdout(&["engine", "abalone", "--agent", "hauff/alphabeta"], "position startpos moves a1b2\ngo depth 2\n");
    assert!(answer.contains("info depth 2 score ") && answer.contains("bestmove "), "{answer}");
}

#[test]
fn the_engine_says_each_result_once_and_the_last_one_before_its_move() {
    let without_time = |line: &str| -> Vec<String> {
        let words: Vec<&str> = line.split(' ').collect();
        let time = words.iter().position(|&word| word == "time");
        words
            .iter()
            .enumerate()
            .filter(|&(at, _)| time != Some(at.wrapping_sub(1)))
            .map(|(_, word)| word.to_string())
            .collect()
    };
    for (arguments, go, depths) in [
        (["engine", "abalone", "--agent", "hauff/alphabeta"], "go depth 3", Some(3)),
        (["engine", "2048", "--agent", "expectimax(depth=3)"], "go", Some(1)),
        (["engine", "2048", "--agent", "random"], "go", Some(1)),
        (["engine", "2048", "--agent", "mcts(iterations=1000)"], "go", None),
    ] {
        let answer = stdout(&arguments, &format!("position startpos\n{go}\n"));
        let lines: Vec<&str> = answer.lines().collect();
        let (best, infos) = lines.split_last().expect("an answer");
        let said: Vec<_> = infos.iter().map(|line| without_time(line)).collect();
        assert!(said.iter().all(|line| line[0] == "info") && said.windows(2).all(|two| two[0] != two[1]), "{answer}");
        assert!(depths.is_none_or(|depths| said.len() == depths), "{answer}");
        let line = said.last().and_then(|line| line.iter().skip_while(|word| *word != "pv").nth(1));
        assert_eq!(best.strip_prefix("bestmove "), line.map(String::as_str), "{answer}");
    }
}

#[test]
fn the_end_of_the_input_cuts_no_search_short_that_ends_by_itself() {
    for (game, agent) in [("2048", "expectimax(depth=4)"), ("abalone", "hauff/alphabeta(depth=4)")] {
        let answer = stdout(&["engine", game, "--agent", agent], "position startpos\ngo\n");
        assert!(answer.contains("info depth 4 "), "{answer}");
    }
}

#[test]
fn a_layout_is_a_position_wherever_one_is_asked_for() {
    let moves = |position: &str| stdout(&["moves", "abalone", "--position", position], "");
    assert_eq!(moves("standard"), moves(START));
    assert_eq!(stdout(&["moves", "abalone"], "Standard\n"), moves(START));
    assert!(stdout(&["analyse", "abalone", "-p", "Belgian Daisy", "--agent", "one-ply"], "").contains("best "));
    refused(&["analyse", "abalone", "-p", "Belgain"], b"", "the layouts are Standard, Belgian Daisy");
}

#[test]
fn nothing_to_convert_is_refused() {
    for form in ["text", "posref", "board", "aba-pro", "nacre"] {
        refused(&["convert", "--to", form], b"\n", "standard input: empty; expected ");
    }
}

#[test]
fn a_person_can_play_abalone_with_typed_moves() {
    let script = "help\nmoves\nhint\na1b9\na1b2\nundo\na1b2\nresign\n";
    let answer = stdout(&["play", "abalone", "--agent", "hauff/alphabeta(depth=1)", "--layout", "standard"], script);
    assert!(answer.contains("would play") && answer.contains(" plays "), "{answer}");
}

#[test]
fn a_person_takes_back_moves_of_his_own_alone() {
    let play = |colour: &str, script: &str| {
        let agent = "hauff/alphabeta(depth=1)";
        stdout(&["play", "abalone", "--agent", agent, "--layout", "standard", "--colour", colour], script)
    };
    let none = "there is no move of yours to take back";
    assert!(play("black", "undo\nquit\n").contains(none));
    let first = play("white", "undo\nquit\n");
    assert!(first.contains(none) && first.matches(" plays ").count() == 1, "{first}");
    let taken = play("black", "a1b2\nundo\nundo\nquit\n");
    assert_eq!(taken.matches(none).count(), 1, "{taken}");
}

/// A folder for one test, empty.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("afterstate-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Every command that reads a file which its user names, with `FILE` in the place of the name.
const READERS: [&[&str]; 15] = [
    &["run", "FILE"],
    &["run", "FILE", "--dry-run"],
    &["status", "FILE"],
    &["report", "FILE"],
    &["export", "FILE"],
    &["match", "abalone", "random", "one-ply", "--games", "2", "--openings", "FILE"],
    &["train", "2048", "--starts", "FILE"],
    &["train", "2048", "--settings", "FILE"],
    &["train", "2048", "--from", "FILE"],
    &["train", "2048", "--resume", "FILE"],
    &["train", "ga", "--config", "FILE"],
    &["train", "dqn", "--config", "FILE"],
    &["train", "value", "--config", "FILE"],
    &["train", "weights", "--config", "FILE"],
    &["tables", "check", "FILE"],
];

#[test]
fn a_file_that_was_misnamed_is_wrong_input_for_every_command() {
    let folder = folder("misnamed");
    let [missing, beneath, noise] = ["missing", "noise/beneath", "noise"].map(|name| folder.join(name));
    std::fs::write(&noise, b"\xff\xfe").expect("the file can be written");
    for reader in READERS {
        for path in [&missing, &beneath, &noise] {
            let path = path.to_str().expect("a plain path");
            let arguments: Vec<&str> = reader.iter().map(|&word| if word == "FILE" { path } else { word }).collect();
            refused(&arguments, b"", path);
            let message = afterstate(&arguments, b"").stderr;
            let names = String::from_utf8_lossy(&message).matches(path).count();
            assert_eq!(names, 1, "{arguments:?} names the file once: {}", String::from_utf8_lossy(&message));
        }
    }
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1, "nothing was written");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn a_game_of_a_person_is_recorded_whatever_is_typed() {
    let folder = folder("typed");
    let file = folder.join("game.apgn");
    let arguments = ["play", "abalone", "--agent", "hauff/alphabeta(depth=1)", "--layout", "standard", "--record"];
    let arguments = [&arguments[..], &[file.to_str().expect("a plain path")]].concat();
    let output = afterstate(&arguments, b"a1b2\n\xff\nquit\n");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("not UTF-8 (help"));
    assert!(std::fs::read_to_string(&file).expect("a record").contains("1. a1b2"));
    let output = afterstate(&[&arguments[..7], &["/nonexistent/game.apgn"]].concat(), b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "nothing was played");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_game_of_abalone_and_records_it() {
    let folder = folder("left");
    let file = folder.join("game.apgn");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"))
        .args(["play", "abalone", "--agent", "hauff/alphabeta(depth=1)", "--layout", "standard", "--record"])
        .arg(&file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut typed = child.stdin.take().expect("its input is a pipe");
    typed.write_all(b"a1b2\n").expect("it reads");
    std::thread::sleep(std::time::Duration::from_secs(1));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(std::fs::read_to_string(&file).expect("a record").contains("1. a1b2"));
    drop(typed);
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn flags_that_mean_nothing_to_a_person_are_refused() {
    for flag in [&["--games", "2"][..], &["--json"], &["--threads", "2"]] {
        refused(&[&["play", "2048", "--agent", "human"], flag].concat(), b"", "are for agents");
    }
}

#[test]
fn matches_give_the_same_result_whatever_the_threads() {
    let result = |threads: &str| {
        let agents = ["hauff/alphabeta(depth=2)", "one-ply"];
        let text =
            stdout(&["match", "abalone", agents[0], agents[1], "--games", "4", "--threads", threads, "--json"], "");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let summary = value["summary"].clone();
        (summary["won"].clone(), summary["captured"].clone(), summary["plies"].clone())
    };
    assert_eq!(result("1"), result("2"));
}

#[test]
fn a_posref_that_would_change_whose_turn_it_is_is_refused() {
    let white = START.replace(" b ", " w ");
    refused(&["convert", "--position", &white, "--to", "posref"], b"", "white is to move");
    assert!(stdout(&["convert", "--position", START, "--to", "posref"], "").contains('_'));
}

#[test]
fn the_head_of_openings_is_the_command_that_finds_them() {
    let arguments = ["openings", "abalone", "-n", "0", "--layout", "Belgian Daisy", "--agent", "one-ply"];
    let text = stdout(&arguments, "");
    assert!(text.contains("--agent one-ply --seed 1 --layout 'Belgian Daisy'\n"), "{text}");
    assert!(text.starts_with("# 1 layout, and 0 neutral positions: "), "{text}");
}

#[test]
fn every_setting_is_listed_also_those_of_a_variant() {
    let text = stdout(&["agents", "abalone"], "");
    assert!(text.lines().any(|line| line.trim_start().starts_with("min-depth ")), "{text}");
    let json = stdout(&["agents", "abalone", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let keys = json[0]["agents"].as_array().expect("agents").iter().flat_map(|agent| agent["keys"].as_array().unwrap());
    let mut variants = keys.filter_map(|key| key["variants"].as_array()).flatten();
    assert!(variants.any(|variant| variant["keys"][0]["help"].is_string()));
}

#[test]
fn completions_and_help_are_printed() {
    assert!(stdout(&["completions", "bash"], "").contains("_afterstate"));
    let help = stdout(&["--help"], "");
    assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{help}");
    assert!(help.starts_with("Plays, analyses and compares programs for 2048 and Abalone"), "{help}");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("a second one ends the program at once") && help.contains("141 the reader"), "{help}");
}

#[test]
fn endgame_tables_are_built_listed_and_checked() {
    let folder = std::env::temp_dir().join(format!("afterstate-cli-tables-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let place = folder.to_str().expect("a plain path");
    let built = stdout(&["tables", "build", "0022-16", "0013-16", "--folder", place], "");
    assert!(
        built.contains("0022-16.table: ") && built.contains("fillings") && built.contains("0013-16.table: "),
        "{built}"
    );
    assert!(stdout(&["tables", "build", "0022-16", "--folder", place], "").contains("is already there"));
    let listed = stdout(&["tables", "list", place], "");
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert!(listed.contains("0022-16 up to the sum 80") && listed.contains(" KB"), "{listed}");
    let table = format!("{place}/0022-16.table");
    let checked = stdout(&["tables", "check", &table, "--games", "500"], "");
    assert!(checked.contains("500 of 500 values") && checked.trim_end().ends_with("right"), "{checked}");
    refused(&["tables", "build", "0022-15", "--folder", place], b"", "is no pattern");
    refused(
        &["tables", "build", "0144-512", "--memory", "1M", "--folder", place],
        b"",
        "of memory, and 1048576 are allowed",
    );
    refused(&["tables", "list", "/nonexistent"], b"", "is no folder");
    std::fs::write(&table, "nonsense").expect("the file can be written");
    refused(&["tables", "check", &table], b"", "is no endgame table");
    assert!(stdout(&["tables", "list", place], "").contains("is no endgame table"));
}
