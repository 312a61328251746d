//! The results store: what is stored stays, counts once, and is found again.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use afterstate_game::Limits;
use afterstate_lab::experiment::{Planned, RunEnd, StopRule, run_planned, stored_tally};
use afterstate_lab::store::{Store, StoreError};
use afterstate_lab::{LabError, Machinery, Provenance, Series as _, SoloResult, SoloRun, SoloTally, Tally as _};
use afterstate_twenty48::State;

/// A folder that is removed with everything in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("afterstate-store-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("results.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn plan(games: u64) -> Vec<Planned<SoloRun<State>>> {
    [1, 2, 3]
        .map(|seed| Planned { series: SoloRun::new("random", seed, Limits::NONE), stop: StopRule::Games { games } })
        .to_vec()
}

fn run(
    path: &Path,
    plan: &[Planned<SoloRun<State>>],
    threads: usize,
    stop_after: Option<u64>,
) -> Result<RunEnd<SoloTally>, LabError> {
    let mut store = Store::open(path)?;
    let session = store.begin_session(&Provenance::here("test", threads), "")?;
    run_planned(plan, &mut store, session, &Machinery { threads, ..Machinery::default() }, |progress| {
        if Some(progress.played) == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

/// The stored figures without times, and the records, as one text.
fn contents(path: &Path) -> String {
    let store = Store::read(path).expect("a results file");
    let mut text = String::new();
    for series in store.all_series::<SoloResult>().expect("series") {
        text += &format!("{} {}\n", series.definition, series.games);
        store
            .for_each_result(series.id, |mut result: SoloResult| {
                result.spent.time = std::time::Duration::ZERO;
                let record = store.record(series.id, result.game).expect("readable").expect("a record");
                text += &format!("{result:?} {record}\n");
                ControlFlow::Continue(())
            })
            .expect("results");
    }
    text
}

#[test]
fn a_resumed_run_ends_with_what_an_undisturbed_one_has() {
    let (whole, pieces) = (Folder::new("whole"), Folder::new("pieces"));
    let end = run(&whole.file(), &plan(900), 1, None).unwrap();
    assert!(end.complete);
    assert_eq!(end.stored, 2700);
    for stop_after in [Some(7), Some(300), Some(1), None] {
        let end = run(&pieces.file(), &plan(900), 2, stop_after).unwrap();
        assert_eq!(end.complete, stop_after.is_none());
    }
    assert_eq!(contents(&whole.file()), contents(&pieces.file()));
    let again = run(&pieces.file(), &plan(900), 2, None).unwrap();
    assert_eq!((again.complete, again.stored), (true, 0), "nothing is played twice");
}

#[test]
fn more_games_go_on_where_fewer_ended_and_fewer_count_only_theirs() {
    let folder = Folder::new("more");
    run(&folder.file(), &plan(20), 2, None).unwrap();
    let end = run(&folder.file(), &plan(30), 2, None).unwrap();
    assert_eq!(end.stored, 30);
    let end = run(&folder.file(), &plan(10), 2, None).unwrap();
    assert_eq!(end.stored, 0);
    assert_eq!(end.tallies.iter().map(SoloTally::games).collect::<Vec<_>>(), [10, 10, 10]);
}

#[test]
fn a_stopping_rule_ends_at_the_same_game_whatever_the_threads_and_interruptions() {
    let stop = StopRule::HalfWidth { half_width: 120.0, min_games: 20, max_games: 10_000 };
    let plan: Vec<_> = plan(1).into_iter().map(|planned| Planned { stop, ..planned }).collect();
    let (one, two) = (Folder::new("one"), Folder::new("two"));
    let alone = run(&one.file(), &plan, 1, None).unwrap();
    for stop_after in [Some(13), Some(40), None] {
        run(&two.file(), &plan, 3, stop_after).unwrap();
    }
    let resumed = run(&two.file(), &plan, 2, None).unwrap();
    assert_eq!(resumed.stored, 0);
    for (a, b) in alone.tallies.iter().zip(&resumed.tallies) {
        assert_eq!(a.scores(), b.scores());
        assert!((20..10_000).contains(&a.games()), "the rule decided after {} games", a.games());
        assert!(a.half_width().unwrap() <= 120.0);
    }
    let store = Store::read(&two.file()).unwrap();
    let id = store.find_series(&plan[0].series.definition()).unwrap().unwrap();
    let (tally, complete) = stored_tally::<SoloResult, SoloTally>(&store, id, stop).unwrap();
    assert!(complete);
    assert_eq!(tally.scores(), alone.tallies[0].scores());
}

#[test]
fn a_second_writer_is_refused_and_a_reader_is_not() {
    let folder = Folder::new("lock");
    let writer = Store::open(&folder.file()).unwrap();
    let error = Store::open(&folder.file()).unwrap_err();
    assert_eq!(error, StoreError::InUse { path: folder.file(), process: Some(std::process::id()) });
    assert!(error.to_string().contains("another run"), "{error}");
    assert!(Store::read(&folder.file()).unwrap().sessions().unwrap().is_empty());
    drop(writer);
    Store::open(&folder.file()).unwrap();
}

/// Whoever runs the tests may be allowed to write anywhere; a folder in the place of the shared index stops him too.
#[test]
fn results_are_read_where_nothing_may_be_written() {
    let folder = Folder::new("read only? #1");
    run(&folder.file(), &plan(5), 1, None).unwrap();
    let before = contents(&folder.file());
    let beside = |ending: &str| folder.0.join(format!("results.db{ending}"));
    for left in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(left));
    }
    std::fs::create_dir(beside("-shm")).unwrap();
    assert_eq!(contents(&folder.file()), before);
}

#[test]
fn files_of_others_are_refused_untouched() {
    let folder = Folder::new("foreign");
    std::fs::write(folder.file(), "a letter, not a database").unwrap();
    assert_eq!(Store::open(&folder.file()).unwrap_err(), StoreError::Foreign { path: folder.file() });
    assert_eq!(Store::read(&folder.file()).unwrap_err(), StoreError::Foreign { path: folder.file() });
    assert_eq!(std::fs::read_to_string(folder.file()).unwrap(), "a letter, not a database");

    let other = folder.0.join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE letters (text)").unwrap();
    assert_eq!(Store::open(&other).unwrap_err(), StoreError::Foreign { path: other });
}

#[test]
fn a_file_of_a_newer_version_says_so() {
    let folder = Folder::new("newer");
    drop(Store::open(&folder.file()).unwrap());
    rusqlite::Connection::open(folder.file()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = Store::open(&folder.file()).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    assert_eq!(Store::read(&folder.0.join("none.db")).unwrap_err().to_string().lines().count(), 1);
}

/// The child of the next test: runs the plan until it is complete or killed.
#[test]
#[ignore = "only of use to the test that kills it"]
fn child_that_is_killed() {
    let Some(path) = std::env::var_os("AFTERSTATE_TEST_STORE") else { return };
    run(Path::new(&path), &plan(KILLED_GAMES), 2, None).unwrap();
}

const KILLED_GAMES: u64 = 4_000;

#[test]
fn a_run_killed_at_fifty_moments_ends_with_what_an_undisturbed_one_has() {
    let (whole, killed) = (Folder::new("unkilled"), Folder::new("killed"));
    run(&whole.file(), &plan(KILLED_GAMES), 2, None).unwrap();
    let mut dice = afterstate_game::Dice::seeded(50);
    let child = || {
        std::process::Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "child_that_is_killed", "--ignored"])
            .env("AFTERSTATE_TEST_STORE", killed.file())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("a child")
    };
    let mut unfinished = 0;
    for _ in 0..50 {
        let mut child = child();
        std::thread::sleep(std::time::Duration::from_millis(u64::from(dice.below(30))));
        child.kill().unwrap();
        unfinished += u32::from(!child.wait().unwrap().success());
    }
    assert!(unfinished > 20, "the kills came in time: {unfinished}");
    assert!(child().wait().unwrap().success());
    assert!(contents(&whole.file()) == contents(&killed.file()), "the same games, figures and records");
}
