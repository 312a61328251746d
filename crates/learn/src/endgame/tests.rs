//! Laws of whole tables: they agree with brute force, with play, with each other, and with what is on the disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use afterstate_game::{Afterstate, Dice, Position, Stop, Symmetric};
use afterstate_twenty48::{Board, Cell, Slid, State, Tile};
use proptest::prelude::*;

use super::ranking::Filling;
use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("afterstate-endgame-{name}-{}", std::process::id()));
    // What an earlier run left behind would be gone on with.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn settings(pattern: &str, slack: u32) -> BuildSettings {
    BuildSettings { pattern: pattern.parse().unwrap(), slack, memory: 1 << 30, threads: 1 }
}

fn built(folder: &Path, pattern: &str, slack: u32) -> Table {
    let path = folder.join(format!("{pattern}-{slack}.table"));
    build(&path, &settings(pattern, slack), &Stop::new(), &mut |_| {}).unwrap();
    Table::load(&path).unwrap()
}

/// The rules told again: the probability after a slide, by trying everything. The chain may be away between two slides.
struct BruteForce {
    /// The sets of cells on which the chain may lie, and where its end may be then.
    chains: Vec<(Vec<Cell>, Vec<Cell>)>,
    target: Tile,
    highest: u32,
    known: HashMap<Board, f64>,
}

impl BruteForce {
    fn new(Description { pattern, highest_sum }: Description) -> Self {
        let locked: Vec<Cell> = Cell::all().filter(|cell| !pattern.free_cells().contains(cell)).collect();
        let last = locked.iter().map(|cell| cell.row()).max();
        let ends: Vec<Cell> = locked.iter().copied().filter(|cell| Some(cell.row()) == last).collect();
        let image = |cells: &[Cell], symmetry| {
            let board = cells.iter().fold(Board::EMPTY, |board, &cell| board.with(cell, Some(Tile::TWO)));
            let there = board.transformed(symmetry);
            Cell::all().filter(|&cell| there.get(cell).is_some()).collect::<Vec<_>>()
        };
        let chains = State::symmetries().map(|symmetry| (image(&locked, symmetry), image(&ends, symmetry)));
        Self { chains: chains.collect(), target: pattern.target(), highest: highest_sum, known: HashMap::new() }
    }

    fn after(&mut self, board: Board) -> f64 {
        if let Some(&known) = self.known.get(&board) {
            return known;
        }
        let mut mean = 0.0;
        if board.count_empty() > 0 {
            Slid(board).for_each_answer(|state, probability| mean += f64::from(probability) * self.best(state.0));
        }
        self.known.insert(board, mean);
        mean
    }

    fn best(&mut self, board: Board) -> f64 {
        let chain = self.chains[0].0.len();
        self.best_or(board, |brute, slid, larger| {
            let mut mean = 0.0;
            if larger == chain - 1 && slid.count_empty() > 0 {
                let back = |brute: &mut Self, state: State| brute.best_or(state.0, |_, _, _| 0.0);
                Slid(slid).for_each_answer(|state, probability| mean += f64::from(probability) * back(brute, state));
            }
            mean
        })
    }

    /// The best slide; `away` says what one is worth that leaves the chain elsewhere, given how many larger tiles there are.
    fn best_or(&mut self, board: Board, away: impl Fn(&mut Self, Board, usize) -> f64) -> f64 {
        let small = Cell::all().filter_map(|cell| board.get(cell)).filter(|&tile| tile <= self.target);
        // The end of the chain is not on a free cell.
        if small.map(Tile::value).sum::<u32>() > self.highest + self.target.value() {
            return 0.0;
        }
        let mut best = 0.0f64;
        for direction in State(board).moves() {
            let slid = board.slide(direction).board;
            let larger: Vec<Cell> = Cell::all().filter(|&cell| slid.get(cell) > Some(self.target)).collect();
            let is_end = |cell: &Cell| slid.get(*cell) == Some(self.target);
            let is_chain = |(locked, ends): &(Vec<Cell>, Vec<Cell>)| {
                let rest = |end: &Cell| locked.iter().copied().filter(|cell| cell != end).collect::<Vec<_>>();
                ends.iter().any(|end| is_end(end) && rest(end) == larger)
            };
            best = best.max(if self.chains.iter().any(is_chain) {
                self.after(slid)
            } else if self.chains.iter().any(|(locked, _)| *locked == larger) {
                1.0
            } else {
                away(self, slid, larger.len())
            });
        }
        best
    }
}

