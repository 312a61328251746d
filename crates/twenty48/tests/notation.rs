//! Texts that are read, and texts that are refused with a message that helps.

use afterstate_game::Notation;
use afterstate_twenty48::{Direction, State};

const TEXT: &str = "4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0";

#[test]
fn white_space_and_dots_are_tolerated() {
    for text in [
        "4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0",
        " 4  2 2\t16 / . 8 4 128 / 2 16 64 4 / . 4 8 . \n",
        "4 2 2 16\n/\n0 8 4 128\n/\n2 16 64 4\n/\n0 4 8 0",
    ] {
        assert_eq!(State::parse(text).unwrap().to_text(), TEXT, "{text:?}");
    }
}

#[test]
fn the_largest_tiles_are_read_back() {
    let text = "131072 65536 32768 131072/0 0 0 0/2 4 8 16/131072 65536 0 0";
    assert_eq!(State::parse(text).unwrap().to_text(), text);
}

#[test]
fn bad_positions_are_refused_with_place_and_remedy() {
    let no_tile = |row, column, found: &str| {
        format!("row {row}, column {column}: {found} is no tile; expected 0 (empty) or a power of two from 2 to 131072")
    };
    let check =
        |text: &str, message: &str| assert_eq!(State::parse(text).unwrap_err().to_string(), message, "{text:?}");
    let empty = "the position is empty; expected four rows of four tiles, such as 4 2 2 16/0 8 4 128/2 16 64 4/0 4 8 0";
    check("", empty);
    check(" \n\t ", empty);
    check("2 2 2 2", "found 1 row(s); expected 4, separated by /");
    check("2 2 2 2/2 2 2 2/2 2 2 2/2 2 2 2/", "found 5 row(s); expected 4, separated by /");
    check("2 2 2 2/2 2 2/2 2 2 2/2 2 2 2", "row 2 has 3 cell(s); expected 4, so that the board has 16");
    check("2 2 2 2/2 2 2 2/2 2 2 2/2 2 2 2 2", "row 4 has 5 cell(s); expected 4, so that the board has 16");
    check("2 2 2 2//2 2 2 2/2 2 2 2", "row 2 has 0 cell(s); expected 4, so that the board has 16");
    check("2 2 2 2/2 2 7 2/2 2 2 2/2 2 2 2", &no_tile(2, 3, "\"7\""));
    check("1 2 2 2/2 2 2 2/2 2 2 2/2 2 2 2", &no_tile(1, 1, "\"1\""));
    check("2 2 2 2/2 2 2 2/2 2 2 2/2 2 2 -2", &no_tile(4, 4, "\"-2\""));
    check("2 2 2 2/2 2 2 2/+2 2 2 2/2 2 2 2", &no_tile(3, 1, "\"+2\""));
    check("262144 2 2 2/2 2 2 2/2 2 2 2/2 2 2 2", &no_tile(1, 1, "\"262144\""));
    check("2 4294967296 2 2/2 2 2 2/2 2 2 2/2 2 2 2", &no_tile(1, 2, "\"4294967296\""));
    check("2 2.0 2 2/2 2 2 2/2 2 2 2/2 2 2 2", &no_tile(1, 2, "\"2.0\""));
    check("2 \u{1b}[31m 2 2/2 2 2 2/2 2 2 2/2 2 2 2", &no_tile(1, 2, "\"\\u{1b}[31m\""));
    check(
        &format!("2 2 2 {}/2 2 2 2/2 2 2 2/2 2 2 2", "9".repeat(100)),
        &no_tile(1, 4, "\"999999999999999999999999...\""),
    );
}

#[test]
fn moves_are_read_by_name_and_letter_and_refused_with_what_is_legal() {
    let state = State::parse("2 4 8 16/0 0 0 0/0 0 0 0/0 0 0 0").unwrap();
    assert_eq!(state.parse_move(" Down "), Ok(Direction::Down));
    assert_eq!(state.parse_move("d"), Ok(Direction::Down));
    let check = |text: &str, message: &str| assert_eq!(state.parse_move(text).unwrap_err().to_string(), message);
    check("left", "the move left is not legal here; legal: down");
    check("sideways", "\"sideways\" is no move; expected up, right, down or left");
    check("", "\"\" is no move; expected up, right, down or left");
    let over = State::parse("2 4 8 16/4 8 16 2/8 16 2 4/16 2 4 8").unwrap();
    let error = over.parse_move("up").unwrap_err().to_string();
    assert_eq!(error, "the move up is not legal here; legal: none, the game is over");
}
