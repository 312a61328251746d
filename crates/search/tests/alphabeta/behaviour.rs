//! What the search does, node for node: perft through its own moves, and a signature that tells a change of behaviour
//! from a change of code.

use std::fmt::Write as _;

use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{History, Limits, Notation as _, Player as _};
use afterstate_search::alphabeta::{AlphaBeta, Ordering, Quiescence, Settings};

use crate::Simple;

/// Positions to measure: two layouts and two positions from the middle of games.
fn positions() -> [(&'static str, Abalone); 4] {
    let read = |text| Abalone::parse(text).expect("the text is a position");
    [
        ("standard", Layout::Standard.position()),
        ("belgian daisy", Layout::BelgianDaisy.position()),
        ("middle 1", read("5/1wbwww/1wbwww1/1wwbww2/4ww3/2bbbb2/2bbbb1/2bbb1/5 b 0 0")),
        ("middle 2", read("1w3/wwwwb1/1wbbb2/1bwbbw2/2bbbwww1/2bwww2/3bb2/3b2/5 b 0 0")),
    ]
}

#[test]
fn perft_through_the_search_counts_what_the_rules_count() {
    // Counts of the issue, which two independent engines confirm.
    let expected = [
        (Layout::Standard, [44, 1936, 98_912]),
        (Layout::BelgianDaisy, [52, 2692, 149_322]),
        (Layout::GermanDaisy, [80, 6244, 493_480]),
        (Layout::SwissDaisy, [64, 4066, 254_170]),
        (Layout::DutchDaisy, [44, 1946, 87_324]),
    ];
    for settings in [Settings::plain(), Settings::classic(), Settings::modern()] {
        let mut player = AlphaBeta::new(settings, Simple).unwrap();
        for (layout, counts) in expected {
            let history = History::new(layout.position());
            // A search first, so that there are remembered moves, killers and history to disturb the order.
            player.decide_within(&history, Limits { depth: Some(4), ..Limits::NONE }).unwrap();
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(player.count_leaves(&history, depth), count, "{layout:?} at depth {depth}");
            }
        }
    }
}

#[test]
fn perft_of_standard_to_depth_four() {
    let mut player = AlphaBeta::new(Settings::modern(), Simple).unwrap();
    assert_eq!(player.count_leaves(&History::new(Layout::Standard.position()), 4), 5_045_110);
}

/// The techniques one after the other, as they were added.
fn stages() -> [(&'static str, Settings); 8] {
    let none = Ordering::default();
    let deepening = Settings { iterative_deepening: true, ..Settings::plain() };
    let table = Settings { table: Settings::classic().table, ..deepening.clone() };
    let ordered = |ordering| Settings { ordering, ..table.clone() };
    let by_class = Ordering { classes: true, ..none };
    let evaluated = Ordering { evaluated_levels: 3, ..by_class };
    let killers = Ordering { killers: true, ..evaluated };
    [
        ("deepening", deepening),
        ("+ table", table.clone()),
        ("+ classes", ordered(by_class)),
        ("+ evaluation", ordered(evaluated)),
        ("+ killers", ordered(killers)),
        ("classic", Settings::classic()),
        ("+ quiescence", Settings { quiescence: Quiescence::Always, ..Settings::classic() }),
        ("modern", Settings::modern()),
    ]
}

#[test]
fn the_search_does_what_it_did() {
    let mut signature = String::new();
    for (name, settings) in stages() {
        let mut player = AlphaBeta::new(settings, Simple).unwrap();
        for (place, position) in positions() {
            let decision =
                player.decide_within(&History::new(position), Limits { depth: Some(4), ..Limits::NONE }).unwrap();
            let value = decision.moves[0].value.unwrap();
            let nodes = decision.effort.nodes;
            writeln!(signature, "{name:13} {place:14} {:>9} {value:>8} {nodes:>8} nodes", decision.best.to_string())
                .unwrap();
        }
    }
    insta::assert_snapshot!(signature);
}
