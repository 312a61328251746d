//! Monte Carlo tree search finds the values of games that are small enough to be solved.

use afterstate_game::{Decision, Evaluation, Limits, Notation, Player, Position, conformance};
use afterstate_search::expectimax;
use afterstate_search::mcts::{
    ByEvaluation, Chance, Choice, Cut, Expansion, FirstPlay, Mcts, MoveOrdering, Parallelism, Payoff, Reuse, Rule,
    Scale, Selection, Settings, Simulation, Unordered,
};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::{Maqsood, Tabled};

use crate::gamble::{Bet, Gamble, Points, Rewards};
use crate::toys::tictactoe::{Board, Cell, OpenLines, reachable};
use crate::{Blank, after, solved};

fn iterations(count: u64) -> Limits {
    Limits { iterations: Some(count), ..Limits::NONE }
}

fn decide<P: Position, E: Evaluation<P>>(settings: Settings, evaluation: E, position: &P) -> Decision<P::Move> {
    decide_with(settings, evaluation, Unordered, position)
}

fn decide_with<P: Position, E: Evaluation<P>, O: MoveOrdering<P>>(
    settings: Settings,
    evaluation: E,
    ordering: O,
    position: &P,
) -> Decision<P::Move> {
    let mut player = Mcts::with_ordering(settings, evaluation, ordering).expect("settings in order");
    player.start_game(7);
    player.decide_position(position).expect("a legal move")
}

#[test]
fn the_toys_conform() {
    assert!(conformance::check_rules(&[Board::EMPTY], 20, 9).unwrap() > 100);
    assert!(conformance::check_rules(&[Gamble::start(5)], 50, 5).unwrap() > 100);
}

/// Every way to search a game without chance.
fn two_player_variants() -> Vec<(&'static str, Settings)> {
    let base = Settings { limits: iterations(20_000), choice: Choice::Robust, ..Settings::default() };
    let all = Expansion::ALL_AT_ONCE;
    let rule = |rule| Selection { rule, ..Selection::uct(1.0) };
    vec![
        ("UCT", base),
        ("UCT, all at once", Settings { expansion: all, ..base }),
        ("UCB1-Tuned", Settings { selection: rule(Rule::Ucb1Tuned { c: 1.0 }), ..base }),
        ("SP-MCTS", Settings { selection: rule(Rule::SinglePlayer { c: 1.0, d: 0.1 }), ..base }),
        ("UCT_N", Settings { selection: rule(Rule::UctN { c: 1.0 }), ..base }),
        ("UCT by spread", Settings { selection: rule(Rule::UctSpread { c: 2.0 }), ..base }),
        ("PUCT", Settings { selection: rule(Rule::Puct { c: 3.0, temperature: 1.0 }), expansion: all, ..base }),
        (
            "progressive bias",
            Settings { selection: Selection { bias: 0.5, ..Selection::uct(1.0) }, expansion: all, ..base },
        ),
        (
            "first-play urgency",
            Settings {
                selection: Selection { first_play: FirstPlay::Urgency(0.9), ..Selection::uct(1.0) },
                expansion: all,
                ..base
            },
        ),
        ("implicit minimax", Settings { minimax: 0.3, expansion: all, ..base }),
        ("no simulation", Settings { simulation: Simulation::None, ..base }),
        ("cut as a draw", cut_as_draw(base)),
        ("logistic payoffs", logistic(base)),
        ("raw payoffs", raw(base)),
        ("root parallel", Settings { parallelism: Parallelism::Root { trees: 2 }, ..base }),
        ("tree parallel", Settings { parallelism: Parallelism::Tree { threads: 2 }, ..base }),
        (
            "tree parallel, all at once",
            Settings { parallelism: Parallelism::Tree { threads: 2 }, expansion: all, ..base },
        ),
        ("max child", Settings { choice: Choice::Max, ..base }),
        ("max-robust child", Settings { choice: Choice::MaxRobust { extension: 1.0 }, ..base }),
        ("secure child", Settings { choice: Choice::Secure { a: 1.0 }, ..base }),
    ]
}

fn cut_as_draw(base: Settings) -> Settings {
    let payoff = Payoff { cut: Cut::Draw, ..Payoff::default() };
    Settings { simulation: Simulation::Random { limit: Some(3) }, payoff, ..base }
}

fn logistic(base: Settings) -> Settings {
    Settings { payoff: Payoff { scale: Scale::Logistic { scale: 1.0 }, win: 5.0, ..Payoff::default() }, ..base }
}

fn raw(base: Settings) -> Settings {
    let payoff = Payoff { scale: Scale::Raw, win: 1.0, ..Payoff::default() };
    Settings { payoff, selection: Selection::uct(2.0), ..base }
}

