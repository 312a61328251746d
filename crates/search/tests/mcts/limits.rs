//! Limits hold, decisions are reproducible, and odd roots get the only sensible answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use afterstate_abalone::evaluation::{Emphasis, Hauff};
use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{
    AtPlyLimit, Decision, Dice, DrawRules, Evaluation, History, Limits, NoLegalMove, Notation, Player, Position,
    Settled, Side, Stop, Task,
};
use afterstate_search::mcts::{
    ByClass, Chance, Choice, Expansion, Mcts, Parallelism, Payoff, Reuse, Scale, Selection, Settings, Shares,
    Simulation,
};
use afterstate_twenty48::{Board as Tiles, State};

use crate::gamble::{Bet, Gamble, Points};
use crate::toys::failing::{FailsElsewhere, FailsHere};
use crate::toys::tictactoe::{Board, Cell};
use crate::{Blank, after};

fn iterations(count: u64) -> Limits {
    Limits { iterations: Some(count), ..Limits::NONE }
}

fn fails_elsewhere(parallelism: Parallelism) {
    let settings =
        Settings { parallelism, simulation: Simulation::None, limits: iterations(1000), ..Settings::default() };
    let mut player = Mcts::new(settings, FailsElsewhere::default()).expect("settings in order");
    let _ = player.decide_position(&Board::EMPTY);
}

#[test]
#[should_panic(expected = "an evaluation that fails")]
fn what_panics_beside_one_tree_is_not_silenced() {
    fails_elsewhere(Parallelism::Tree { threads: 2 });
}

#[test]
#[should_panic(expected = "an evaluation that fails")]
fn what_panics_in_another_tree_is_not_silenced() {
    fails_elsewhere(Parallelism::Root { trees: 2 });
}

#[test]
fn a_panic_ends_the_other_threads() {
    for parallelism in [Parallelism::Tree { threads: 3 }, Parallelism::Root { trees: 3 }] {
        let limits = iterations(u64::MAX);
        let settings = Settings { parallelism, simulation: Simulation::None, limits, ..Settings::default() };
        let evaluation = FailsHere::default();
        let mut player = Mcts::new(settings, &evaluation).expect("settings in order");
        let decided = catch_unwind(AssertUnwindSafe(|| player.decide_position(&Board::EMPTY)));
        assert!(decided.is_err(), "the failure is not silenced");
        let judged = evaluation.judged_after();
        assert!(judged < FailsHere::TOO_MANY, "{parallelism:?}: {judged} judgements");
    }
}

/// What a decision says of every move (its value and visits), and the nodes it took.
type Known = (Vec<(String, Option<f64>, Option<u64>)>, u64);

/// A game of a few moves, as what every decision says.
fn game(settings: Settings, seed: u64) -> Vec<Known> {
    use afterstate_game::Afterstate as _;
    let mut player = Mcts::with_ordering(settings, Blank, ByClass).expect("settings in order");
    player.start_game(seed);
    let mut history = History::new(Layout::BelgianDaisy.position());
    let mut decisions = Vec::new();
    for _ in 0..4 {
        let decision = player.decide_within(&history, Limits::NONE).expect("a legal move");
        let moves = decision.moves.iter().map(|it| (it.mv.to_string(), it.value, it.visits)).collect();
        decisions.push((moves, decision.effort.nodes));
        let next = history.position().play_unchecked(decision.best).afterstate.draw(&mut Dice::seeded(0));
        history.push(decision.best, next);
    }
    decisions
}

#[test]
fn the_same_seed_and_iterations_give_the_same_game() {
    let keep = Some(Shares { best: 0.4, random: 0.1 });
    let base = Settings {
        limits: iterations(300),
        expansion: Expansion::AllAtOnce { keep, at_visit: 2 },
        simulation: Simulation::Random { limit: Some(20) },
        reuse: Reuse::Keep,
        ..Settings::default()
    };
    for parallelism in [Parallelism::Single, Parallelism::Root { trees: 3 }] {
        assert!(parallelism.is_reproducible());
        let settings = Settings { parallelism, ..base };
        assert_eq!(game(settings, 5), game(settings, 5));
        assert_ne!(game(settings, 5), game(settings, 6));
    }
    assert!(!Parallelism::Tree { threads: 2 }.is_reproducible());
}

