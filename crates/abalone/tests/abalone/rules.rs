//! The rules: the laws that every game obeys, the known counts of lines, and the cases others got wrong.

use crate::common::{lively_game, starts};
use afterstate_abalone::{Layout, Manner, Move, Position, perft, perft_plain};
use afterstate_game::{Dice, Notation, Outcome, Position as _, Side, Tactics, conformance};

/// Positions of lively games beside the layouts, so that the harness sees pushes, ejections and ends of games.
fn many_starts() -> Vec<Position> {
    let games = starts().into_iter().zip(0..).flat_map(|(start, seed)| lively_game(start, seed, 250));
    games.step_by(10).collect()
}

#[test]
fn the_rules_conform() {
    assert!(conformance::check_rules(&many_starts(), 2, 60).unwrap() > 3000);
}

#[test]
fn the_notation_conforms() {
    assert!(conformance::check_notation(&many_starts(), 1, 20).unwrap() > 600);
}

#[test]
fn the_symmetries_conform() {
    assert!(conformance::check_symmetry(&many_starts(), 1, 12).unwrap() > 400);
}

#[test]
fn the_tactics_conform() {
    assert!(conformance::check_tactics(&many_starts(), 2, 60).unwrap() > 3000);
}

/// The lines `layout: count count ...` of a data file.
fn known_counts() -> Vec<(Layout, Vec<u64>)> {
    let lines = include_str!("data/perft.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, counts) = line.split_once(':').unwrap();
            (name.parse().unwrap(), counts.split_whitespace().map(|count| count.parse().unwrap()).collect())
        })
        .collect()
}

#[test]
fn lines_from_the_layouts_are_as_many_as_known() {
    let known = known_counts();
    assert_eq!(known.len(), 5);
    for (layout, counts) in known {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&layout.position(), depth), count, "{layout}, depth {depth}");
        }
    }
}

#[test]
fn playing_every_line_gives_the_same_counts() {
    for (layout, counts) in known_counts() {
        for (depth, count) in (1..=4).zip(counts) {
            assert_eq!(perft_plain(&layout.position(), depth), count, "{layout}, depth {depth}");
        }
    }
}

