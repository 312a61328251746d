//! Experiments on a real cluster, and what is said where there is none. Without Slurm the test that needs it says so and
//! passes. It is run with `cargo test --workspace --test slurm -- --ignored`.

mod cluster;

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use afterstate_lab::SoloResult;
use afterstate_lab::store::Store;

use cluster::Cluster;

/// A folder that is removed with everything in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("afterstate-slurm-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file for the test");
    }

    /// A program that does what this line of shell does.
    fn write_program(&self, name: &str, line: &str) {
        self.write(name, &format!("#!/bin/sh\n{line}\n"));
        fs::set_permissions(self.0.join(name), fs::Permissions::from_mode(0o755)).expect("a program for the test");
    }

    fn afterstate(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("afterstate"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// Runs a command to its good end, which has to come in time; what it said.
fn run(command: &mut Command) -> String {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    let deadline = Instant::now() + Duration::from_secs(180);
    let in_time = loop {
        match child.try_wait().expect("a child of this process") {
            Some(_) => break true,
            None if Instant::now() > deadline => break child.kill().is_err(),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let output = child.wait_with_output().expect("what the program said");
    assert!(in_time && output.status.success(), "{}", said(&output));
    said(&output)
}

/// Everything that is stored except times and who played it.
fn contents(path: &Path) -> Vec<String> {
    let store = Store::read(path).expect("a results file");
    let mut lines = Vec::new();
    for series in store.all_series::<SoloResult>().expect("series") {
        store
            .for_each_result(series.id, |mut result: SoloResult| {
                result.spent.time = Duration::ZERO;
                let record = store.record(series.id, result.game).expect("readable").expect("a record");
                lines.push(format!("{} {result:?} {record}", series.definition));
                ControlFlow::Continue(())
            })
            .expect("results");
    }
    lines.sort();
    lines
}

/// Thirteen tasks of three games: a few seconds of work for four processors.
const DEPTHS: &str = r#"
name = "depths"
game = "2048"
games = 24

[[agents]]
name = "EXP"
spec = "maqsood/exp3"

[[agents]]
spec = "random"
games = 15
"#;

const RULE: &str = r#"
name = "rule"
game = "2048"
stop = { rule = "half-width", half_width = 100, min_games = 20, max_games = 100000 }

[[agents]]
spec = "random"
"#;

#[test]
#[ignore = "starts the daemons of Slurm, as root; `cargo xtask test` runs it"]
fn a_cluster_that_loses_a_node_gives_the_rows_that_threads_give() {
    let folder = Folder::new("node");
    let Some(mut cluster) = Cluster::start(&folder.0.join("cluster")) else { return };
    let conf = cluster.conf();
    let on_cluster = |arguments: &[&str]| {
        let mut command = folder.afterstate(arguments);
        command.env("SLURM_CONF", &conf);
        command
    };
    a_rule_ends_where_it_ends_on_one_machine(&folder, &on_cluster);

    folder.write("depths.toml", DEPTHS);
    let command = ["run", "depths.toml", "--slurm", "--folder=shared folder", "--chunk=3", "--poll=200ms"];
    let mut first = on_cluster(&command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program");
    let round = folder.0.join("shared folder/depths.slurm/round-001");
    let has_games = || {
        let shards = fs::read_dir(round.join("shards")).into_iter().flatten().flatten();
        shards.filter_map(|shard| shard.metadata().ok()).any(|data| data.len() > 4000)
    };
    cluster.wait("games arrive while node n0 works", || {
        has_games() && !cluster.slurm("squeue", &["-h", "-w", "n0", "-t", "RUNNING"]).is_empty()
    });
    // One task is ended by hand, one node goes dark, and the command that waits for them is killed.
    let job = fs::read_to_string(round.join("job")).expect("a job number");
    let job = job.trim();
    cluster.slurm("scancel", &[&format!("{job}_7")]);
    cluster.kill_node("n0");
    first.kill().expect("the first command runs");
    first.wait().expect("the first command ends");

    let status = run(&mut on_cluster(&["status", "depths.toml", "--folder=shared folder"]));
    assert!(status.contains(&format!("round 1, job {job}: ")), "{status}");
    let second = run(&mut on_cluster(&command));
    let only_the_missing = second.contains("round 2 submitted: 1 tasks, ");
    assert!(only_the_missing, "{second}\n{status}\n{}", cluster.words());
    let third = run(&mut on_cluster(&command));
    assert!(!third.contains("submitted"), "nothing is missing: {third}");
    drop(cluster);

    run(&mut folder.afterstate(&["run", "depths.toml", "--results=threads.db"]));
    let (threads, tasks) = (contents(&folder.0.join("threads.db")), contents(&folder.0.join("results/depths.db")));
    assert_eq!(threads.len(), 39);
    assert!(threads == tasks, "the same games, figures and records");
}

fn a_rule_ends_where_it_ends_on_one_machine(folder: &Folder, on_cluster: &dyn Fn(&[&str]) -> Command) {
    folder.write("rule.toml", RULE);
    let said = run(&mut on_cluster(&["run", "rule.toml", "--slurm", "--round=60", "--chunk=30", "--poll=200ms"]));
    assert!(said.contains("round 2 submitted"), "the rule asks for more than one round: {said}");
    run(&mut folder.afterstate(&["run", "rule.toml", "--results=threads"]));
    let report = |results: &str| {
        let report = run(&mut folder.afterstate(&["report", "rule.toml", results, "--format=json"]));
        let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
        report["tables"][0]["rows"][0].as_array().expect("a row")[..3].to_vec()
    };
    assert_eq!(report("--results=threads"), report("--results=results"), "the same games count");
}

/// Runs the experiment where only these programs of Slurm exist; the exit code and what was said.
fn with_programs(name: &str, programs: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String) {
    let folder = Folder::new(name);
    folder.write("rule.toml", RULE);
    for (program, line) in programs {
        folder.write_program(program, line);
    }
    let mut command = folder.afterstate(&[&["run", "rule.toml", "--slurm", "--poll=10ms"], arguments].concat());
    let output = command.env("PATH", &folder.0).output().expect("the program runs");
    assert!(!folder.0.join("results/rule.slurm/round-002").exists());
    (output.status.code(), said(&output))
}

#[test]
fn what_is_wrong_with_the_cluster_is_said_in_one_line() {
    let quiet = ("squeue", "exit 0");
    let refuses = ("sbatch", "echo 'sbatch: error: invalid partition specified: nope' >&2; exit 1");
    let submits = ("sbatch", "echo 7");
    for (programs, arguments, code, expected) in [
        (&[][..], &[][..], 1, "`squeue` was not found: run this on a login node"),
        (&[quiet], &[], 1, "`sbatch` was not found"),
        (&[quiet, refuses], &["--partition=nope"], 1, "invalid partition specified: nope"),
        (&[("squeue", "echo no answer >&2; exit 1")], &[], 1, "`squeue` refused: no answer"),
        (&[quiet, submits], &["--folder=rule.toml"], 1, "--folder chooses a folder"),
        (&[quiet, submits], &["--round=2000", "--chunk=1"], 2, "give each at least 2 games: --chunk 2"),
        (&[quiet, submits], &["--sbatch=account=me"], 2, "expected one line that begins with `--`"),
        (&[quiet, submits], &["--image=none.sif"], 2, "--image none.sif: no such file"),
        (&[quiet, submits], &["--folder=50%"], 2, "cannot stand in a Slurm script"),
    ] {
        let (found, said) = with_programs("wrong", programs, arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
        assert_eq!((found, said.lines().count()), (Some(code), 1), "{said}");
    }
}

#[test]
fn tasks_that_end_without_their_games_are_named_with_their_last_words() {
    // A cluster whose tasks end at once.
    let fails =
        "while [ $# -gt 1 ]; do shift; done; echo 'error: no such model' > \"${1%/array.sh}/log/task-1.txt\"; echo 7";
    let (code, said) = with_programs("fails", &[("squeue", "exit 0"), ("sbatch", fails)], &["--chunk=500"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("1,000 games are missing"), "{said}");
    assert!(said.contains("round 1, task 0: it left no log"), "{said}");
    assert!(said.contains("round 1, task 1: error: no such model"), "{said}");
}

#[test]
fn a_detached_run_leaves_and_the_same_command_finds_what_was_played() {
    let folder = Folder::new("detached");
    folder.write("depths.toml", &DEPTHS.replace("maqsood/exp3", "greedy"));
    folder.write_program("squeue", "exit 0");
    // A cluster that plays while it submits.
    let program = assert_cmd::cargo::cargo_bin!("afterstate");
    let plays = format!(
        "while [ $# -gt 1 ]; do shift; done\nfor task in 0 1 2; do '{}' slurm-task \"${{1%/array.sh}}\" --task $task; done >&2\necho 7",
        program.display()
    );
    folder.write_program("sbatch", &plays);
    let command = |more: &[&str]| {
        let arguments = ["run", "depths.toml", "--slurm", "--chunk=13", "--poll=10ms"];
        let mut command = folder.afterstate(&[&arguments, more].concat());
        command.env("PATH", &folder.0);
        command
    };
    assert!(run(&mut command(&["--detach"])).contains("the tasks go on without this command"));
    assert!(contents(&folder.0.join("results/depths.db")).is_empty());
    assert!(!run(&mut command(&[])).contains("submitted"));
    assert_eq!(contents(&folder.0.join("results/depths.db")).len(), 39);
}
