//! Limits, deepening, and decisions in which there is little to decide.

use std::time::Duration;

use afterstate_game::{
    Afterstate as _, Decision, History, Limits, NoLegalMove, Player as _, Position as _, Stop, Task,
};
use afterstate_search::expectimax::{
    Chance, Deepening, Depth, DepthUnit, Expectimax, InvalidSettings, MAX_DEPTH, Settings, SingleMove, TableSettings,
};
use afterstate_twenty48::{Direction, State};

use crate::boards::{self, Corner};
use crate::walk::{Step, Walk, Whim};
use crate::{decide, decide_within, values_of};

fn board() -> State {
    boards::of_a_random_game(9, 30)[1]
}

fn endless() -> Settings<State> {
    Settings { depth: Depth::Fixed(MAX_DEPTH), ..Settings::default() }
}

#[test]
fn a_depth_limit_of_the_task_is_a_depth_of_the_search() {
    let mut player = Expectimax::new(Settings { depth: Depth::Fixed(5), ..Settings::default() }, Corner).unwrap();
    let limits = Limits { depth: Some(2), ..Limits::NONE };
    let (limited, shown) = decide_within(&mut player, board(), limits, &Stop::new());
    let plain = decide(Settings { depth: Depth::Fixed(2), ..Settings::default() }, Corner, &board());
    assert_eq!((limited.moves, limited.depth, limited.effort), (plain.moves, 2, plain.effort));
    assert_eq!(shown.len(), 1);
}

#[test]
fn deepening_shows_every_depth_and_ends_with_the_same_values() {
    let settings = Settings { deepening: Deepening::Always, ..Settings::default() };
    let mut player = Expectimax::new(settings, Corner).unwrap();
    let (decision, shown) = decide_within(&mut player, board(), Limits::NONE, &Stop::new());
    assert_eq!(shown.iter().map(|shown| shown.depth).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(decision.moves, decide(Settings::default(), Corner, &board()).moves);
    assert!(shown.iter().all(|shown| shown.line[0] == shown.best && shown.effort.nodes <= decision.effort.nodes));
}

#[test]
fn a_node_limit_holds_and_the_last_completed_depth_decides() {
    for table in [None, Some(TableSettings::default())] {
        for nodes in [0, 1, 50, 5_000, 50_000] {
            let mut player = Expectimax::new(Settings { table: table.clone(), ..endless() }, Corner).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::NONE };
            let (decision, shown) = decide_within(&mut player, board(), limits, &Stop::new());
            assert!(decision.effort.nodes <= nodes, "{} of {nodes}", decision.effort.nodes);
            assert_eq!(decision.depth, shown.len() as u32);
            let settings = Settings { depth: Depth::Fixed(decision.depth.max(1)), ..endless() };
            if decision.depth > 0 {
                assert_eq!(values_of(&decision, &board()), values_of(&decide(settings, Corner, &board()), &board()));
            }
        }
    }
}

#[test]
fn without_time_the_afterstates_decide() {
    let mut player = Expectimax::new(endless(), Corner).unwrap();
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
    let (decision, shown) = decide_within(&mut player, board(), limits, &Stop::new());
    let glance = Settings { depth: Depth::Fixed(1), unit: DepthUnit::HalfMoves, ..Settings::default() };
    assert_eq!(decision.moves, decide(glance, Corner, &board()).moves);
    assert_eq!((decision.depth, shown.len()), (0, 0));
}

#[test]
fn a_raised_flag_ends_an_endless_search() {
    let mut player = Expectimax::new(Settings { deepening: Deepening::Always, ..endless() }, Corner).unwrap();
    let stop = Stop::new();
    let raised = stop.clone();
    let history = History::new(board());
    let mut last = None;
    let mut observer = |decision: &Decision<Direction>| {
        last = Some(decision.clone());
        if decision.depth == 2 {
            raised.raise();
        }
    };
    let task = Task { history: &history, limits: Limits::NONE, stop: &stop, observer: &mut observer };
    let decision = player.decide(task).unwrap();
    assert_eq!(decision.depth, 2);
    assert_eq!(Some(decision.moves), last.map(|last| last.moves));
}

