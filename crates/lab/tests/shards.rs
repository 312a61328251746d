//! Shards and the store: what tasks wrote arrives once, whatever was cut off, read twice or played twice.

use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use afterstate_game::{Limits, Stop};
use afterstate_lab::experiment::{Planned, StopRule, run_planned};
use afterstate_lab::shard::{Content, Heading, Merger, ShardError, ShardGame, ShardReader, ShardWriter};
use afterstate_lab::store::{Session, Store, StoredResult as _};
use afterstate_lab::{LabError, Machinery, Provenance, Recorded, Series as _, SoloResult, SoloRun};
use afterstate_twenty48::State;

/// A folder that is removed with everything in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("afterstate-shards-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn store(&self) -> PathBuf {
        self.0.join("results.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn series() -> SoloRun<State> {
    SoloRun::new("random", 7, Limits::NONE)
}

/// Made once: naming a program that was built with changes takes a look at all of it.
static HEADING: LazyLock<Heading> = LazyLock::new(|| {
    let provenance = Provenance::here("the test", 1);
    let session = Session { started: "2026-01-01T00:00:00Z".to_owned(), provenance, experiment: String::new() };
    Heading { session, table: SoloResult::TABLE.to_owned(), series: vec![series().definition()] }
});

fn games(numbers: Range<u64>) -> Vec<ShardGame> {
    let series = series();
    let mut players = series.build().expect("a random player");
    let played = numbers.map(|game| series.play_game(&mut players, game, &Stop::new()).expect("a game"));
    played.map(|game: Recorded<SoloResult>| ShardGame::new(0, game)).collect()
}

fn write(path: &Path, games: &[ShardGame]) {
    let mut shard = ShardWriter::create(path, &HEADING).expect("a new shard");
    games.iter().for_each(|game| shard.add(game));
    shard.commit().expect("space on the disk");
}

fn merge(folder: &Folder, shards: &[&Path]) -> Result<Vec<u64>, LabError> {
    let mut store = Store::open(&folder.store())?;
    let mut merger = Merger::default();
    shards.iter().map(|shard| merger.merge(shard, &mut store, |_| Ok(()))).collect()
}

/// Everything that is stored except times: figures, records and sessions.
fn contents(path: &Path) -> Vec<String> {
    let store = Store::read(path).expect("a results file");
    let mut lines = Vec::new();
    for series in store.all_series::<SoloResult>().expect("series") {
        store
            .for_each_result(series.id, |mut result: SoloResult| {
                result.spent.time = std::time::Duration::ZERO;
                let record = store.record(series.id, result.game).expect("readable").expect("a record");
                lines.push(format!("{} {result:?} {record}", series.definition));
                ControlFlow::Continue(())
            })
            .expect("results");
    }
    lines
}

#[test]
fn shards_give_the_rows_that_threads_give() {
    let folder = Folder::new("rows");
    let threads = folder.0.join("threads.db");
    let mut store = Store::open(&threads).unwrap();
    let session = store.begin_session(&Provenance::here("test", 2), "").unwrap();
    let planned = [Planned { series: series(), stop: StopRule::Games { games: 30 } }];
    let machinery = Machinery { threads: 2, ..Machinery::default() };
    run_planned(&planned, &mut store, session, &machinery, |_| ControlFlow::Continue(())).unwrap();
    drop(store);

    let shards = [folder.0.join("a"), folder.0.join("b")];
    write(&shards[0], &games(20..30));
    write(&shards[1], &games(0..20));
    assert_eq!(merge(&folder, &[&shards[0], &shards[1]]), Ok(vec![10, 20]));
    assert_eq!(contents(&folder.store()), contents(&threads));
}

#[test]
fn a_game_counts_once_however_often_it_is_read_or_played() {
    let folder = Folder::new("once");
    let (a, b) = (folder.0.join("a"), folder.0.join("b"));
    write(&a, &games(0..6));
    write(&b, &[games(4..8), games(4..8)].concat());
    assert_eq!(merge(&folder, &[&a, &a, &b, &a]), Ok(vec![6, 0, 2, 0]));
    let before = contents(&folder.store());
    assert_eq!(before.len(), 8);
    assert_eq!(merge(&folder, &[&b, &a]), Ok(vec![0, 0]), "also by another run");
    assert_eq!(contents(&folder.store()), before);
    let sessions = Store::read(&folder.store()).unwrap().sessions().unwrap();
    assert_eq!(sessions, std::slice::from_ref(&HEADING.session), "shards of one session share it");
}

#[test]
fn a_shard_is_merged_while_it_grows_byte_by_byte() {
    let folder = Folder::new("grows");
    let (whole, growing) = (folder.0.join("whole"), folder.0.join("growing"));
    let games = games(0..3);
    write(&whole, &games);
    let bytes = fs::read(&whole).unwrap();
    let mut store = Store::open(&folder.store()).unwrap();
    let mut merger = Merger::default();
    let mut stored = 0;
    // Every byte where the frames are short; more at once inside the long records, to spare the disk.
    for end in (0..bytes.len()).filter(|end| end % 7 == 0 || *end < 30).chain([bytes.len()]) {
        fs::write(&growing, &bytes[..end]).unwrap();
        stored += merger.merge(&growing, &mut store, |_| Ok(())).unwrap();
    }
    assert_eq!(stored, 3);
    drop(store);
    assert_eq!(contents(&folder.store()).len(), 3);
}

/// The games that can be read and what is wrong behind them.
fn read(bytes: &[u8]) -> (Vec<ShardGame>, Result<(), ShardError>) {
    let mut shard = ShardReader::new(Path::new("bytes"), bytes, 0, bytes.len() as u64);
    let mut games = Vec::new();
    loop {
        match shard.read_next() {
            Ok(Some(Content::Game(game))) => games.push(game),
            Ok(Some(Content::Heading(found))) => assert_eq!(*found, *HEADING),
            Ok(None) => return (games, Ok(())),
            Err(error) => return (games, Err(error)),
        }
    }
}