#[test]
fn a_full_memory_stops_the_tree_and_not_the_search() {
    let settings = |memory| Settings {
        limits: iterations(5000),
        memory,
        simulation: Simulation::Random { limit: Some(8) },
        payoff: Payoff { scale: Scale::Linear { half_range: 16.0 }, ..Payoff::default() },
        ..Settings::default()
    };
    let position = State(Tiles::from_nibbles(0x0000_0100_0002_1321));
    for chance in [Chance::Sampled, Chance::Explicit, Chance::Balanced, Chance::OpenLoop] {
        let decide = |memory| {
            let mut player = Mcts::new(Settings { chance, ..settings(memory) }, Blank).expect("settings in order");
            player.decide_position(&position).expect("a legal move")
        };
        let (free, small) = (decide(64 << 20), decide(10_000));
        assert!(free.effort.nodes > 4000, "{chance:?}: {}", free.effort.nodes);
        // A node takes more than 50 bytes.
        assert!(small.effort.nodes < 200, "{chance:?}: {}", small.effort.nodes);
        assert_eq!(small.effort.iterations, 5000);
        assert_eq!(small.moves.iter().map(|it| it.visits.expect("visits")).sum::<u64>(), 5000);
    }
}

#[test]
fn a_full_memory_does_not_say_what_chance_answers() {
    let position = Gamble::start(2);
    for chance in [Chance::Explicit, Chance::Balanced] {
        let settings = Settings {
            limits: iterations(4000),
            chance,
            payoff: Payoff { scale: Scale::Raw, ..Payoff::default() },
            selection: Selection::uct(8.0),
            // The root and its moves.
            memory: 300,
            ..Settings::default()
        };
        let mut player = Mcts::new(settings, Points).expect("settings in order");
        let decision = player.decide_position(&position).expect("a legal move");
        assert!(decision.effort.nodes <= 4, "{}", decision.effort.nodes);
        for it in decision.moves {
            // The bet, and where it is survived, the mean of 1 and 4.
            let expected = if it.mv == Bet::Safe { 1.0 + 2.5 } else { 4.0 + 2.5 * 4.0 / 6.0 };
            let value = it.value.expect("a value");
            assert!((value - expected).abs() < 0.2, "{chance:?}, {}: {value}, not {expected}", it.mv);
        }
    }
}

#[test]
fn a_tree_of_one_node_still_gives_a_move() {
    for expansion in [Expansion::OneByOne, Expansion::ALL_AT_ONCE] {
        let settings = Settings { memory: 100, expansion, ..Settings::default() };
        let mut player = Mcts::new(settings, Blank).expect("settings in order");
        let decision = player.decide_position(&after(&[4])).expect("a legal move");
        assert!(after(&[4]).is_legal(decision.best));
        assert_eq!((decision.effort.iterations, decision.moves.len()), (1000, 8));
    }
}

#[test]
fn a_node_limit_is_never_exceeded_and_ends_the_search() {
    for nodes in [1, 7, 100, 5000] {
        for expansion in [Expansion::OneByOne, Expansion::ALL_AT_ONCE] {
            let limits = Limits { nodes: Some(nodes), ..Limits::NONE };
            let mut player = Mcts::new(Settings { limits, expansion, ..Settings::default() }, Blank).expect("in order");
            let decision = player.decide_position(&Layout::Standard.position()).expect("a legal move");
            assert!(decision.effort.nodes <= nodes, "{} of {nodes} nodes", decision.effort.nodes);
            assert!(decision.effort.iterations <= nodes);
        }
    }
    // A game smaller than the limit is searched and left.
    let limits = Limits { nodes: Some(20_000), ..Limits::NONE };
    let mut player = Mcts::new(Settings { limits, ..Settings::default() }, Blank).expect("settings in order");
    let decision = player.decide_position(&after(&[4, 0, 8, 2, 1])).expect("a legal move");
    assert_eq!(decision.effort.iterations, 20_000);
}

