//! Every limit holds, and what is reproducible is reproduced.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use afterstate_abalone::evaluation::{Emphasis, Hauff};
use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{Decision, Evaluation, History, Limits, Player as _, Position as _, Settled, Stop, Task};
use afterstate_search::alphabeta::{
    AlphaBeta, InvalidSettings, LateMoves, Lifetime, Memory, NullMove, Ordering, Settings,
};

use crate::Simple;
use crate::minimax::after;
use crate::toys::failing::{FailsElsewhere, FailsHere};

fn start() -> History<Abalone> {
    History::new(Layout::BelgianDaisy.position())
}

fn player(settings: Settings) -> AlphaBeta<Abalone, Simple> {
    AlphaBeta::new(settings, Simple).expect("the table is small")
}

fn with_threads(threads: usize) -> Settings {
    Settings { threads: NonZeroUsize::new(threads).expect("at least one thread"), ..Settings::classic() }
}

#[test]
fn no_node_is_spent_beyond_the_limit() {
    for threads in [1, 3] {
        for nodes in [0, 1, 2, 50, 1000, 54_321] {
            let limits = Limits { nodes: Some(nodes), ..Limits::NONE };
            let decision = player(with_threads(threads)).decide_within(&start(), limits).unwrap();
            assert!(decision.effort.nodes <= nodes);
            assert!(threads > 1 || decision.effort.nodes == nodes, "{} of {nodes}", decision.effort.nodes);
            assert!(start().position().is_legal(decision.best));
        }
    }
}

#[test]
fn no_time_gives_a_legal_move_and_every_move_is_listed() {
    for threads in [1, 2] {
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
        let decision = player(with_threads(threads)).decide_within(&start(), limits).unwrap();
        assert!(start().position().is_legal(decision.best));
        assert_eq!((decision.depth, decision.effort.nodes), (0, 0));
        assert_eq!(decision.moves.len(), start().position().count_moves());
        assert_eq!(decision.moves[0].mv, decision.best);
    }
}

#[test]
fn a_raised_flag_ends_the_search_of_every_thread() {
    for threads in [1, 2] {
        let stop = Stop::new();
        let mut depths = Vec::new();
        let mut observer = |decision: &Decision<_>| {
            depths.push(decision.depth);
            if decision.depth == 3 {
                stop.raise();
            }
        };
        let task = Task {
            history: &start(),
            limits: Limits { depth: Some(60), ..Limits::NONE },
            stop: &stop,
            observer: &mut observer,
        };
        let decision = player(with_threads(threads)).decide(task).unwrap();
        assert_eq!(decision.depth, 3);
        assert_eq!(depths, [1, 2, 3]);
    }
}

#[test]
fn the_players_own_limits_hold_beside_those_of_the_task() {
    let settings = Settings { limits: Limits { depth: Some(2), ..Limits::NONE }, ..Settings::classic() };
    let decision = player(settings).decide_within(&start(), Limits { depth: Some(4), ..Limits::NONE }).unwrap();
    assert_eq!(decision.depth, 2);
}

fn without_time<M>(decision: Decision<M>) -> Decision<M> {
    Decision { time: Duration::ZERO, ..decision }
}

#[test]
fn the_same_calls_give_the_same_decisions() {
    let kept = Memory { lifetime: Lifetime::Game, ..Settings::classic().table.unwrap() };
    for settings in [Settings::classic(), Settings { table: Some(kept), ..Settings::classic() }] {
        let mut player = player(settings);
        let mut game = |seed| {
            player.start_game(seed);
            let mut history = start();
            let mut decisions = Vec::new();
            for _ in 0..6 {
                let decision = player.decide_within(&history, Limits { nodes: Some(5000), ..Limits::NONE }).unwrap();
                history = after(&history, decision.best);
                decisions.push(without_time(decision));
            }
            decisions
        };
        assert_eq!(game(1), game(2));
    }
}

/// Judges like [`Simple`] and notes the ply of every game it is prepared for.
struct Prepared(std::sync::mpsc::Sender<u32>);

impl Evaluation<Abalone> for Prepared {
    fn prepare(&mut self, history: &History<Abalone>) -> bool {
        self.0.send(history.ply()).expect("the test listens");
        false
    }

    fn position(&self, position: &Abalone) -> f32 {
        Simple.position(position)
    }

    fn afterstate(&self, afterstate: &Settled<Abalone>) -> f32 {
        Simple.afterstate(afterstate)
    }
}

