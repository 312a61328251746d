//! With its settings, the search is every variant of the seeds: the same values to the last bit.

use afterstate_game::{Evaluation, Position};
use afterstate_search::expectimax::{Chance, Dead, Depth, DepthUnit, Horizon, Leaves, Settings};

use crate::boards::{self, Corner};
use crate::reference::{dietenberger, jordal, maqsood, xiao, zhaw};
use crate::walk::{Walk, Whim};
use crate::{decide, values_of};

/// Checks one variant in every depth, on all roots, with leaves judged together and one by one.
fn check<P: Position, E: Evaluation<P> + Copy>(
    settings: &Settings<P>,
    depths: std::ops::RangeInclusive<u32>,
    roots: &[P],
    evaluation: E,
    reference: impl Fn(&E, &P, u32) -> Vec<(P::Move, f32)>,
) {
    assert!(roots.len() >= 10);
    for depth in depths {
        for root in roots {
            for leaves in [Leaves::Together, Leaves::OneByOne] {
                let settings = Settings { depth: Depth::Fixed(depth), leaves, ..settings.clone() };
                let values = values_of(&decide(settings, evaluation, root), root);
                assert_eq!(values, reference(&evaluation, root, depth), "depth {depth}, {leaves:?}, {root:?}");
            }
        }
    }
}

/// Checks one variant on the walk (with and without fixed candidates, with and without rewards) and on 2048.
macro_rules! same_as {
    ($reference:path, $settings:ident, walk $walk:expr, boards $boards:expr) => {{
        let walks: Vec<_> = Walk::<0>::all_alive().collect();
        check(&$settings(), $walk, &walks, Whim::<false>, $reference);
        check(&$settings(), $walk, &walks, Whim::<true>, $reference);
        let walks: Vec<_> = Walk::<3>::all_alive().collect();
        check(&$settings(), $walk, &walks, Whim::<false>, $reference);
        check(&$settings(), $walk, &walks, Whim::<true>, $reference);
        check(&$settings(), $boards, &boards::of_a_random_game(7, 10), Corner, $reference);
    }};
}

fn maqsood_settings<P: Position>() -> Settings<P> {
    Settings { unit: DepthUnit::HalfMovesAfterMove, dead: Dead::Value(-10_000.0), ..Settings::default() }
}

#[test]
fn maqsood_is_the_search_with_free_root_and_punished_death() {
    same_as!(maqsood::root, maqsood_settings, walk 1..=6, boards 1..=3);
}

fn zhaw_settings<P: Position>() -> Settings<P> {
    Settings { unit: DepthUnit::HalfMoves, dead: Dead::Floor(0.0), horizon: Horizon::Evaluates, ..Settings::default() }
}

#[test]
fn zhaw_is_the_search_in_half_moves_with_a_floor() {
    same_as!(zhaw::root, zhaw_settings, walk 1..=6, boards 1..=4);
}

fn dietenberger_settings<P: Position>() -> Settings<P> {
    Settings { unit: DepthUnit::HalfMoves, dead: Dead::Evaluated, ..Settings::default() }
}

#[test]
fn dietenberger_is_the_search_in_half_moves_that_evaluates_death() {
    same_as!(dietenberger::root, dietenberger_settings, walk 1..=6, boards 1..=4);
}

fn jordal_settings<P: Position>() -> Settings<P> {
    Settings {
        unit: DepthUnit::Levels,
        chance: Chance::Likeliest(16),
        horizon: Horizon::Evaluates,
        ..Settings::default()
    }
}

#[test]
fn jordal_is_the_search_in_levels_over_the_likeliest_answers() {
    same_as!(jordal::root, jordal_settings, walk 1..=4, boards 1..=2);
}

fn xiao_settings<P: Position>() -> Settings<P> {
    Settings { unit: DepthUnit::MovesAhead, dead: Dead::Floor(0.0), cutoff: xiao::CUTOFF, ..Settings::default() }
}

#[test]
fn xiao_is_the_search_in_moves_that_cuts_unlikely_branches() {
    same_as!(xiao::root, xiao_settings, walk 1..=5, boards 1..=2);
}
