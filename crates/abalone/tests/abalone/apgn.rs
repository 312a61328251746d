//! Files of games: what is written is read back, and every damaged file is answered with where and why.

use afterstate_abalone::text::MoveNotation;
use afterstate_abalone::text::apgn::{Game, Reader};
use afterstate_abalone::{Layout, Position};
use afterstate_game::{Dice, Notation, Outcome, Position as _, Side};
use proptest::prelude::*;

use crate::common::lively_move;

/// A game of at most `plies` lively half-moves.
fn played(start: Position, notation: MoveNotation, seed: u64, plies: u32) -> Game {
    let mut dice = Dice::seeded(seed);
    let mut game = Game { notation, ..Game::new(start) };
    let mut position = start;
    for _ in 0..plies {
        let Some(mv) = lively_move(&position, &mut dice) else { break };
        game.moves.push(mv);
        position = position.play_unchecked(mv).afterstate.0;
    }
    game.outcome = position.outcome();
    game.set_tag("Event", "a test");
    game.set_tag("Date", "2024.02.29");
    game.set_tag("Black", "one \"and only\" \\ player");
    game.set_tag("White", "another");
    game.set_tag("Annotator", "nobody");
    game
}

fn read_all(text: &str) -> Vec<Result<Game, String>> {
    Reader::new(text.as_bytes()).map(|game| game.map_err(|error| error.to_string())).collect()
}

#[test]
fn a_game_is_written_as_documented() {
    let game = played(Layout::BelgianDaisy.position(), MoveNotation::AbaPro, 3, 30);
    insta::assert_snapshot!(game.to_text().unwrap());
}