#[test]
fn a_shard_cut_at_any_byte_gives_the_games_before() {
    let folder = Folder::new("cut");
    let path = folder.0.join("shard");
    let games = games(0..3);
    write(&path, &games);
    let bytes = fs::read(&path).unwrap();
    let mut found = 0;
    for end in 0..bytes.len() {
        let (read, rest) = read(&bytes[..end]);
        assert_eq!(rest, Ok(()), "cut at {end}");
        assert_eq!(read, games[..read.len()]);
        assert!(read.len() >= found && read.len() < 3, "cut at {end}");
        found = read.len();
    }
    assert_eq!(found, 2);
}

#[test]
fn a_changed_byte_is_found_and_named() {
    let folder = Folder::new("flip");
    let path = folder.0.join("shard");
    let games = games(0..3);
    write(&path, &games);
    let bytes = fs::read(&path).unwrap();
    let last = {
        let mut shard = ShardReader::open(&path, 0).unwrap();
        (0..3).for_each(|_| drop(shard.read_next().unwrap()));
        shard.offset() as usize
    };
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x10;
        let (read, rest) = read(&changed);
        assert!(read.len() < 3, "byte {place}");
        assert_eq!(read, games[..read.len()]);
        assert!(place >= last || rest.is_err(), "byte {place} of {last}: {rest:?}");
    }
}

#[test]
fn damage_keeps_what_came_before_and_says_where_it_is() {
    let folder = Folder::new("damage");
    let path = folder.0.join("shard");
    write(&path, &games(0..3));
    let mut bytes = fs::read(&path).unwrap();
    let mut shard = ShardReader::open(&path, 0).unwrap();
    (0..2).for_each(|_| drop(shard.read_next().unwrap()));
    let second = shard.offset();
    bytes[second as usize + 40] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = merge(&folder, &[&path]).unwrap_err();
    let expected = ShardError::Damaged { path: path.clone(), offset: second, reason: "the checksum of a frame" };
    assert_eq!(error, LabError::Shard(expected));
    assert!(error.to_string().contains(&format!("damaged at byte {second}")), "{error}");
    assert_eq!(contents(&folder.store()).len(), 1, "the game before the damage is safe");
}

#[test]
fn other_files_and_formats_are_refused() {
    let folder = Folder::new("foreign");
    let path = folder.0.join("shard");
    for (text, expected) in [
        ("a letter, not a shard of games", ShardError::Foreign { path: path.clone() }),
        ("afterstate shard 9\n........", ShardError::Version { path: path.clone() }),
    ] {
        fs::write(&path, text).unwrap();
        assert_eq!(merge(&folder, &[&path]), Err(LabError::Shard(expected)));
    }
    fs::remove_file(&path).unwrap();
    write(&path, &[ShardGame { series: 5, ..games(0..1).remove(0) }]);
    assert!(matches!(merge(&folder, &[&path]), Err(LabError::Shard(ShardError::Foreign { .. }))), "no such series");
    fs::remove_file(&path).unwrap();
    write(&path, &[ShardGame { values: Vec::new(), ..games(0..1).remove(0) }]);
    assert!(matches!(merge(&folder, &[&path]), Err(LabError::Shard(ShardError::Foreign { .. }))), "no such row");
    assert!(matches!(ShardWriter::create(&path, &HEADING), Err(ShardError::Failed { .. })), "never written over");
}

#[test]
fn a_shard_can_be_refused_by_its_heading() {
    let folder = Folder::new("refused");
    let path = folder.0.join("shard");
    write(&path, &games(0..2));
    let mut store = Store::open(&folder.store()).unwrap();
    let refuse = |_: &Heading| Err(LabError::NotStored);
    assert_eq!(Merger::default().merge(&path, &mut store, refuse), Err(LabError::NotStored));
    drop(store);
    assert!(contents(&folder.store()).is_empty());
}

/// The child of the next test: merges the shards one game at a time until it is done or killed.
#[test]
#[ignore = "only of use to the test that kills it"]
fn child_that_is_killed() {
    let Some(folder) = std::env::var_os("AFTERSTATE_TEST_SHARDS") else { return };
    let folder = PathBuf::from(folder);
    let mut store = Store::open(&folder.join("results.db")).unwrap();
    let mut merger = Merger::default();
    let bytes = fs::read(folder.join("whole")).unwrap();
    let growing = folder.join(format!("growing-{}", std::process::id()));
    for part in 1..=40 {
        fs::write(&growing, &bytes[..bytes.len() * part / 40]).unwrap();
        merger.merge(&growing, &mut store, |_| Ok(())).unwrap();
    }
}

#[test]
fn merging_killed_at_any_moment_ends_with_every_game_once() {
    let folder = Folder::new("killed");
    let whole = folder.0.join("whole");
    write(&whole, &games(0..400));
    let mut dice = afterstate_game::Dice::seeded(20);
    let child = || {
        std::process::Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "child_that_is_killed", "--ignored"])
            .env("AFTERSTATE_TEST_SHARDS", &folder.0)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("a child")
    };
    for _ in 0..20 {
        let mut child = child();
        std::thread::sleep(std::time::Duration::from_millis(u64::from(dice.below(40))));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(child().wait().unwrap().success());
    let (undisturbed, path) = (Folder::new("unkilled"), whole.as_path());
    merge(&undisturbed, &[path]).unwrap();
    assert!(contents(&folder.store()) == contents(&undisturbed.store()), "the same games, figures and records");
}