/// Positions of tic-tac-toe in which some moves throw away what the best ones keep.
const CRITICAL: [&[u8]; 6] = [&[0], &[4], &[0, 4, 8], &[0, 1], &[1, 4, 0], &[0, 8, 4]];

#[test]
fn the_critical_positions_are_critical() {
    for cells in CRITICAL {
        let position = after(cells);
        let values = position.moves().into_iter().map(|mv| -solved(&position.play_unchecked(mv).afterstate.0));
        assert!(values.into_iter().any(|value| value < solved(&position)), "after {cells:?} every move is good");
    }
}

#[test]
fn every_variant_keeps_the_value_of_tic_tac_toe() {
    for (name, settings) in two_player_variants() {
        for cells in CRITICAL {
            let position = after(cells);
            let decision = decide(settings, Blank, &position);
            let kept = -solved(&position.play_unchecked(decision.best).afterstate.0);
            assert_eq!(kept, solved(&position), "{name} after {cells:?} plays {}", decision.best);
        }
    }
}

#[test]
fn a_move_that_wins_at_once_is_worth_a_win() {
    let position = after(&[0, 3, 1, 4]);
    let settings = Settings { limits: iterations(5000), ..Settings::default() };
    let decision = decide(settings, Blank, &position);
    assert_eq!((decision.best, decision.moves[0].value), (Cell(2), Some(1.0)));
    assert_eq!(decision.line, [Cell(2)]);
}

/// Every way to search a game with chance.
fn chance_variants() -> Vec<(&'static str, Settings)> {
    let payoff = Payoff { scale: Scale::Raw, ..Payoff::default() };
    let base = Settings { limits: iterations(40_000), payoff, selection: Selection::uct(8.0), ..Settings::default() };
    let all = Expansion::ALL_AT_ONCE;
    vec![
        ("explicit", base),
        ("explicit, all at once", Settings { expansion: all, ..base }),
        ("balanced", Settings { chance: Chance::Balanced, ..base }),
        ("open loop", Settings { chance: Chance::OpenLoop, ..base }),
        ("explicit, tree parallel", Settings { parallelism: Parallelism::Tree { threads: 2 }, ..base }),
        ("explicit, root parallel", Settings { parallelism: Parallelism::Root { trees: 2 }, ..base }),
        ("open loop, tree parallel", {
            Settings { chance: Chance::OpenLoop, parallelism: Parallelism::Tree { threads: 2 }, ..base }
        }),
    ]
}

#[test]
fn the_tree_converges_to_the_expected_value() {
    for rounds in 2..=5 {
        let position = Gamble::start(rounds);
        for (name, settings) in chance_variants() {
            for decision in [decide(settings, Points, &position), decide(settings, Rewards, &position)] {
                let best = &decision.moves[0];
                let expected = position.expected_after(best.mv);
                assert!((expected - position.expected()).abs() < 0.4, "{name}, {rounds} rounds: {}", best.mv);
                let value = best.value.unwrap();
                assert!((value - expected).abs() < 0.35, "{name}, {rounds} rounds: {value} for {expected}");
            }
        }
    }
}

#[test]
fn points_to_come_and_points_in_hand_give_the_same_decision() {
    let (_, settings) = chance_variants().swap_remove(0);
    let in_hand = decide(settings, Points, &Gamble::start(4));
    let to_come = decide(settings, Rewards, &Gamble::start(4));
    assert_eq!(in_hand.moves, to_come.moves);
}

#[test]
fn a_sampled_tree_sees_one_future() {
    let payoff = Payoff { scale: Scale::Raw, ..Payoff::default() };
    let settings = Settings { chance: Chance::Sampled, payoff, limits: iterations(5000), ..Settings::default() };
    let decision = decide(settings, Points, &Gamble::start(1));
    let values: Vec<_> = decision.moves.iter().map(|it| (it.mv, it.value, it.half_width)).collect();
    assert_eq!(values, [(Bet::Roll, Some(4.0), Some(0.0)), (Bet::Safe, Some(1.0), Some(0.0))]);
}

#[test]
fn balanced_answers_leave_nothing_to_luck() {
    let payoff = Payoff { scale: Scale::Raw, ..Payoff::default() };
    let settings = Settings { chance: Chance::Balanced, payoff, limits: iterations(500), ..Settings::default() };
    let position = Gamble::start(1);
    for it in decide(settings, Points, &position).moves {
        // No answer is more than one visit away from its share.
        let (value, visits) = (it.value.expect("a value"), it.visits.expect("visits") as f64);
        let expected = position.expected_after(it.mv);
        assert!((value - expected).abs() <= 4.0 / visits, "{}: {value} for {expected} in {visits} visits", it.mv);
    }
}