#[test]
fn the_limits_of_a_task_hold_beside_the_players_own() {
    let mut player = Mcts::new(Settings::default(), Blank).expect("settings in order");
    let history = History::new(Board::EMPTY);
    let count = |limits, player: &mut Mcts<Board, Blank>| {
        player.decide_within(&history, limits).expect("a legal move").effort.iterations
    };
    assert_eq!(count(Limits::NONE, &mut player), 1000);
    assert_eq!(count(iterations(10), &mut player), 10);
    assert_eq!(count(iterations(100_000), &mut player), 1000);
    assert_eq!(count(iterations(0), &mut player), 0);
    assert_eq!(count(Limits { time: Some(Duration::ZERO), ..Limits::NONE }, &mut player), 0);
    let within = |limits, player: &mut Mcts<Board, Blank>| {
        let decision = player.decide_within(&history, limits).expect("a legal move");
        (decision.depth, decision.effort.nodes)
    };
    let depth = |depth| Limits { depth: Some(depth), ..Limits::NONE };
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::NONE };
    assert!(within(Limits::NONE, &mut player).0 > 2);
    assert_eq!(within(depth(2), &mut player).0, 2);
    assert_eq!(within(nodes(50), &mut player).1, 50);
    let own = Limits { depth: Some(2), nodes: Some(50), ..iterations(1000) };
    let mut limited = Mcts::new(Settings { limits: own, ..Settings::default() }, Blank).expect("settings in order");
    assert_eq!(within(Limits { nodes: Some(5000), ..depth(9) }, &mut limited), (2, 50));
    assert_eq!(within(Limits { nodes: Some(20), ..depth(1) }, &mut limited), (1, 9));
    let decision = player.decide_within(&history, iterations(0)).expect("a legal move");
    assert_eq!((decision.best, decision.moves.len(), decision.moves[0].value), (Cell(0), 9, None));
}

#[test]
fn a_raised_flag_ends_a_search_that_nothing_else_would_end() {
    let limits = Limits { time: Some(Duration::MAX), ..Limits::NONE };
    for parallelism in [Parallelism::Single, Parallelism::Root { trees: 2 }, Parallelism::Tree { threads: 2 }] {
        let mut player = Mcts::new(Settings { limits, parallelism, ..Settings::default() }, Blank).expect("in order");
        let history = History::new(Board::EMPTY);
        let stop = Stop::new();
        // The observer is called a tenth of a second after the start, and ends it.
        let mut seen = Vec::new();
        let mut observer = |decision: &Decision<Cell>| {
            seen.push((decision.effort.iterations, decision.best));
            stop.raise();
        };
        let task = Task { history: &history, limits: Limits::NONE, stop: &stop, observer: &mut observer };
        let decision = player.decide(task).expect("a legal move");
        assert_eq!(seen.len(), 1, "{parallelism:?}");
        assert!(decision.effort.iterations >= seen[0].0 && seen[0].0 > 0);
    }
}

#[test]
fn every_iteration_of_every_thread_counts() {
    for parallelism in [Parallelism::Root { trees: 3 }, Parallelism::Tree { threads: 3 }] {
        let settings = Settings { limits: iterations(10_001), parallelism, ..Settings::default() };
        let mut player = Mcts::new(settings, Blank).expect("settings in order");
        let decision = player.decide_position(&Board::EMPTY).expect("a legal move");
        assert_eq!(decision.effort.iterations, 10_001);
        assert_eq!(decision.moves.iter().map(|it| it.visits.expect("visits")).sum::<u64>(), 10_001);
    }
}

#[test]
fn a_finished_game_has_no_decision_and_a_single_move_needs_none() {
    let mut player = Mcts::new(Settings::default(), Blank).expect("settings in order");
    assert_eq!(player.decide_position(&after(&[0, 3, 1, 4, 2])), Err(NoLegalMove));
    let last = after(&[0, 1, 2, 4, 3, 5, 7, 6]);
    let decision = player.decide_position(&last).expect("a legal move");
    assert_eq!((decision.best, decision.effort.iterations), (Cell(8), 0));
}

#[test]
fn a_reused_tree_knows_the_position_already() {
    use afterstate_game::Afterstate as _;
    let payoff = Payoff { scale: Scale::Raw, ..Payoff::default() };
    for chance in [Chance::Sampled, Chance::Explicit, Chance::Balanced, Chance::OpenLoop] {
        let limits = iterations(2000);
        let selection = Selection::uct(8.0);
        let settings = Settings { limits, chance, payoff, selection, reuse: Reuse::Keep, ..Settings::default() };
        let mut player = Mcts::new(settings, Points).expect("settings in order");
        let mut history = History::new(Gamble::start(5));
        player.decide_within(&history, Limits::NONE).expect("a legal move");
        let bet = history.position().moves()[0];
        let next = history.position().play_unchecked(bet).afterstate.draw(&mut Dice::seeded(0));
        history.push(bet, next);
        let decision = player.decide_within(&history, iterations(1)).expect("a legal move");
        let visits: u64 = decision.moves.iter().filter_map(|it| it.visits).sum();
        assert!(visits > 20, "{chance:?}: {visits} visits");
    }
}