#[test]
fn tables_agree_with_brute_force() {
    let folder = folder("brute");
    for (pattern, slack) in [("0004-16", 8), ("0022-16", 16), ("0023-32", 24), ("0133-16", 10), ("1112-32", 16)] {
        let table = built(&folder, pattern, slack);
        let mut brute = BruteForce::new(table.description());
        let solver = table.solver();
        let mut compared = 0;
        for half_sum in 0..=solver.ranking.highest() {
            let len = solver.ranking.layer_len(half_sum);
            for place in 0..solver.layer_len(half_sum) {
                let filling = Filling::at(&solver.ranking, half_sum, place % len);
                let board = solver.board(place / len, filling.board);
                let (stored, exact) = (f64::from(table.slid(half_sum, place)) / 65535.0, brute.after(board));
                assert!((stored - exact).abs() < 1e-3, "{pattern} {board}: {stored} instead of {exact}");
                compared += usize::from(exact > 0.0 && exact < 1.0);
            }
        }
        assert!(compared > 20, "{pattern}: {compared}");
    }
}

#[test]
fn check_passes_for_a_right_table_and_fails_for_a_wrong_one() {
    let mut table = built(&folder("check"), "0033-64", 32);
    let check = table.check(3000, 1);
    assert!(check.is_passed() && check.expected > 0.01 && check.half_width < 0.02, "{check:?}");
    table.distort(|value| value / 2);
    let check = table.check(3000, 1);
    assert!(check.wrong > 0 && !check.is_passed(), "{check:?}");
}

#[test]
fn more_room_and_smaller_tiles_never_hurt() {
    let folder = folder("monotone");
    let strict = built(&folder, "0033-32", 8);
    let patient = built(&folder, "0033-32", 40);
    let larger = built(&folder, "0033-64", 8);
    let ranking = &strict.solver().ranking;
    let (mut gained, mut harder) = (0, 0);
    for half_sum in 0..=ranking.highest() {
        for rank in 0..ranking.layer_len(half_sum) {
            let cells = Filling::at(ranking, half_sum, rank).board;
            let [a, b, c] = [&strict, &patient, &larger].map(|table| i32::from(table.filled(0, cells, half_sum)));
            // Rounding differs by a quantum or two where the layers above differ.
            assert!(b >= a - 4 && b >= c - 4, "{cells:x}: {a} {b} {c}");
            gained += i32::from(b > a);
            harder += i32::from(b > c);
        }
    }
    assert!(gained > 0 && harder > 0);
}

#[test]
fn an_interrupted_build_goes_on_and_ends_with_the_same_bytes() {
    let folder = folder("resume");
    let whole = folder.join("whole.table");
    let again = folder.join("again.table");
    let part = folder.join("again.table.part");
    let settings = BuildSettings { threads: 3, ..settings("0044-32", 32) };
    build(&whole, &BuildSettings { threads: 1, ..settings }, &Stop::new(), &mut |_| {}).unwrap();
    let stop = Stop::new();
    let outcome = build(&again, &settings, &stop, &mut |progress| {
        if progress.sum < 40 {
            stop.raise();
        }
    });
    assert!(matches!(outcome, Ok(BuildOutcome::Stopped(progress)) if progress.sum == 38 && progress.solved > 0));
    assert!(!again.exists());
    // A kill in the middle of a layer leaves a part of it.
    let length = std::fs::metadata(&part).unwrap().len();
    std::fs::OpenOptions::new().write(true).open(&part).unwrap().set_len(length - 5).unwrap();
    let other = BuildSettings { slack: 30, ..settings };
    let error = build(&again, &other, &Stop::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(
        error.contains("is an unfinished table of 0044-32 up to the sum 64, not of 0044-32 up to the sum 62"),
        "{error}"
    );
    let mut first = None;
    let outcome =
        build(&again, &settings, &Stop::new(), &mut |progress| _ = first.get_or_insert(progress.sum)).unwrap();
    assert!(matches!(outcome, BuildOutcome::Complete(progress) if progress.solved == progress.fillings));
    assert_eq!(first, Some(38), "the layer that was cut is solved again, those above it are not");
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&whole).unwrap());
    assert!(!part.exists());
}