#[test]
fn an_evaluation_is_prepared_for_every_decision() {
    let (sender, plies) = std::sync::mpsc::channel();
    let mut player = AlphaBeta::new(Settings::classic(), Prepared(sender)).unwrap();
    let mut history = start();
    for ply in 0..3 {
        let decision = player.decide_within(&history, Limits { depth: Some(1), ..Limits::NONE }).unwrap();
        assert_eq!(plies.try_recv(), Ok(ply));
        history = after(&history, decision.best);
    }
}

#[test]
fn a_table_forgets_what_another_evaluation_said() {
    let kept = Memory { lifetime: Lifetime::Game, ..Settings::classic().table.unwrap() };
    let settings = Settings { table: Some(kept), ..Settings::classic() };
    let limits = Limits { depth: Some(3), ..Limits::NONE };
    // The emphasis is that of the side that decides; attacks count from the second half-move on.
    let emphatic = Hauff { emphasis: Emphasis::OFFENSIVE, attack_from: 0, ..Hauff::default() };
    for hauff in [emphatic, Hauff { attack_from: 1, ..Hauff::default() }] {
        let new = || AlphaBeta::new(settings.clone(), hauff).unwrap();
        let mut used = new();
        let history = after(&start(), used.decide_within(&start(), limits).unwrap().best);
        let decide =
            |player: &mut AlphaBeta<Abalone, Hauff>| without_time(player.decide_within(&history, limits).unwrap());
        assert_eq!(decide(&mut used), decide(&mut new()), "{hauff:?}");
        // What it says now stays as it is.
        let again = decide(&mut used);
        assert!(again.effort.nodes < decide(&mut new()).effort.nodes, "{hauff:?}");
    }
}

#[test]
fn a_resolution_that_is_no_scale_is_refused() {
    for resolution in [0.0, -16.0, f32::NAN, f32::INFINITY] {
        let error = AlphaBeta::<Abalone, _>::new(Settings { resolution, ..Settings::plain() }, Simple).unwrap_err();
        assert!(matches!(error, InvalidSettings::Resolution(_)), "{error}");
    }
}

#[test]
fn no_reduction_is_too_large() {
    let null_move = Some(NullMove { min_depth: 1, reduction: u32::MAX, divisor: 1 });
    let late_moves = Some(LateMoves { max_depth: u32::MAX, base: u32::MAX, factor: u32::MAX });
    let settings = Settings { null_move, late_moves, principal_variation_search: true, ..Settings::plain() };
    let decision = player(settings).decide_within(&start(), Limits { depth: Some(3), ..Limits::NONE }).unwrap();
    assert_eq!(decision.depth, 3);
}

#[test]
#[should_panic(expected = "an evaluation that fails")]
fn what_panics_in_another_thread_is_not_silenced() {
    // Nothing is judged before all threads are at work.
    let settings = Settings { ordering: Ordering::default(), ..with_threads(2) };
    let mut player = AlphaBeta::new(settings, FailsElsewhere::default()).expect("the table is small");
    let _ = player.decide_within(&start(), Limits { depth: Some(4), ..Limits::NONE });
}

#[test]
fn a_panic_ends_the_other_threads() {
    // Nothing is judged before all threads are at work.
    let settings = Settings { ordering: Ordering::default(), ..with_threads(3) };
    let evaluation = FailsHere::default();
    let mut player = AlphaBeta::new(settings, &evaluation).expect("the table is small");
    let limits = Limits { depth: Some(60), ..Limits::NONE };
    let decided = catch_unwind(AssertUnwindSafe(|| player.decide_within(&start(), limits)));
    assert!(decided.is_err(), "the failure is not silenced");
    assert!(evaluation.judged_after() < FailsHere::TOO_MANY, "{} judgements", evaluation.judged_after());
}

/// Fails at its first judgement, and judges well from then on.
#[derive(Default)]
struct FailsOnce(AtomicBool);

impl Evaluation<Abalone> for FailsOnce {
    fn position(&self, position: &Abalone) -> f32 {
        assert!(self.0.swap(true, Relaxed), "an evaluation that fails once");
        Simple.position(position)
    }

    fn afterstate(&self, settled: &Settled<Abalone>) -> f32 {
        -self.position(&settled.0)
    }
}

#[test]
fn a_player_whose_search_panicked_decides_again() {
    let mut fails = AlphaBeta::new(with_threads(1), FailsOnce::default()).expect("the table is small");
    let limits = Limits { depth: Some(2), ..Limits::NONE };
    assert!(catch_unwind(AssertUnwindSafe(|| fails.decide_within(&start(), limits))).is_err());
    let expected = player(with_threads(1)).decide_within(&start(), limits).unwrap();
    assert_eq!(without_time(fails.decide_within(&start(), limits).unwrap()), without_time(expected));
}