#[test]
fn a_tree_for_another_game_is_not_reused() {
    let settings = Settings { limits: iterations(500), reuse: Reuse::Keep, ..Settings::default() };
    let mut player = Mcts::new(settings, Blank).expect("settings in order");
    let visits = |decision: Decision<Cell>| decision.moves.iter().filter_map(|it| it.visits).sum::<u64>();
    let decide = |player: &mut Mcts<Board, Blank>, cells: &[u8]| {
        visits(player.decide_position(&after(cells)).expect("a legal move"))
    };
    assert_eq!(decide(&mut player, &[4]), 500);
    // The same ply, another position; then the same position again.
    assert_eq!(decide(&mut player, &[0]), 500);
    assert_eq!(decide(&mut player, &[0]), 1000);
    player.start_game(1);
    assert_eq!(decide(&mut player, &[0]), 500);
}

#[test]
fn a_tree_of_another_evaluation_is_not_reused() {
    let settings = Settings {
        limits: iterations(500),
        reuse: Reuse::Keep,
        simulation: Simulation::None,
        payoff: Payoff { scale: Scale::Logistic { scale: 100.0 }, ..Payoff::default() },
        ..Settings::default()
    };
    let second_visits = |hauff| {
        let mut player = Mcts::new(settings, hauff).expect("settings in order");
        let mut history = History::new(Layout::BelgianDaisy.position());
        let best = player.decide_within(&history, Limits::NONE).expect("a legal move").best;
        history.push(best, history.position().play_unchecked(best).afterstate.0);
        let decision = player.decide_within(&history, Limits::NONE).expect("a legal move");
        decision.moves.iter().filter_map(|it| it.visits).sum::<u64>()
    };
    let same = Hauff { attack_from: 0, ..Hauff::default() };
    assert!(second_visits(same) > 500);
    assert_eq!(second_visits(Hauff { attack_from: 1, ..same }), 500);
    assert_eq!(second_visits(Hauff { emphasis: Emphasis::DEFENSIVE, ..same }), 500);
}

/// A player that cannot win but by the ply limit.
fn at_ply_limit(at_limit: AtPlyLimit) -> f64 {
    let rules = DrawRules { max_plies: Some(1), at_limit, ..DrawRules::default() };
    // Black has lost one marble, white none: white leads.
    let position = Abalone::parse("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbb1 b 1 0").expect("a position");
    let history = History::with_rules(position, rules);
    let mut player = Mcts::new(Settings { limits: iterations(200), ..Settings::default() }, Blank).expect("in order");
    let decision = player.decide_within(&history, Limits::NONE).expect("a legal move");
    decision.moves[0].value.expect("a value")
}

#[test]
fn the_ply_limit_ends_games_in_the_tree() {
    assert_eq!(at_ply_limit(AtPlyLimit::Draw), 0.5);
    assert_eq!(at_ply_limit(AtPlyLimit::LeaderWins), 0.0);
}

/// Thinks that white is ahead, whatever happens.
struct WhiteLeads;

impl Evaluation<Abalone> for WhiteLeads {
    fn position(&self, position: &Abalone) -> f32 {
        if position.side_to_move() == Side::Second { 3.0 } else { -3.0 }
    }

    fn afterstate(&self, afterstate: &Settled<Abalone>) -> f32 {
        -self.position(&afterstate.0)
    }
}

#[test]
fn a_repetition_is_a_draw_in_the_tree() {
    let rules = DrawRules { repetitions: Some(3), ..DrawRules::default() };
    let start = Layout::Standard.position();
    let mut history = History::with_rules(start, rules);
    let after = |position: &Abalone, mv| position.play_unchecked(mv).afterstate.0;
    let back = |position: &Abalone| {
        // The move that puts the mover's marbles back to where they started.
        let side = position.side_to_move();
        position.moves().into_iter().find(|&mv| after(position, mv).marbles(side) == start.marbles(side))
    };
    for ply in 0..7 {
        let position = *history.position();
        // Some move can be taken back once the opponent has moved.
        let answered = |mv| after(&after(&position, mv), after(&position, mv).moves()[0]);
        let away = position.moves().into_iter().find(|&mv| back(&answered(mv)).is_some());
        let mv = if ply % 4 < 2 { away } else { back(&position) }.expect("a move");
        history.push(mv, after(&position, mv));
    }
    let repeats = back(history.position()).expect("white can repeat the position");
    let settings = Settings {
        limits: iterations(2000),
        simulation: Simulation::Random { limit: Some(4) },
        payoff: Payoff { scale: Scale::Linear { half_range: 6.0 }, ..Payoff::default() },
        ..Settings::default()
    };
    let mut player = Mcts::new(settings, WhiteLeads).expect("settings in order");
    let decision = player.decide_within(&history, Limits::NONE).expect("a legal move");
    for it in decision.moves {
        assert_eq!(it.value, Some(if it.mv == repeats { 0.5 } else { 0.75 }), "{}", it.mv);
    }
}

