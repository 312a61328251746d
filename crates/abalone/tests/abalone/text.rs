//! Positions, moves and layouts as text: what is read, what is written, and what every mistake is answered with.

use afterstate_abalone::text::{MoveNotation, abapro, board, nacre, posref, rows};
use afterstate_abalone::{Cell, Layout, Manner, Move, Position};
use afterstate_game::{Notation, Position as _, Side};
use proptest::prelude::*;

use crate::common::reachable;

const STANDARD: &str = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0";

#[test]
fn the_standard_layout_is_written_as_documented() {
    assert_eq!(Layout::Standard.position().to_text(), STANDARD);
    assert_eq!(Position::parse(STANDARD).unwrap(), Layout::Standard.position());
    let loose = "WWWWW/wwwwww/11www2/53/9/8/2bbb2/bbbbbb/bbbbb   B 0 0 ";
    assert_eq!(Position::parse(loose).unwrap(), Layout::Standard.position());
}

#[test]
fn every_mistake_in_a_position_is_named() {
    let cases = [
        ("", "a position is rows, side to move, black marbles lost, white marbles lost; 0 parts found, 4 needed"),
        (
            "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0",
            "a position is rows, side to move, black marbles lost, white marbles lost; 3 parts found, 4 needed",
        ),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb b 0 0", "a position has 9 rows, I to A, separated by '/'; 8 found"),
        ("wwwww/wwwwww/2www2/8/9/9/2bbb2/bbbbbb/bbbbb b 0 0", "row D has 8 cells; \"9\" describes 9"),
        ("wwwww/wwwwww/2www2/8/9/7/2bbb2/bbbbbb/bbbbb b 0 0", "row D has 8 cells; \"7\" describes 7"),
        ("wwwww/wwwwww/2www2/8/9//2bbb2/bbbbbb/bbbbb b 0 0", "row D has 8 cells; \"\" describes 0"),
        (
            "wwwww/wwwwww/2wxw2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0",
            "row G: 'x' is neither a marble ('b', 'w') nor a number of empty cells (1 to 9)",
        ),
        (
            "wwwww/wwwwww/2ww02/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0",
            "row G: '0' is neither a marble ('b', 'w') nor a number of empty cells (1 to 9)",
        ),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb x 0 0", "the side to move is 'b' or 'w', not \"x\""),
        (
            "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 7 0",
            "the marbles that black has lost are a number from 0 to 6, not \"7\"",
        ),
        (
            "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 -1",
            "the marbles that white has lost are a number from 0 to 6, not \"-1\"",
        ),
        (
            "wwwww/wwwwww/2www2/8/9/8/2bb3/bbbbbb/bbbbb b 0 0",
            "black has 13 marbles on the board and has lost 0; together they must be 14, or 12 for both sides",
        ),
        (
            "wwwww/wwwwww/2www2/8/9/8/2bbbb1/bbbbbb/bbbbb b 0 0",
            "black has 15 marbles on the board and has lost 0; together they must be 14, or 12 for both sides",
        ),
        (
            "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 1",
            "white has 14 marbles on the board and has lost 1; together they must be 14, or 12 for both sides",
        ),
        ("wwwww/www3/7/8/9/8/7/bbb3/bbbbb b 6 6", "both sides have lost 6 marbles; only one side can lose"),
    ];
    for (text, expected) in cases {
        assert_eq!(Position::parse(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn a_layout_has_all_its_marbles() {
    let check = |text: &str| rows::read(text).unwrap().layout().map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(check(STANDARD), Ok(()));
    assert_eq!(
        check("wwwww/wwwwww/2www2/8/9/8/2bb3/bbbbbb/bbbbb b 1 0"),
        Err("a layout has 14 marbles of each colour (or 12 of each), but black has 13".to_owned())
    );
    assert!(check("wwwww/wwwwww/2www2/8/9/8/2bb3/bbbbbb/bbbbb b 0 0").is_err());
}

#[test]
fn layouts_are_known_by_name_in_any_spelling() {
    for layout in Layout::ALL {
        assert_eq!(posref::write(&layout.position()), layout.posref());
        let name = layout.name();
        for spelling in
            [name.to_owned(), name.to_lowercase(), name.to_uppercase(), name.to_lowercase().replace(' ', "-")]
        {
            assert_eq!(spelling.parse::<Layout>(), Ok(layout));
        }
    }
    assert_eq!("belgian".parse(), Ok(Layout::BelgianDaisy));
    assert_eq!("german_daisy".parse(), Ok(Layout::GermanDaisy));
    assert_eq!("Face à face".parse(), Ok(Layout::FaceAFace));
    for name in ["", "daisy", "Belgium", "standart"] {
        let error = name.parse::<Layout>().unwrap_err().to_string();
        let expected = format!(
            "there is no layout {name:?}; the layouts are Standard, Belgian Daisy, German Daisy, Swiss Daisy, Dutch Daisy, \
             Domination, Alien, Face a Face, Atomouche"
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn every_mistake_in_a_posref_is_named() {
    let cases = [
        ("0a12345", "'_' between black and white is missing"),
        ("a1_0i5", "\"a1\" does not begin with the number of marbles lost"),
        ("0a1_", "\"\" does not begin with the number of marbles lost"),
        ("01_0i5", "\"01\" has columns before the first row"),
        ("0a6_0i5", "the board has no cell a6"),
        ("0a0_0i5", "the board has no cell a0"),
        ("0j5_0i5", "the board has no cell j5"),
        ("0é5_0i5", "the board has no cell é5"),
        ("0a11_0i5", "a1 is named twice"),
    ];
    for (text, reason) in cases {
        let error = posref::read(text, Side::First).unwrap_err().to_string();
        let expected = format!("{text:?} is no posRef ({reason}); an example is 0a12345b123456c345_0g567h456789i56789");
        assert_eq!(error, expected);
    }
    let overlap = posref::read("0a12345b123456c345_0a1g567h456789i5678", Side::First).unwrap();
    assert_eq!(overlap.position().unwrap_err().to_string(), "a1 has a black and a white marble; a cell holds one");
    let lost = posref::read("9a12345_0g567h456789i56789", Side::First).unwrap();
    assert_eq!(lost.position().unwrap_err().to_string(), "black has lost 9 marbles; a game ends when 6 are lost");
}

#[test]
fn moves_are_written_and_read_in_both_notations() {
    let standard = Layout::Standard.position();
    let cases = [
        // One of two marbles, two, three, and three sideways.
        ("b1c1", "b1c1"),
        ("b1c2", "b1c2"),
        ("a1b1", "a1c1"),
        ("a1b2", "a1d4"),
        ("c3c5d4", "c3d6"),
        ("c5c3d5", "c5d3"),
    ];
    for (aba_pro, nacre_text) in cases {
        let mv = abapro::read(&standard, aba_pro).unwrap();
        assert_eq!(mv.to_string(), abapro::write(mv));
        assert_eq!(nacre::write(mv), nacre_text);
        assert_eq!(nacre::read(&standard, nacre_text), Ok(mv));
        assert_eq!(standard.parse_move(&aba_pro.to_uppercase()), Ok(mv));
        assert_eq!(standard.parse_move(nacre_text), Ok(mv));
    }
    // Either end of a sideways line may come first.
    assert_eq!(standard.parse_move("c5c3d6"), standard.parse_move("c3c5d4"));
}

#[test]
fn every_mistake_in_a_move_is_named() {
    let standard = Layout::Standard.position();
    let not_a_move =
        |text: &str| format!("{text:?} is not a move; write the cells, as in a1b2 (inline) or c5c7d6 (broadside)");
    for text in ["", "a", "a1", "a1b", "a1b2c", "z1z2", "a6b6", "a1b2c3d4", "aé", "1a2b", "a1 b2", "e5e5e5e5"] {
        assert_eq!(standard.parse_move(text).unwrap_err().to_string(), not_a_move(text));
    }
    for text in ["i9h8", "a1a2", "a1a1", "e5e6", "c3c5c4", "a1a3b1", "c3c5d6", "a1c3"] {
        let expected = format!("the move {text:?} is not legal here");
        assert_eq!(standard.parse_move(text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn notations_are_known_by_name() {
    for notation in MoveNotation::ALL {
        assert_eq!(notation.to_string().parse(), Ok(notation));
        assert_eq!(notation.to_string().to_lowercase().parse(), Ok(notation));
    }
    let error = "PGN".parse::<MoveNotation>().unwrap_err().to_string();
    assert_eq!(error, "there is no move notation \"PGN\"; the notations are Aba-Pro and Nacre");
}

#[test]
fn the_board_is_drawn_as_a_hexagon() {
    insta::assert_snapshot!(board::render(&Layout::Alien.position()), @r"
        I  b . b . b
       H  . b w w b .
      G  . b w b w b .
     F  . . . b b . . .
    E  . . . . . . . . .
     D  . . . w w . . . 9
      C  . w b w b w . 8
       B  . w b b w . 7
        A  w . w . w 6
            1 2 3 4 5
    black to move; lost: black 0, white 0
    ");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_two_legal_moves_are_written_alike(position in reachable()) {
        for notation in MoveNotation::ALL {
            for mv in position.moves() {
                prop_assert_eq!(notation.read(&position, &notation.write(mv)), Ok(mv));
            }
        }
    }

    /// Why Nacre has a first end: from the other one a sideways move reads as another that is legal too.
    #[test]
    fn a_sideways_move_in_nacre_has_one_first_end(position in reachable()) {
        for mv in position.moves().into_iter().filter(|mv| mv.manner() == Manner::Broadside) {
            let (a, b) = mv.ends();
            let to = |cell: Cell| cell.neighbour(mv.direction()).unwrap();
            let both = [format!("{a}{}", to(b)), format!("{b}{}", to(a))];
            let read: Vec<Move> = both.iter().map(|text| nacre::read(&position, text).unwrap()).collect();
            prop_assert_eq!(read.iter().filter(|read| **read == mv).count(), 1);
        }
    }

    #[test]
    fn a_posref_is_read_back(position in reachable()) {
        let read = posref::read(&posref::write(&position), position.side_to_move()).unwrap();
        prop_assert_eq!(read.position(), Ok(position));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in ".{0,80}") {
        let standard = Layout::Standard.position();
        let _ = Position::parse(&text);
        let _ = posref::read(&text, Side::Second).map(|setup| setup.position());
        let _ = standard.parse_move(&text);
        let _ = nacre::read(&standard, &text);
    }
}
