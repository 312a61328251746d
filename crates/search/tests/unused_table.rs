//! A new game needs no memory for a table that nobody has used. A file of its own, because the memory is that of the
//! whole process.

#![cfg(target_os = "linux")]

mod resident;

use afterstate_abalone::Position as Abalone;
use afterstate_abalone::evaluation::Hauff;
use afterstate_game::Player as _;
use afterstate_search::alphabeta::{AlphaBeta, Memory, Settings};
use afterstate_search::expectimax::{self, Expectimax, TableSettings};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::Empty;
use resident::resident;

const BYTES: u64 = 64 << 20;

#[test]
fn a_table_takes_no_memory_before_it_is_used() {
    let before = resident();
    let settings = Settings::classic();
    let table = settings.table.map(|table| Memory { bytes: BYTES, ..table });
    let mut alphabeta = AlphaBeta::<Abalone, _>::new(Settings { table, ..settings }, Hauff::default()).unwrap();
    alphabeta.start_game(1);
    let table = Some(TableSettings { bytes: BYTES, ..TableSettings::default() });
    let settings = expectimax::Settings::<State> { table, ..expectimax::Settings::default() };
    let mut expectimax = Expectimax::new(settings, Empty).unwrap();
    expectimax.start_game(1);
    let grown = resident().saturating_sub(before);
    assert!(grown < BYTES / 2, "{} MB", grown >> 20);
}