#[test]
fn damaged_truncated_foreign_and_newer_files_are_refused() {
    let folder = folder("damage");
    let path = folder.join("t.table");
    build(&path, &settings("0022-16", 16), &Stop::new(), &mut |_| {}).unwrap();
    let good = std::fs::read(&path).unwrap();
    let check = |bytes: &[u8], reason: &str| {
        std::fs::write(&path, bytes).unwrap();
        let error = Table::load(&path).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    };
    let changed = |place: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[place] = value;
        bytes
    };
    check(b"", "is no endgame table");
    check(&good[..10], "is no endgame table");
    check(&changed(0, b'x'), "is no endgame table");
    check(&changed(8, 9), "has format version 9; this program reads versions up to 3");
    check(&changed(8, 2), "build it again");
    check(&good[..good.len() - 1], "is damaged");
    check(&good[..good.len() / 2], "is damaged");
    check(&[&good[..], b"more"].concat(), "is damaged");
    std::fs::write(&path, &good).unwrap();
    let table = Table::load(&path).unwrap();
    // A few bits of the compression mean nothing; what is read in spite of a change is what was written.
    let mut refused = 0;
    for (place, byte) in good.iter().enumerate().skip(12) {
        std::fs::write(&path, changed(place, byte ^ 0x10)).unwrap();
        match Table::load(&path) {
            Ok(read) => assert!(read.values() == table.values(), "{place}"),
            Err(error) => refused += usize::from(error.to_string().contains("is damaged")),
        }
    }
    assert!(refused * 10 > (good.len() - 12) * 9, "{refused} of {}", good.len() - 12);
    assert!(Table::load(Path::new("/nonexistent/t")).unwrap_err().to_string().starts_with("/nonexistent/t: "));
}

