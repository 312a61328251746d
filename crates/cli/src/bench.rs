//! `afterstate bench`: the speed of the rules and the searches, per second of CPU time of one thread.

use std::io::Write;
use std::time::Duration;

use afterstate_abalone::{Layout, Position as Abalone, perft};
use afterstate_game::{Afterstate, Dice, Effort, History, Limits, Player, Position, Stop, Task};
use afterstate_players::{Playable, build};
use afterstate_twenty48::{State, playout};
use cpu_time::ThreadTime;
use serde::Serialize;

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::number;
use crate::{bench_lab, bench_serve};

/// One measured figure.
#[derive(Clone, Debug, Serialize)]
struct Figure {
    name: &'static str,
    value: f64,
    unit: &'static str,
}

/// A bench: its name, its unit and how it is measured.
struct Bench {
    name: &'static str,
    unit: &'static str,
    measure: fn() -> Result<f64, Failure>,
}

const BENCHES: &[Bench] = &[
    Bench { name: "2048 random play", unit: "moves/s", measure: random_play },
    Bench { name: "2048 xiao, first 200 moves", unit: "moves tried/s", measure: || xiao(0) },
    Bench { name: "2048 xiao, after 2000 moves", unit: "moves tried/s", measure: || xiao(2000) },
    Bench { name: "2048 maqsood/exp6", unit: "ms/move", measure: maqsood },
    Bench { name: "2048 maqsood/exp6, calls saved, exact", unit: "%", measure: || calls_saved("exp6(reuse=exact,") },
    Bench { name: "2048 maqsood/exp6, calls saved, listing", unit: "%", measure: || calls_saved("exp6-listing(") },
    Bench { name: "2048 dietenberger/exp6", unit: "s/game", measure: dietenberger },
    Bench { name: "2048 maqsood/mctse2000", unit: "iterations/s", measure: mctse },
    Bench { name: "abalone perft", unit: "positions/s", measure: abalone_perft },
    Bench { name: "abalone hauff/alphabeta", unit: "evaluations/s", measure: alphabeta },
    Bench { name: "abalone hauff/mcts", unit: "simulations/s", measure: abalone_mcts },
    Bench { name: "lab random 2048 games, played", unit: "games/s", measure: bench_lab::played },
    Bench { name: "lab random 2048 games, stored", unit: "games/s", measure: bench_lab::stored },
    Bench { name: "serve moves", unit: "answers/s", measure: bench_serve::moves },
    Bench { name: "serve crowd of 500, longest wait", unit: "s", measure: bench_serve::longest_wait },
    Bench { name: "serve crowd of 500, fewest to most turns", unit: "", measure: bench_serve::fairness },
    Bench { name: "serve crowd of 500, server's memory", unit: "MB", measure: bench_serve::memory },
    Bench { name: "serve greedy crowd of 500, server's memory", unit: "MB", measure: bench_serve::greedy_memory },
];