#[test]
fn a_node_expanded_at_its_first_visit_is_worth_its_best_move() {
    let settings = Settings {
        limits: iterations(9),
        expansion: Expansion::AllAtOnce { keep: None, at_visit: 1 },
        simulation: Simulation::None,
        minimax: 1.0,
        payoff: Payoff { scale: Scale::Raw, win: WIN, ..Payoff::default() },
        ..Settings::default()
    };
    let board = after(&[4, 0]);
    for it in decide(settings, OpenLines, &board).moves.iter().filter(|it| it.visits == Some(1)) {
        assert_eq!(it.value, Some(-negamax(&board.play_unchecked(it.mv).afterstate.0, 1)), "move {}", it.mv);
    }
}

#[test]
fn a_good_ordering_finds_the_move_within_few_iterations() {
    let position = Gamble::start(1);
    let settings = Settings {
        limits: iterations(1),
        payoff: Payoff { scale: Scale::Raw, ..Payoff::default() },
        selection: Selection { rule: Rule::Puct { c: 1.0, temperature: 1.0 }, ..Selection::uct(1.0) },
        expansion: Expansion::ALL_AT_ONCE,
        reuse: Reuse::Fresh,
        ..Settings::default()
    };
    let decision = decide_with(settings, Points, ByEvaluation(Points), &position);
    assert_eq!(decision.best, Bet::Roll);
}

/// Plain negamax to a fixed number of half-moves.
fn negamax(board: &Board, plies: u32) -> f64 {
    match board.outcome() {
        Some(outcome) => WIN * f64::from(outcome.sign_for(board.side_to_move())),
        None if plies == 0 => f64::from(OpenLines.position(board)),
        None => {
            let values =
                board.moves().into_iter().map(|mv| -negamax(&board.play_unchecked(mv).afterstate.0, plies - 1));
            values.fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

const WIN: f64 = 100.0;

#[test]
fn a_look_ahead_is_minimax_below_the_tree() {
    for moves in 1..=3 {
        let settings = Settings {
            limits: iterations(9),
            expansion: Expansion::ALL_AT_ONCE,
            simulation: Simulation::LookAhead { moves },
            payoff: Payoff { scale: Scale::Raw, win: WIN, ..Payoff::default() },
            ..Settings::default()
        };
        let mut player = Mcts::with_ordering(settings, OpenLines, ByEvaluation(OpenLines)).expect("settings in order");
        // Every 40th position, those with a choice.
        for board in reachable().iter().step_by(40).filter(|board| board.count_moves() > 1) {
            let decision = player.decide_position(board).expect("a legal move");
            // A move tried twice is tried with its answers.
            for it in decision.moves.iter().filter(|it| it.visits == Some(1)) {
                let expected = -negamax(&board.play_unchecked(it.mv).afterstate.0, moves);
                assert_eq!(it.value, Some(expected), "{board:?}, move {}", it.mv);
            }
        }
    }
}

fn judge() -> Tabled<Maqsood> {
    Tabled::default()
}

#[test]
fn a_tree_with_minimax_values_only_is_expectimax() {
    // A crowded board: few answers, so that the tree sees all of them.
    let state = State::parse("4 8 16 32/2 4 8 16/4 8 16 32/8 16 32 32").expect("a board");
    let depth = 2;
    let searched = {
        let settings = expectimax::Settings {
            depth: expectimax::Depth::Fixed(depth),
            unit: expectimax::DepthUnit::Levels,
            dead: expectimax::Dead::Evaluated,
            ..expectimax::Settings::default()
        };
        let mut player = expectimax::Expectimax::new(settings, judge()).expect("settings in order");
        player.decide_position(&state).expect("a legal move")
    };
    let uct = |c| Selection { rule: Rule::UctSpread { c }, ..Selection::uct(1.0) };
    let settings = Settings {
        limits: Limits { depth: Some(depth), ..iterations(20_000) },
        expansion: Expansion::ALL_AT_ONCE,
        simulation: Simulation::None,
        payoff: Payoff { scale: Scale::Raw, ..Payoff::default() },
        ..Settings::default()
    };
    // So much exploration that every answer is seen.
    let exact = decide(Settings { minimax: 1.0, selection: uct(100.0), ..settings }, judge(), &state);
    for it in &searched.moves {
        let found = exact.moves.iter().find(|other| other.mv == it.mv).and_then(|it| it.value);
        let (found, expected) = (found.expect("a value"), it.value.expect("a value"));
        assert!((found - expected).abs() < 1e-2, "{}: {found} for {expected}", it.mv);
    }
    // The mean of the payoffs remembers every move it tried, so it stays a little below.
    let mean = decide(Settings { selection: uct(1.0), ..settings }, judge(), &state);
    assert_eq!((exact.best, mean.best), (searched.best, searched.best));
    let (found, expected) = (mean.moves[0].value.expect("a value"), searched.moves[0].value.expect("a value"));
    assert!((expected - 1.0..expected + 0.2).contains(&found), "{found} for {expected}");
}
