//! The laws of every game, held by 2048.

use afterstate_game::{Dice, conformance};
use afterstate_twenty48::{Board, Cell, Direction, State, Tile};

fn starts() -> Vec<State> {
    let mut starts: Vec<State> = (0..4).map(|seed| State::start(&mut Dice::seeded(seed))).collect();
    // Large tiles, about to merge beyond 32768 and beyond 65536.
    let mut board = Board::EMPTY;
    for (cell, exponent) in Cell::all().zip([15, 15, 16, 16, 14, 14, 13, 12]) {
        board = board.with(cell, Tile::from_exponent(exponent));
    }
    starts.push(State(board));
    starts.push(State(board.transposed().flipped()));
    starts
}

#[test]
fn the_rules_hold() {
    let seen = conformance::check_rules(&starts(), 10, 2000).unwrap_or_else(|violation| panic!("{violation}"));
    assert!(seen > 3000, "{seen}");
}

#[test]
fn the_notation_holds() {
    let seen = conformance::check_notation(&starts(), 10, 2000).unwrap_or_else(|violation| panic!("{violation}"));
    assert!(seen > 3000, "{seen}");
}

#[test]
fn the_symmetries_hold() {
    let seen = conformance::check_symmetry(&starts(), 2, 200).unwrap_or_else(|violation| panic!("{violation}"));
    assert!(seen > 500, "{seen}");
}

#[test]
fn large_tiles_merge_exactly() {
    let board = starts()[4].0;
    assert_eq!(board.to_string(), "32768 32768 65536 65536/16384 16384 8192 4096/0 0 0 0/0 0 0 0");
    let slide = board.slide(Direction::Left);
    assert_eq!(slide.board.to_string(), "65536 131072 0 0/32768 8192 4096 0/0 0 0 0/0 0 0 0");
    assert_eq!(slide.reward, 65_536 + 131_072 + 32_768);
    let slide = board.slide(Direction::Right);
    assert_eq!(slide.board.to_string(), "0 0 65536 131072/0 32768 8192 4096/0 0 0 0/0 0 0 0");
}
