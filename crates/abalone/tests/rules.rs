//! The rules, against the laws that every game obeys and the known counts of lines.

use afterstate_abalone::{Layout, Position, perft, perft_plain};
use afterstate_game::conformance;

fn starts() -> Vec<Position> {
    Layout::ALL.map(Layout::position).to_vec()
}

#[test]
fn the_rules_conform() {
    assert!(conformance::check_rules(&starts(), 4, 120).unwrap() > 3000);
}

#[test]
fn the_notation_conforms() {
    assert!(conformance::check_notation(&starts(), 2, 60).unwrap() > 1000);
}

#[test]
fn the_symmetries_conform() {
    assert!(conformance::check_symmetry(&starts(), 1, 60).unwrap() > 500);
}

#[test]
fn the_tactics_conform() {
    assert!(conformance::check_tactics(&starts(), 4, 120).unwrap() > 3000);
}

#[test]
fn lines_from_the_layouts_are_as_many_as_known() {
    let counts: [(Layout, &[u64]); 5] = [
        (Layout::Standard, &[44, 1936, 98912, 5045110]),
        (Layout::BelgianDaisy, &[52, 2692, 149322, 8270666]),
        (Layout::GermanDaisy, &[80, 6244, 493480, 38240570]),
        (Layout::SwissDaisy, &[64, 4066, 254170, 15826362]),
        (Layout::DutchDaisy, &[44, 1946, 87324, 3958134]),
    ];
    for (layout, counts) in counts {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&layout.position(), depth), count, "{layout}, depth {depth}");
            if depth < 4 {
                assert_eq!(perft_plain(&layout.position(), depth), count, "{layout}, depth {depth}");
            }
        }
    }
}
