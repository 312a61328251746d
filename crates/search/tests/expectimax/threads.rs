//! Threads never change a decision.

use afterstate_game::{Decision, Evaluation, Limits};
use afterstate_search::expectimax::{Chance, Depth, Keys, Reuse, Settings, Sharing, TableSettings};
use afterstate_twenty48::{Direction, Slid, State};

use crate::boards::{self, Corner, Sum};
use crate::decide;

/// Everything of a decision that must not depend on threads. The time always does; the effort does only where threads
/// share an exact table.
fn decided<E: Evaluation<State>>(
    settings: &Settings<State>,
    evaluation: E,
    root: &State,
    threads: u32,
) -> Decision<Direction> {
    let decision = decide(Settings { threads, ..settings.clone() }, evaluation, root);
    let shares_exactly = settings.table.as_ref().is_some_and(|table| {
        table.sharing == Sharing::AllMoves && table.reuse == Reuse::Exact && settings.cutoff == 0.0
    });
    let effort = if shares_exactly && settings.limits.nodes.is_none() { Default::default() } else { decision.effort };
    Decision { time: Default::default(), effort, ..decision }
}

fn check(settings: &Settings<State>) {
    check_with(settings, Corner);
}

fn check_with<E: Evaluation<State> + Copy>(settings: &Settings<State>, evaluation: E) {
    for root in boards::of_a_random_game(21, 30) {
        let alone = decided(settings, evaluation, &root, 1);
        for threads in [2, 3, 64] {
            assert_eq!(decided(settings, evaluation, &root, threads), alone, "{threads} threads, {settings:?}");
        }
    }
}

#[test]
fn threads_change_nothing_under_any_rule_of_the_table() {
    for reuse in [Reuse::Exact, Reuse::Sound, Reuse::Shallower] {
        for sharing in [Sharing::AllMoves, Sharing::PerMove] {
            for cutoff in [0.0, 0.001] {
                // A table that overflows, so that the order of storing would show.
                let table = TableSettings { reuse, sharing, bytes: 1 << 16, ..TableSettings::default() };
                check(&Settings { table: Some(table), cutoff, ..Settings::default() });
            }
        }
    }
}

#[test]
fn threads_change_nothing_under_a_node_limit() {
    for table in [None, Some(TableSettings::default())] {
        let limits = Limits { nodes: Some(20_000), ..Limits::NONE };
        check(&Settings { table, limits, depth: Depth::Fixed(20), ..Settings::default() });
    }
}

#[test]
fn threads_change_nothing_about_samples() {
    check(&Settings { chance: Chance::Sampled(4), depth: Depth::Fixed(5), ..Settings::default() });
}

#[test]
fn threads_change_nothing_where_symmetric_nodes_share_a_value() {
    let keys = Keys::Canonical {
        afterstate: |slid: &Slid| slid.0.canonical().key(),
        position: |state: &State| state.0.canonical().key(),
    };
    for chance in [Chance::Full, Chance::Sampled(4)] {
        let table = TableSettings { keys: keys.clone(), ..TableSettings::default() };
        check_with(&Settings { table: Some(table), chance, depth: Depth::Fixed(4), ..Settings::default() }, Sum);
    }
}