fn position(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A position with this row E and black to move; the rest of nine marbles each stands far away, and five are lost.
fn scene(row: &str) -> Position {
    let far = |letter: &str| {
        let rest = 9 - row.matches(letter).count();
        let line = |count: usize, length: usize| {
            let empty = length - count;
            letter.repeat(count) + &if empty > 0 { empty.to_string() } else { String::new() }
        };
        (line(rest.min(5), 5), line(rest - rest.min(5), 6))
    };
    let ((a, b), (i, h)) = (far("b"), far("w"));
    position(&format!("{i}/{h}/7/8/{row}/8/7/{b}/{a} b 5 5"))
}

/// Row E and the white marbles lost after a move in [`scene`], or `None` where the move is not legal.
fn after(row: &str, mv: &str) -> Option<(String, u8)> {
    let position = scene(row);
    let mv = position.parse_move(mv).ok()?;
    let next = position.play(mv).unwrap().afterstate.0;
    Some((next.to_text().split('/').nth(4).unwrap().to_owned(), next.lost(Side::Second)))
}

/// One engine looked one cell too far: it refused to push one marble with three when something stood behind the free
/// cell that the marble goes to.
#[test]
fn three_push_one_whatever_stands_behind_the_free_cell() {
    assert_eq!(after("bbbw1w3", "e1e2"), Some(("1bbbww3".to_owned(), 5)));
    assert_eq!(after("bbbw1b3", "e1e2"), Some(("1bbbwb3".to_owned(), 5)));
}

/// Another engine generated every push of two marbles by three twice.
#[test]
fn three_push_two_once() {
    let position = scene("bbbww4");
    let pushes = |mv: &Move| mv.count() == 3 && mv.pushed() == 2;
    assert_eq!(position.moves().iter().filter(|mv| pushes(mv)).count(), 1);
    let mut next: Vec<String> = Vec::new();
    position.for_each_move(|mv| next.push(position.play_unchecked(mv).afterstate.0.to_text()));
    let moves = next.len();
    next.sort_unstable();
    next.dedup();
    assert_eq!(next.len(), moves, "two moves lead to the same position");
}

#[test]
fn sumito_needs_more_marbles_and_room_behind() {
    let cases = [
        ("b8", Some("1b7")),
        ("bb7", Some("1bb6")),
        ("bbb6", Some("1bbb5")),
        // Four in a row are too many to move.
        ("bbbb5", None),
        ("bbbbw4", None),
        ("bw7", None),
        ("bbw6", Some("1bbw5")),
        ("bbww5", None),
        ("bbbw5", Some("1bbbw4")),
        ("bbbww4", Some("1bbbww3")),
        ("bbbwww3", None),
        // An own marble directly behind blocks, a free cell in between is enough.
        ("bbwb5", None),
        ("bbbwb4", None),
        ("bbbwwb3", None),
        ("bbw1b4", Some("1bbwb4")),
        ("bbbww1w2", Some("1bbbwww2")),
    ];
    for (row, expected) in cases {
        assert_eq!(after(row, "e1e2"), expected.map(|row| (row.to_owned(), 5)), "{row}");
    }
}

#[test]
fn marbles_are_pushed_off_the_board_but_never_own_ones() {
    let cases = [
        ("8b", "e9e8", Some(("7b1", 5))),
        ("7bb", "e8e9", None),
        ("6bbw", "e7e8", Some(("7bb", 6))),
        ("5bbbw", "e6e7", Some(("6bbb", 6))),
        ("4bbbww", "e5e6", Some(("5bbbw", 6))),
        ("5bbww", "e6e7", None),
        ("7bw", "e8e9", None),
        ("5bbwb", "e6e7", None),
    ];
    for (row, mv, expected) in cases {
        assert_eq!(after(row, mv), expected.map(|(row, lost)| (row.to_owned(), lost)), "{row}");
    }
}

#[test]
fn a_single_marble_is_neither_inline_nor_broadside() {
    let position = scene("4b4");
    let moves: Vec<Move> = position.moves().into_iter().filter(|mv| mv.ends().0.to_string() == "e5").collect();
    assert_eq!(moves.len(), 6);
    assert!(moves.iter().all(|mv| mv.manner() == Manner::Single && mv.count() == 1 && mv.class() == 8));
}

#[test]
fn the_sixth_marble_decides() {
    let position = scene("6bbw");
    assert_eq!((position.outcome(), position.leader()), (None, None));
    let mut loud = Vec::new();
    position.for_each_loud_move(|mv| loud.push(mv));
    assert_eq!(loud, [position.parse_move("e7e8").unwrap()]);
    assert!(position.is_irreversible(loud[0]));
    let won = position.play(loud[0]).unwrap().afterstate.0;
    assert_eq!(won.outcome(), Some(Outcome::Won(Side::First)));
    assert_eq!(won.leader(), Some(Side::First));
    assert!(won.moves().is_empty() && won.play(loud[0]).is_err());
}

#[test]
fn a_side_shut_in_along_the_edge_draws() {
    let position = position("bbbbb/wwwwbb/4wwb/4w1wb/7wb/7w/7/6/5 b 4 4");
    assert_eq!(position.moves(), []);
    assert_eq!(position.outcome(), Some(Outcome::Drawn));
    assert_eq!(position.random_move(&mut Dice::seeded(1)), None);
    assert_eq!(position.pass().unwrap().outcome(), None);
}

/// A search may draw random moves by its own means; they must be those that the common rule would draw.
#[test]
fn random_moves_are_drawn_in_the_order_of_generation() {
    for (seed, position) in (0..).zip(many_starts()) {
        let count = position.count_moves() as u32;
        let expected = (count > 0).then(|| position.moves()[Dice::seeded(seed).below(count) as usize]);
        assert_eq!(position.random_move(&mut Dice::seeded(seed)), expected);
    }
}

#[test]
fn moves_come_in_the_order_of_their_classes() {
    for position in many_starts() {
        assert!(position.moves().is_sorted_by_key(|mv| mv.class()), "{}", position.to_text());
        let mut loud = Vec::new();
        position.for_each_loud_move(|mv| loud.push(mv));
        let ejections: Vec<Move> = position.moves().into_iter().filter(|mv| mv.ejects()).collect();
        assert_eq!(loud, ejections, "{}", position.to_text());
    }
}