#[test]
fn the_players_own_limits_hold_too() {
    let limits = Limits { nodes: Some(300), ..Limits::NONE };
    let decision = decide(Settings { limits, ..endless() }, Corner, &board());
    assert!(decision.depth >= 1 && decision.effort.nodes <= 300);
}

#[test]
fn a_dead_root_has_no_move() {
    for single_move in [SingleMove::Played, SingleMove::Searched] {
        let settings = Settings { single_move, ..Settings::default() };
        let mut player = Expectimax::new(settings, Whim::<false>).unwrap();
        assert_eq!(player.decide_position(&Walk::<0>::dead_end()), Err(NoLegalMove));
    }
}

#[test]
fn a_single_move_is_played_unsearched_where_the_settings_say_so() {
    let root = Walk::<0>::all_alive().find(|walk| walk.count_moves() == 1).unwrap();
    let with = |single_move| decide(Settings { single_move, ..Settings::default() }, Whim::<false>, &root);
    let (played, searched) = (with(SingleMove::Played), with(SingleMove::Searched));
    assert_eq!(played.best, searched.best);
    assert_eq!((played.effort.nodes, played.depth, played.moves[0].value), (0, 0, None));
    assert!(searched.effort.nodes > 0 && searched.moves[0].value.is_some());
}

#[test]
fn an_adaptive_depth_is_decided_by_the_root() {
    let by_tiles = Depth::adaptive(|state: &State| state.0.count_distinct() / 2);
    for root in boards::of_a_random_game(2, 15) {
        let decision = decide(Settings { depth: by_tiles.clone(), ..Settings::default() }, Corner, &root);
        assert_eq!(decision.depth, (root.0.count_distinct() / 2).max(1));
    }
}

#[test]
fn the_line_is_the_best_play_after_the_likeliest_answers() {
    let settings = Settings { depth: Depth::Fixed(6), ..Settings::default() };
    for root in Walk::<0>::all_alive() {
        let decision = decide(settings.clone(), Whim::<false>, &root);
        let mut position = root;
        for (ply, &mv) in decision.line.iter().enumerate() {
            let depth = Depth::Fixed(6 - 2 * ply as u32);
            if ply < 3 {
                let again = decide(Settings { depth, ..settings.clone() }, Whim::<false>, &position);
                assert_eq!(again.best, mv, "{root:?}, {:?}", decision.line);
            }
            // The wind's likeliest answer is not to blow.
            position = walked(position, mv);
        }
        assert!(decision.line.len() == 4 || position.outcome().is_some(), "{root:?}, {:?}", decision.line);
    }
}

fn walked(position: Walk<0>, mv: Step) -> Walk<0> {
    let mut answers = Vec::new();
    position.play_unchecked(mv).afterstate.for_each_answer(|next, _| answers.push(next));
    answers[0]
}

#[test]
fn settings_that_make_no_sense_are_refused_in_words() {
    let refused = |settings: Settings<State>| Expectimax::new(settings, Corner).unwrap_err();
    let plain = Settings::default;
    for (settings, error, words) in [
        (
            Settings { depth: Depth::Fixed(0), ..plain() },
            InvalidSettings::Depth(0),
            "the depth 0 is not within 1 and 100",
        ),
        (
            Settings { depth: Depth::Fixed(1000), ..plain() },
            InvalidSettings::Depth(1000),
            "the depth 1000 is not within 1 and 100",
        ),
        (
            Settings { chance: Chance::Sampled(0), ..plain() },
            InvalidSettings::NoAnswers,
            "at least one answer of chance must be looked at, not 0",
        ),
        (
            Settings { cutoff: 1.5, ..plain() },
            InvalidSettings::Cutoff(1.5),
            "the cutoff 1.5 is no probability: it must be at least 0 and below 1",
        ),
        (Settings { threads: 0, ..plain() }, InvalidSettings::NoThreads, "at least one thread must search, not 0"),
    ] {
        assert_eq!(refused(settings.clone()), error);
        assert_eq!(refused(settings).to_string(), words);
    }
    assert!(Expectimax::new(Settings::<State> { cutoff: f32::NAN, ..plain() }, Corner).is_err());
}
