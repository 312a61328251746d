//! Settings that make no sense are errors in one line.

use std::time::Duration;

use afterstate_game::Limits;
use afterstate_search::mcts::{
    Chance, Choice, Expansion, FirstPlay, Mcts, Over, Parallelism, Payoff, Rule, Scale, Selection, Settings,
    SettingsError, Shares, Simulation,
};

use crate::Blank;
use crate::gamble::{Gamble, Points, Rewards};
use crate::toys::tictactoe::Board;

fn error(settings: Settings) -> SettingsError {
    Mcts::<Board, _>::new(settings, Blank).expect_err("an error")
}

/// Says what is wrong with settings that differ from the default in one thing.
fn check(settings: Settings, message: &str) {
    assert_eq!(error(settings).to_string(), message);
}

fn with_rule(rule: Rule) -> Settings {
    Settings { selection: Selection { rule, ..Selection::uct(1.0) }, ..Settings::default() }
}

fn with_limits(limits: Limits) -> Settings {
    Settings { limits, ..Settings::default() }
}

#[test]
fn an_exploration_constant_is_a_number_not_below_zero() {
    let wrong = |value: &str| format!("the exploration constant c is {value}, but must be a finite number, 0 or more");
    check(with_rule(Rule::Uct { c: -0.5 }), &wrong("-0.5"));
    check(with_rule(Rule::Ucb1Tuned { c: f64::NAN }), &wrong("NaN"));
    check(with_rule(Rule::UctN { c: f64::INFINITY }), &wrong("inf"));
}

#[test]
fn a_decision_has_a_limit_and_time_for_one_iteration() {
    check(with_limits(Limits { iterations: Some(0), ..Limits::NONE }), "iterations is 0, but must be at least 1");
    check(with_limits(Limits { nodes: Some(0), ..Limits::NONE }), "nodes is 0, but must be at least 1");
    check(with_limits(Limits::NONE), "no limit is set: iterations, time or nodes must be");
    check(with_limits(Limits { depth: Some(4), ..Limits::NONE }), "no limit is set: iterations, time or nodes must be");
    assert!(Mcts::<Board, _>::new(with_limits(Limits { time: Some(Duration::ZERO), ..Limits::NONE }), Blank).is_ok());
}

#[test]
fn shares_are_parts_of_one_whole() {
    let shares = Shares { best: 0.7, random: 0.4 };
    check(
        Settings { expansion: Expansion::AllAtOnce { keep: Some(shares), at_visit: 2 }, ..Settings::default() },
        "the shares of the branching reduction, best 0.7 and random 0.4, sum to more than 1",
    );
    check(
        Settings { simulation: Simulation::Policy { limit: None, shares }, ..Settings::default() },
        "the shares of the simulation policy, best 0.7 and random 0.4, sum to more than 1",
    );
    let negative = Shares { best: 0.7, random: -0.1 };
    check(
        Settings { simulation: Simulation::Policy { limit: None, shares: negative }, ..Settings::default() },
        "a share of moves is -0.1, but must be between 0 and 1",
    );
    let exact = Shares { best: 0.7, random: 0.3 };
    let settings = Settings { simulation: Simulation::Policy { limit: None, shares: exact }, ..Settings::default() };
    assert!(Mcts::<Board, _>::new(settings, Blank).is_ok());
}

#[test]
fn the_memory_holds_a_root_for_each_tree() {
    let SettingsError::MemoryUnderOneNode { given: 0, least } = error(Settings { memory: 0, ..Settings::default() })
    else {
        panic!("no memory holds no node")
    };
    let settings = Settings { memory: least, ..Settings::default() };
    assert!(Mcts::<Board, _>::new(settings, Blank).is_ok());
    check(
        Settings { parallelism: Parallelism::Root { trees: 2 }, ..settings },
        &format!("memory is {least} bytes, but one node for each tree takes {}", 2 * least),
    );
}

#[test]
fn what_judges_whole_families_needs_whole_families() {
    let families = "expansion all at once";
    check(with_rule(Rule::Puct { c: 1.0, temperature: 1.0 }), &format!("PUCT needs {families}"));
    check(Settings { minimax: 0.5, ..Settings::default() }, &format!("implicit minimax needs {families}"));
    let selection = Selection { bias: 1.0, ..Selection::uct(1.0) };
    check(Settings { selection, ..Settings::default() }, &format!("the progressive bias needs {families}"));
    let selection = Selection { first_play: FirstPlay::Static, ..Selection::uct(1.0) };
    check(Settings { selection, ..Settings::default() }, &format!("a static first-play value needs {families}"));
}

#[test]
fn an_open_loop_makes_its_children_one_by_one() {
    let settings = Settings {
        chance: Chance::OpenLoop,
        expansion: Expansion::ALL_AT_ONCE,
        payoff: Payoff { scale: Scale::Raw, ..Payoff::default() },
        ..Settings::default()
    };
    let error = Mcts::<Gamble, _>::new(settings, Points).expect_err("an error");
    assert_eq!(error.to_string(), "open-loop chance needs expansion one by one");
    // Without chance there is no loop to be open.
    assert!(Mcts::<Board, _>::new(settings, Blank).is_ok());
}

#[test]
fn points_to_come_are_not_squeezed_into_a_unit() {
    let error = Mcts::<Gamble, _>::new(Settings::default(), Rewards).expect_err("an error");
    assert_eq!(error.to_string(), "an evaluation that counts rewards needs raw payoffs");
}

#[test]
fn every_other_number_has_its_range() {
    let payoff = |payoff| Settings { payoff, ..Settings::default() };
    let scale = |scale| payoff(Payoff { scale, ..Payoff::default() });
    let choice = |choice| Settings { choice, ..Settings::default() };
    let first_play = |first_play| Settings {
        selection: Selection { first_play, ..Selection::uct(1.0) },
        expansion: Expansion::ALL_AT_ONCE,
        ..Settings::default()
    };
    let bad = [
        with_rule(Rule::SinglePlayer { c: 1.0, d: -1.0 }),
        with_rule(Rule::Puct { c: 1.0, temperature: 0.0 }),
        with_limits(Limits { depth: Some(0), iterations: Some(1), ..Limits::NONE }),
        first_play(FirstPlay::Urgency(f64::NAN)),
        first_play(FirstPlay::BelowParent(f64::INFINITY)),
        scale(Scale::Linear { half_range: 0.0 }),
        scale(Scale::Logistic { scale: -1.0 }),
        payoff(Payoff { win: f64::NAN, ..Payoff::default() }),
        payoff(Payoff { over: Over::Worth(f64::NAN), ..Payoff::default() }),
        choice(Choice::Secure { a: -1.0 }),
        choice(Choice::MaxRobust { extension: f64::NAN }),
        Settings { minimax: 1.5, ..Settings::default() },
        Settings { simulation: Simulation::Greedy { limit: None, random: 2.0 }, ..Settings::default() },
        Settings { parallelism: Parallelism::Root { trees: 0 }, ..Settings::default() },
        Settings { parallelism: Parallelism::Tree { threads: 0 }, ..Settings::default() },
    ];
    for settings in bad {
        let message = error(settings).to_string();
        assert!(message.contains(", but must be ") && !message.contains('\n'), "{message}");
    }
}
