//! The players of the seeds in whole games of 2048: what the table may and may not change, and what it saves.

use afterstate_game::{Afterstate as _, Dice, Effort, Evaluation, Player as _, Position as _};
use afterstate_search::expectimax::{Depth, Expectimax, Leaves, Reuse, Settings};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::{Dietenberger, Maqsood, Tabled};

use crate::{decide, presets};

/// All positions of a game that the player plays, with what it takes.
fn play<E: Evaluation<State>>(settings: Settings<State>, evaluation: E, seed: u64) -> (Vec<State>, Effort) {
    let mut player = Expectimax::new(settings, evaluation).expect("the settings make sense");
    player.start_game(seed);
    let mut dice = Dice::seeded(seed);
    let mut position = State::start(&mut dice);
    let (mut game, mut effort) = (vec![position], Effort::default());
    while let Ok(decision) = player.decide_position(&position) {
        effort += decision.effort;
        position = position.play_unchecked(decision.best).afterstate.draw(&mut dice);
        game.push(position);
    }
    (game, effort)
}

fn maqsood() -> Tabled<Maqsood> {
    Tabled::default()
}

#[test]
fn an_exact_table_changes_no_move_of_whole_games() {
    for (depth, seeds) in [(2, 0..3), (3, 3..5), (4, 5..8)] {
        for seed in seeds {
            let (with, saved) = play(presets::maqsood(depth, Some(Reuse::Exact)), maqsood(), seed);
            let (without, _) = play(presets::maqsood(depth, None), maqsood(), seed);
            assert!(with == without, "depth {depth}, seed {seed}");
            assert!(with.len() > 200 && (saved.table_hits > 0 || depth == 2));
        }
    }
}

#[test]
fn an_exact_table_changes_no_move_at_large_depths() {
    let (game, _) = play(presets::maqsood(2, None), maqsood(), 9);
    for (depth, step) in [(5, 40), (6, 90)] {
        let roots: Vec<_> = game.iter().filter(|state| state.outcome().is_none()).step_by(step).collect();
        assert!(roots.len() >= 5);
        for root in roots {
            let with = decide(presets::maqsood(depth, Some(Reuse::Exact)), maqsood(), root);
            let without = decide(presets::maqsood(depth, None), maqsood(), root);
            assert_eq!((&with.moves, &with.line[..1]), (&without.moves, &without.line[..1]), "depth {depth}, {root:?}");
        }
    }
}

#[test]
fn a_table_saves_nine_of_ten_calls_at_depth_six() {
    let (game, _) = play(presets::maqsood(2, None), maqsood(), 10);
    let calls = |reuse| {
        let settings = Settings { leaves: Leaves::OneByOne, ..presets::maqsood(6, reuse) };
        let mut player = Expectimax::new(settings, maqsood()).unwrap();
        let roots = game.iter().filter(|state| state.outcome().is_none()).step_by(60);
        roots.map(|root| player.decide_position(root).unwrap().effort.nodes).sum::<u64>()
    };
    let without = calls(None);
    for reuse in [Reuse::Exact, Reuse::Sound, Reuse::Shallower] {
        let with = calls(Some(reuse));
        assert!(10 * with <= without, "{reuse:?}: {with} of {without} calls");
    }
}

#[test]
fn a_seed_fixes_a_sampled_game_and_another_seed_changes_it() {
    let play = |seed| {
        let evaluation = Tabled::new(Dietenberger::default());
        let mut player = Expectimax::new(presets::dietenberger(4), evaluation).unwrap();
        player.start_game(seed);
        // The same spawns for all seeds, so that only the player's own choices differ.
        let mut dice = Dice::seeded(1);
        let mut position = State::start(&mut dice);
        for _ in 0..100 {
            let Ok(decision) = player.decide_position(&position) else { break };
            position = position.play_unchecked(decision.best).afterstate.draw(&mut dice);
        }
        position
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3), play(4));
}

#[test]
fn judging_leaves_together_or_one_by_one_plays_the_same_game() {
    let one_by_one = |settings: Settings<State>| Settings { leaves: Leaves::OneByOne, ..settings };
    let exact = || presets::maqsood(4, Some(Reuse::Exact));
    assert!(play(exact(), maqsood(), 30).0 == play(one_by_one(exact()), maqsood(), 30).0);
    // Cut off at a small depth, where whole games take a second.
    let xiao = || Settings { depth: Depth::Fixed(2), ..presets::xiao() };
    let evaluation = Tabled::<afterstate_twenty48::eval::Xiao>::default;
    assert!(play(xiao(), evaluation(), 31).0[..500] == play(one_by_one(xiao()), evaluation(), 31).0[..500]);
}