#[test]
fn a_file_with_a_sum_beyond_all_tables_is_refused_before_it_takes_memory() {
    let path = folder("sum").join("t.table");
    for sum in [4_000_000_000u32, 16 + MAX_SLACK + 1, 15, 0] {
        let json = format!(r#"{{"pattern":"0022-16","highest_sum":{sum}}}"#);
        let packed = zstd::encode_all(json.as_bytes(), 3).unwrap();
        let length = (packed.len() as u64).to_le_bytes();
        let head: Vec<u8> = [b"afterend", &3u32.to_le_bytes()[..], &length, &packed].concat();
        std::fs::write(&path, head).unwrap();
        for error in [Table::load(&path).map(|_| ()), Table::describe(&path).map(|_| ())] {
            let error = error.unwrap_err().to_string();
            assert!(error.ends_with(&format!("is damaged: no table has the highest sum {sum}")), "{error}");
        }
    }
}

#[test]
fn what_does_not_fit_into_memory_is_said_before_it_is_tried() {
    let path = folder("memory").join("t.table");
    let check = |settings: BuildSettings, reason: &str| {
        let error = build(&path, &settings, &Stop::new(), &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    };
    check(BuildSettings { memory: 1 << 20, ..settings("0144-256", 64) }, "and 1048576 are allowed");
    assert!(!path.exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every symmetric image of a board has the same probability, and advice for the same slide of it.
    #[test]
    fn boards_are_recognised_through_every_symmetry(seed: u64) {
        let tables = Tables::new(vec![shared_table()]);
        let (table, mut dice) = (&tables.tables()[0], Dice::seeded(seed));
        let (half_sum, end, board) = table.random_filling(&mut dice);
        let board = DISTINCT.into_iter().fold(board, |board, (cell, tile)| {
            let cell = Cell::from_name(cell).unwrap();
            if board.get(cell) > Some(Tile::from_value(32).unwrap()) { board.with(cell, Tile::from_value(tile)) } else { board }
        });
        let expected = tables.after_slide(Slid(board));
        prop_assert_eq!(expected, Some(f32::from(table.filled(end, board.nibbles(), half_sum)) / 65535.0));
        let mut advice = tables.advice(State(board)).map(|advice| advice.slides);
        for symmetry in State::symmetries() {
            let image = board.transformed(symmetry);
            prop_assert_eq!(tables.after_slide(Slid(image)), expected);
            let there = tables.advice(State(image)).map(|advice| {
                let back = |(slide, value)| (State::transformed_move(slide, State::inverse(symmetry)), value);
                advice.slides.into_iter().map(back).collect::<Vec<_>>()
            });
            let sorted = |slides: &mut Option<Vec<(afterstate_twenty48::Direction, f64)>>| {
                slides.iter_mut().for_each(|slides| slides.sort_by_key(|&(slide, _)| slide as usize));
            };
            let mut there = there;
            sorted(&mut there);
            sorted(&mut advice);
            prop_assert_eq!(&there, &advice);
        }
    }
}

/// A chain for the pattern of the shared table, wherever its end is.
const DISTINCT: [(&str, u32); 9] = [
    ("a1", 64),
    ("b1", 128),
    ("c1", 256),
    ("d1", 512),
    ("a2", 1024),
    ("b2", 2048),
    ("c2", 4096),
    ("a3", 8192),
    ("a4", 16384),
];

fn shared_table() -> Table {
    use std::sync::OnceLock;
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let path = folder("shared").join("t.table");
        build(&path, &settings("0133-32", 16), &Stop::new(), &mut |_| {}).unwrap();
        path
    });
    Table::load(path).unwrap()
}

#[test]
fn boards_outside_the_pattern_get_no_answer() {
    let tables = Tables::new(vec![shared_table()]);
    let after = |text: &str| tables.after_slide(Slid(text.parse::<Board>().unwrap()));
    assert!(after("1024 512 256 128/64 16384 4096 0/2048 0 0 0/32 0 0 2").is_some());
    assert!(after("1024 512 256 128/64 16384 4096 0/2048 0 0 0/32 0 0 32").is_some(), "one more like the end");
    // Two large tiles are equal, none is the target, it does not lie at the end, a locked cell is small, the sum is too high.
    assert_eq!(after("1024 512 256 128/64 1024 4096 0/2048 0 0 0/32 0 0 2"), None);
    assert_eq!(after("1024 512 256 128/64 16384 4096 0/2048 0 0 0/8192 0 0 2"), None);
    assert_eq!(after("1024 512 256 128/64 32 4096 0/2048 0 0 0/8192 0 0 2"), None);
    assert_eq!(after("1024 512 256 128/64 16384 4096 0/16 0 0 0/32 0 0 2"), None);
    assert_eq!(after("1024 512 256 128/64 16384 4096 16/2048 16 16 0/32 0 0 2"), None);
    assert!(after("65536 512 256 128/64 16384 4096 0/2048 0 0 0/32 0 0 2").is_some(), "huge tiles are large, too");
}

#[test]
fn a_chain_that_must_move_away_is_brought_back() {
    use afterstate_twenty48::Direction::{Left, Right};
    let tables = Tables::new(vec![built(&folder("away"), "0244-8", 32)]);
    let slides = |text: &str| -> Vec<(afterstate_twenty48::Direction, f64)> {
        let advice = tables.advice(State(text.parse().unwrap()));
        advice.map_or_else(Vec::new, |advice| advice.slides)
    };
    // Nothing moves to the left or up. After a slide down every spawn lies above the largest tile.
    let forced = slides("16384 8192 4096 2048/8 1024 2 0/4 2 4 0/2 4 2 0");
    assert!(matches!(forced[..], [(Right, chance)] if chance > 0.1 && chance < 1.0), "{forced:?}");
    // After the slide to the right and a spawn beside the row, one slide leads back; a spawn in the row blocks it.
    let there = "16384 8192 4096 2048/8 1024 2 0/4 2 4 0/4 4 2 0".parse().unwrap();
    let back = tables.after_slide(Slid(there)).unwrap();
    let advice = slides("16384 8192 4096 2048/0 8 1024 2/0 4 2 4/2 2 4 2");
    assert!(matches!(advice[..], [(Left, chance)] if (chance as f32 - back).abs() < 1e-6), "{advice:?}, not {back}");
    assert_eq!(slides("16384 8192 4096 2048/2 8 1024 2/0 4 2 4/0 2 4 2"), []);
}
