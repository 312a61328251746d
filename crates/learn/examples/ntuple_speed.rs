//! Moves per CPU-second of learning and playing: `cargo run --release -p afterstate-learn --example ntuple_speed`.
//!
//! One thread; CPU time, not wall time, so that a busy machine changes little.

use std::time::Duration;

use afterstate_game::Stop;
use afterstate_learn::ntuple::{Credit, Design, Phase, Rate, Restart, Settings, Training};

fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let task = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = task.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks: u64 = fields.get(11..13).map_or(0, |times| times.iter().filter_map(|t| t.parse::<u64>().ok()).sum());
    if ticks > 0 {
        Duration::from_millis(ticks * 10)
    } else {
        Duration::from_nanos(text.split(' ').next().and_then(|t| t.parse().ok()).unwrap_or(0))
    }
}

fn main() {
    let games: u64 = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(10_000);
    for name in ["4x6", "8x6"] {
        for (label, rate, credit) in [
            ("TD(0)", Rate::Constant(0.1), Credit::Online),
            ("TC(0)", Rate::Coherent(1.0), Credit::Online),
            ("TC(0.5) backward", Rate::Coherent(1.0), Credit::Backward(0.5)),
        ] {
            let design = Design::built_in(name).expect("built in");
            let phase = Phase { games: u64::MAX, rate, credit, restart: Restart::Never };
            let settings =
                Settings { design, phases: vec![phase], round: games, sample: 300, threads: 1, ..Settings::default() };
            let mut training = Training::new(settings).expect("memory");
            let stop = Stop::new();
            training.round(&stop, |_| ());
            let before = training.evaluate().moves;
            let started = cpu_time();
            training.round(&stop, |_| ());
            let learned = cpu_time() - started;
            let started = cpu_time();
            let point = training.evaluate();
            let played = cpu_time() - started;
            println!(
                "{name} {label}: learning {:.2} M moves/s, playing {:.2} M moves/s, mean {:.0} after {} games",
                (point.moves - before) as f64 / learned.as_secs_f64() / 1e6,
                point.sample.moves as f64 / played.as_secs_f64() / 1e6,
                point.sample.mean,
                point.games,
            );
        }
    }
}