#[test]
fn a_max_robust_child_gets_more_time_while_the_two_disagree() {
    // Without exploration the first winner of a coin flip is the most visited; the means disagree for long.
    let settings = Settings {
        limits: iterations(40),
        selection: Selection::uct(3.0),
        choice: Choice::MaxRobust { extension: 2.0 },
        ..Settings::default()
    };
    let counts: Vec<u64> = (0..40)
        .map(|seed| {
            let mut player = Mcts::new(settings, Blank).expect("settings in order");
            player.start_game(seed);
            player.decide_position(&Board::EMPTY).expect("a legal move").effort.iterations
        })
        .collect();
    assert!(counts.iter().all(|count| (40..=120).contains(count) && (count - 40) % 10 == 0), "{counts:?}");
    assert!(counts.contains(&40) && counts.iter().any(|&count| count > 40), "{counts:?}");
    let mut player = Mcts::new(settings, Blank).expect("settings in order");
    let history = History::new(Board::EMPTY);
    let limited = player.decide_within(&history, iterations(40)).expect("a legal move");
    assert_eq!(limited.effort.iterations, 40);
}

#[test]
fn a_max_robust_child_gets_no_more_nodes_than_are_allowed() {
    let base = Settings {
        limits: iterations(40),
        selection: Selection::uct(3.0),
        choice: Choice::MaxRobust { extension: 2.0 },
        ..Settings::default()
    };
    let nodes = |limit| Limits { nodes: Some(limit), ..Limits::NONE };
    for parallelism in [Parallelism::Single, Parallelism::Root { trees: 2 }, Parallelism::Tree { threads: 3 }] {
        for seed in 0..20 {
            let spent = |limits: Limits, task| {
                let settings = Settings { limits: limits.and(base.limits), parallelism, ..base };
                let mut player = Mcts::new(settings, Blank).expect("settings in order");
                player.start_game(seed);
                player.decide_within(&History::new(Board::EMPTY), task).expect("a legal move").effort.nodes
            };
            assert!(spent(Limits::NONE, nodes(44)) <= 44, "{parallelism:?}");
            assert!(spent(nodes(44), Limits::NONE) <= 44, "{parallelism:?}");
        }
    }
}

/// Settings whose every leaf is a search of its own, and by far too large a one.
fn far_ahead() -> impl Iterator<Item = Settings> {
    let base = Settings { simulation: Simulation::LookAhead { moves: 8 }, minimax: 0.0, ..Settings::default() };
    let judged = Settings { expansion: Expansion::ALL_AT_ONCE, minimax: 0.5, ..base };
    let threads = Settings { parallelism: Parallelism::Tree { threads: 2 }, ..judged };
    let trees = Settings { parallelism: Parallelism::Root { trees: 2 }, ..base };
    [base, judged, threads, trees].into_iter()
}

/// Decides and checks that what was begun and not ended counts for nothing.
fn decide_in_vain<P: Position>(settings: Settings, history: &History<P>, limits: Limits, stop: &Stop) {
    let mut player = Mcts::new(settings, Blank).expect("settings in order");
    for _ in 0..2 {
        let decision = player.decide(Task { history, limits, stop, observer: &mut |_| {} }).expect("a legal move");
        assert!(history.position().is_legal(decision.best));
        let visits: u64 = decision.moves.iter().filter_map(|it| it.visits).sum();
        assert!(visits <= decision.effort.iterations, "{visits} of {}", decision.effort.iterations);
        assert!(decision.moves.iter().all(|it| it.visits != Some(0) || it.value.is_none()));
    }
}

#[test]
fn time_ends_a_look_ahead() {
    let limits = Limits { time: Some(Duration::from_millis(10)), ..Limits::NONE };
    for settings in far_ahead() {
        decide_in_vain(settings, &History::new(Layout::BelgianDaisy.position()), limits, &Stop::new());
        let tiles = State(Tiles::from_nibbles(0x0000_0100_0002_1321));
        decide_in_vain(settings, &History::new(tiles), limits, &Stop::new());
    }
}

#[test]
fn a_raised_flag_ends_a_look_ahead() {
    for settings in far_ahead() {
        let stop = Stop::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                stop.raise();
            });
            decide_in_vain(settings, &History::new(Layout::BelgianDaisy.position()), Limits::NONE, &stop);
        });
    }
}