#[test]
fn a_game_from_a_position_carries_it() {
    let start = Position::parse("wwwww/wwww2/2www2/8/9/8/2bbb2/bbbbb1/bbbbb w 1 2").unwrap();
    let game = played(start, MoveNotation::Nacre, 3, 5);
    insta::assert_snapshot!(game.to_text().unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn files_are_read_back(games in prop::collection::vec((0..9usize, any::<bool>(), any::<u64>(), 0..150u32, any::<bool>()), 0..4)) {
        let games: Vec<Game> = games
            .into_iter()
            .map(|(layout, aba_pro, seed, plies, white_begins)| {
                let notation = if aba_pro { MoveNotation::AbaPro } else { MoveNotation::Nacre };
                let mut start = Layout::ALL[layout].position();
                if white_begins {
                    start = afterstate_game::Tactics::pass(&start).unwrap();
                }
                played(start, notation, seed, plies)
            })
            .collect();
        let text: String = games.iter().map(|game| game.to_text().unwrap()).collect();
        prop_assert_eq!(read_all(&text), games.into_iter().map(Ok).collect::<Vec<_>>());
        prop_assert!(text.lines().all(|line| line.len() <= 80));
    }

    #[test]
    fn no_cut_makes_a_reader_panic_or_a_game_appear(cut in 0..700usize, seed in 0..20u64) {
        let text = played(Layout::Standard.position(), MoveNotation::AbaPro, seed, 60).to_text().unwrap();
        let whole = text.trim_end().len();
        let cut = cut.min(whole - 1);
        let read = read_all(&text[..cut]);
        prop_assert!(read.iter().all(Result::is_err), "{:?}", read);
        prop_assert_eq!(read.len(), usize::from(!text[..cut].trim().is_empty()));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "(\\PC|\n|\\[Notation \"Nacre\"\\]\n|1\\. a1b2 |\\{|\\}|\\* ){0,40}") {
        let _ = read_all(&text);
    }
}

/// A file with one game: these tags beside the usual ones, and these moves.
fn file(tags: &str, moves: &str) -> String {
    format!("[Event \"e\"]\n{tags}\n\n{moves}\n")
}

const PLAIN: &str = "[Variant \"standard\"]\n[Notation \"Aba-Pro\"]";

#[test]
fn every_damaged_file_is_answered_with_where_and_why() {
    let cases = [
        (file("[Variant \"standard\"]", "1. a1b2 *"), "game 1: the tag Notation is missing"),
        (
            file("[Variant \"standard\"]\n[Notation \"PGN\"]", "1. a1b2 *"),
            "game 1: tag Notation: there is no move notation \"PGN\"; the notations are Aba-Pro and Nacre",
        ),
        (
            file("[Notation \"Nacre\"]", "*"),
            "game 1: the tags Variant and Position are missing: nobody can know how the game began",
        ),
        (file("[Variant \"custom\"]\n[Notation \"Nacre\"]", "*"), "game 1: the tag Position is missing"),
        (
            file("[Variant \"star\"]\n[Notation \"Nacre\"]", "*"),
            "game 1: there is no layout \"star\"; the layouts are Standard, Belgian Daisy, German Daisy, Swiss Daisy, \
             Dutch Daisy, Domination, Alien, Face a Face, Atomouche",
        ),
        (
            file("[Position \"wwwww/wwwww1/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b\"]\n[Notation \"Nacre\"]", "*"),
            "game 1: tag Position: white has 13 marbles on the board and has lost 0; together they must be 14, or 12 for \
             both sides",
        ),
        (
            file("[Position \"wwwww/wwwww1/2www2/8/9/8/2bbb2/bbbbbb/bbbbb-1w b\"]\n[Notation \"Nacre\"]", "*"),
            "game 1: tag Position: the marbles that black has lost are a number from 0 to 6, not \"1w\"",
        ),
        (file(PLAIN, "1. a1b2 i9h8 2. a1b2 *"), "game 1: ply 3, move \"a1b2\": the move \"a1b2\" is not legal here"),
        (
            file(PLAIN, "1. a1b2 nonsense *"),
            "game 1: ply 2, move \"nonsense\": \"nonsense\" is not a move; write the cells, as in a1b2 (inline) or c5c7d6 \
             (broadside)",
        ),
        (
            file(PLAIN, "1. a1b2 i9h8 3. b2c3 *"),
            "game 1: ply 3: the move number is \"3.\", but 2 is next; moves are missing or doubled",
        ),
        (
            file(PLAIN, "1. a1b2 i9h8"),
            "game 1: no result after ply 2: the game is cut off; a game ends with 1-0, 0-1, 1/2-1/2 or *",
        ),
        (
            file(PLAIN, ""),
            "game 1: no result after ply 0: the game is cut off; a game ends with 1-0, 0-1, 1/2-1/2 or *",
        ),
        (
            file(PLAIN, "1. a1b2 {never closed *"),
            "game 1: line 5: the comment that begins here is never closed with '}'",
        ),
        (
            file("[Result \"1-0\"]", "*").replace("[Result", &format!("{PLAIN}\n[Result")),
            "game 1: the result is 1-0 in the header and * after the moves",
        ),
        (
            file("[Result \"black\"]", "*").replace("[Result", &format!("{PLAIN}\n[Result")),
            "game 1: the result is \"black\"; it must be 1-0, 0-1, 1/2-1/2 or *",
        ),
        ("[Event e]\n\n*\n".to_owned(), "game 1: line 1: \"[Event e]\" is not a tag; write [Name \"value\"]"),
        ("[Event \"e\n".to_owned(), "game 1: line 1: \"[Event \\\"e\" is not a tag; write [Name \"value\"]"),
    ];
    for (text, expected) in cases {
        let read = read_all(&text);
        assert_eq!(read.len(), 1, "{text}");
        assert_eq!(read[0].as_ref().unwrap_err(), expected, "{text}");
    }
}

#[test]
fn a_result_that_the_board_contradicts_is_refused() {
    let start = "[Position \"wwwww/www3/7/8/6bbw/8/7/bb4/bbbbb-5b5w b\"]\n[Notation \"Aba-Pro\"]";
    assert_eq!(read_all(&file(start, "1. e7e8 1-0"))[0].as_ref().unwrap().outcome, Some(Outcome::Won(Side::First)));
    for result in ["0-1", "1/2-1/2", "*"] {
        let expected = format!("game 1: the result is {result}, but on the board black has won");
        assert_eq!(read_all(&file(start, &format!("1. e7e8 {result}"))), [Err(expected)]);
    }
    let after_the_end = read_all(&file(start, "1. e7e8 a1b1 1-0"));
    assert_eq!(after_the_end, [Err("game 1: ply 2, move \"a1b1\": the move \"a1b1\" is not legal here".to_owned())]);
}

#[test]
fn the_games_around_a_bad_one_are_not_lost() {
    let good = file(PLAIN, "1. a1b2 i9h8 *");
    let bad = [
        file(PLAIN, "1. a1b2 a1b2 *"),
        file(PLAIN, "1. a1b2 i9h8"),
        file("[Variant \"standard\"]", "*"),
        file("[Variant \"standard]", "1. a1b2 *"),
    ];
    for bad in bad {
        let read = read_all(&format!("{good}\n{bad}\n{good}"));
        assert_eq!(read.len(), 3, "{bad}");
        assert!(read[0].is_ok() && read[2].is_ok(), "{bad}");
        assert!(read[1].as_ref().unwrap_err().starts_with("game 2: "), "{bad}");
    }
}

#[test]
fn a_source_that_fails_is_an_error_and_the_end() {
    let mut reader = Reader::new(&b"[Event \"\xff\xfe\"]\n\n*\n"[..]);
    let error = reader.next().unwrap().unwrap_err().to_string();
    assert_eq!(error, "game 1: cannot be read: stream did not contain valid UTF-8");
    assert!(reader.next().is_none());
}

#[test]
fn comments_and_loose_spacing_are_read() {
    let text = "\u{feff}[Notation  \"nacre\" ]\n[variant \"Belgian Daisy\"]\n\n1.a1d4 {a comment\n[over \"lines\"]} i5f5 ; the rest\n2. \
                d4e5\n1/2-1/2";
    let read = read_all(text);
    assert_eq!(read.len(), 1);
    let game = read[0].as_ref().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.start, Layout::BelgianDaisy.position());
    assert_eq!((game.moves.len(), game.outcome), (3, Some(Outcome::Drawn)));
}

#[test]
fn a_game_that_cannot_be_replayed_is_not_written() {
    let mut game = played(Layout::Standard.position(), MoveNotation::AbaPro, 1, 4);
    game.moves[2] = game.moves[1];
    let error = game.to_text().unwrap_err().to_string();
    assert!(error.starts_with("ply 3: the move ") && error.ends_with("a game that cannot be replayed is not written"));
}