/// Measures the figures whose name contains the filter.
pub(crate) fn run(out: &mut impl Write, args: &BenchArgs) -> Result<(), Failure> {
    let mut figures = Vec::new();
    for bench in BENCHES.iter().filter(|bench| bench.name.contains(&args.filter)) {
        let figure = Figure { name: bench.name, value: (bench.measure)()?, unit: bench.unit };
        if !args.json {
            writeln!(out, "{:<46}{:>12} {}", figure.name, number::scaled(figure.value), figure.unit)?;
            out.flush()?;
        }
        figures.push(figure);
    }
    if figures.is_empty() {
        let names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
        return Err(Failure::input(format!("no bench contains `{}`; known: {}", args.filter, names.join("; "))));
    }
    if args.json {
        serde_json::to_writer(&mut *out, &figures)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Repeats `work`, which says how much it did, for a second of CPU time, and gives the amount per second.
fn per_second(mut work: impl FnMut() -> u64) -> f64 {
    let started = ThreadTime::now();
    let mut done = 0;
    while started.elapsed() < Duration::from_secs(1) {
        done += work();
    }
    done as f64 / started.elapsed().as_secs_f64()
}

fn random_play() -> Result<f64, Failure> {
    let mut dice = Dice::seeded(1);
    Ok(per_second(|| u64::from(playout(State::start(&mut dice), &mut dice).moves)))
}

fn player<P: Playable>(spec: &str) -> Result<Box<dyn Player<P>>, Failure> {
    let mut player = build::<P>(spec).map_err(Failure::input)?;
    player.start_game(1);
    Ok(player)
}

/// What `player` spends on `moves` moves of a game, from where `history` stands; fewer if the game ends.
fn spend<P: Position>(
    player: &mut dyn Player<P>,
    history: &mut History<P>,
    moves: u32,
    limits: Limits,
) -> (u32, Effort, f64) {
    let mut dice = Dice::seeded(7);
    let stop = Stop::new();
    let mut effort = Effort::default();
    let started = ThreadTime::now();
    let mut played = 0;
    while played < moves {
        let task = Task { history, limits, stop: &stop, observer: &mut |_| {} };
        let Ok(decision) = player.decide(task) else { break };
        effort += decision.effort;
        let next = history.position().play_unchecked(decision.best).afterstate.draw(&mut dice);
        history.push(decision.best, next);
        played += 1;
    }
    (played, effort, started.elapsed().as_secs_f64())
}

fn new_game() -> History<State> {
    History::new(State::start(&mut Dice::seeded(1)))
}

/// The moves that the `xiao` player tries per second in 200 moves (or 20, when boards are full and searches deep).
fn xiao(skip: u32) -> Result<f64, Failure> {
    let mut history = new_game();
    // A quicker player leads to a board of that age.
    spend(
        &mut *player::<State>("expectimax(depth=2, unit=moves-ahead, dead-rule=floor)")?,
        &mut history,
        skip,
        Limits::NONE,
    );
    let moves = if skip == 0 { 200 } else { 20 };
    let (_, effort, seconds) = spend(&mut *player::<State>("xiao")?, &mut history, moves, Limits::NONE);
    Ok(effort.moves_tried as f64 / seconds)
}

fn maqsood() -> Result<f64, Failure> {
    let (moves, _, seconds) = spend(&mut *player::<State>("maqsood/exp6")?, &mut new_game(), u32::MAX, Limits::NONE);
    Ok(seconds * 1e3 / f64::from(moves.max(1)))
}

/// The share of the recursive calls at depth 6 that the table saves, counted as the literature counts them.
fn calls_saved(with_table: &str) -> Result<f64, Failure> {
    let calls_per_move = |preset: &str| -> Result<f64, Failure> {
        let spec = format!("maqsood/{preset} leaves=one-by-one)");
        let mut history = new_game();
        // A game in its stride: at the start there are few tiles and many transpositions.
        spend(&mut *player::<State>("maqsood/exp2")?, &mut history, 300, Limits::NONE);
        let (moves, effort, _) = spend(&mut *player::<State>(&spec)?, &mut history, 100, Limits::NONE);
        Ok(effort.nodes as f64 / f64::from(moves.max(1)))
    };
    Ok(100.0 * (1.0 - calls_per_move(with_table)? / calls_per_move("exp6(table=off,")?))
}

fn dietenberger() -> Result<f64, Failure> {
    Ok(spend(&mut *player::<State>("dietenberger/exp6")?, &mut new_game(), u32::MAX, Limits::NONE).2)
}

fn mctse() -> Result<f64, Failure> {
    let (_, effort, seconds) = spend(&mut *player::<State>("maqsood/mctse2000")?, &mut new_game(), 100, Limits::NONE);
    Ok(effort.iterations as f64 / seconds)
}

fn abalone_perft() -> Result<f64, Failure> {
    let start = Layout::BelgianDaisy.position();
    Ok(per_second(|| perft(&start, 4)))
}

fn standard() -> History<Abalone> {
    History::new(Layout::Standard.position())
}

fn alphabeta() -> Result<f64, Failure> {
    let limits = Limits { nodes: Some(500_000), ..Limits::NONE };
    let (_, effort, seconds) = spend(&mut *player::<Abalone>("hauff/alphabeta")?, &mut standard(), 10, limits);
    Ok(effort.evaluations as f64 / seconds)
}

fn abalone_mcts() -> Result<f64, Failure> {
    let (_, effort, seconds) =
        spend(&mut *player::<Abalone>("hauff/mcts(iterations=10000)")?, &mut standard(), 5, Limits::NONE);
    Ok(effort.iterations as f64 / seconds)
}
