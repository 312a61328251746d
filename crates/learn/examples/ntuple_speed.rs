//! Moves per CPU-second of learning and playing: `cargo run --release -p afterstate-learn --example ntuple_speed -- 10000 4x6`.
//!
//! One thread; CPU time, not wall time, so that a busy machine changes little. Every figure is measured in eight parts; what
//! is shown is the median of them and the best, which on a busy machine is nearer to what an idle one does.

use std::sync::Arc;

use afterstate_game::{Afterstate, Dice, Player, Stop};
use afterstate_learn::ntuple::{Credit, Design, Network, Phase, Rate, Restart, Settings, Training};
use afterstate_search::expectimax::{Depth, DepthUnit, Expectimax, Settings as SearchSettings, TableSettings};
use afterstate_twenty48::{Slid, State};
use cpu_time::ProcessTime;

/// The parts of a measurement.
const PARTS: u64 = 8;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().and_then(|games| games.parse().ok()).unwrap_or(10_000);
    let designs: Vec<String> = arguments.collect();
    let designs = if designs.is_empty() { vec!["4x6".to_owned(), "8x6".to_owned()] } else { designs };
    for name in designs {
        for (label, rate, credit) in [
            ("TD(0)", Rate::Constant(0.1), Credit::Online),
            ("TC(0)", Rate::Coherent(1.0), Credit::Online),
            ("TC(0.5) backward", Rate::Coherent(1.0), Credit::Backward(0.5)),
        ] {
            println!("{name} {label}");
            let network = learning(&name, rate, credit, games);
            playing(&network, games);
            if matches!(credit, Credit::Backward(_)) {
                searching(network);
            }
        }
    }
}

/// Learns from `games` games, then from as many again while the time is taken.
fn learning(name: &str, rate: Rate, credit: Credit, games: u64) -> Network {
    let design = Design::built_in(name).expect("built in");
    let phase = Phase { games: u64::MAX, rate, credit, restart: Restart::Never };
    let settings = Settings { design, phases: vec![phase], round: games, sample: 0, threads: 1, ..Settings::default() };
    let mut training = Training::new(settings).expect("memory");
    let stop = Stop::new();
    training.round(&stop, |_| ());
    let mut moves = training.evaluate().moves;
    let part = (games / PARTS).max(1);
    measured("learning", |number| {
        training.round_up_to(games + (number + 1) * part, &stop, |_| ());
        let before = std::mem::replace(&mut moves, training.evaluate().moves);
        moves - before
    });
    training.into_network()
}

fn playing(network: &Network, games: u64) {
    let part = (games / 4 / PARTS).max(10);
    let mut mean = 0.0;
    measured("playing, 1-ply", |number| {
        let sample = network.play_games(part, number, 1);
        mean += sample.mean / PARTS as f64;
        sample.moves
    });
    println!("  mean {mean:.0} in {} games", PARTS * part);
}

/// Two and three plies, without and with a table.
fn searching(network: Network) {
    let network = Arc::new(network);
    for (label, depth, table, moves) in [
        ("2-ply", 1, false, 20_000),
        ("2-ply with a table", 1, true, 20_000),
        ("3-ply", 2, false, 1_000),
        ("3-ply with a table", 2, true, 1_000),
    ] {
        let settings = SearchSettings {
            depth: Depth::Fixed(depth),
            unit: DepthUnit::MovesAhead,
            table: table.then(TableSettings::default),
            ..SearchSettings::default()
        };
        let mut player = Expectimax::new(settings, Arc::clone(&network)).expect("settings");
        let mut dice = Dice::seeded(1);
        let mut state = State::start(&mut dice);
        measured(&format!("playing, {label}"), |_| {
            for _ in 0..moves {
                state = next(&mut player, &state, &mut dice);
            }
            moves
        });
    }
}

/// The position after one move, or that of a new game.
fn next(player: &mut impl Player<State>, state: &State, dice: &mut Dice) -> State {
    match player.decide_position(state) {
        Ok(decision) => Slid(state.0.slide(decision.best).board).draw(dice),
        Err(_) => State::start(dice),
    }
}

/// Shows how many moves a CPU-second has; `run` says how many it made.
fn measured(label: &str, mut run: impl FnMut(u64) -> u64) {
    let speed = |number| {
        let started = ProcessTime::now();
        let moves = run(number);
        moves as f64 / started.elapsed().as_secs_f64()
    };
    let mut speeds: Vec<f64> = (0..PARTS).map(speed).collect();
    speeds.sort_by(f64::total_cmp);
    let shown =
        |speed: f64| if speed < 1e6 { format!("{:.1} k", speed / 1e3) } else { format!("{:.2} M", speed / 1e6) };
    println!(
        "  {label}: {} moves/s, best part {}",
        shown(speeds[PARTS as usize / 2]),
        shown(speeds[PARTS as usize - 1])
    );
}
