//! Moves per CPU-second of learning and playing: `cargo run --release -p afterstate-learn --example ntuple_speed`.
//!
//! One thread; CPU time, not wall time, so that a busy machine changes little.

use afterstate_game::Stop;
use afterstate_learn::ntuple::{Credit, Design, Phase, Rate, Restart, Settings, Training};
use cpu_time::ProcessTime;

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
            let started = ProcessTime::now();
            training.round(&stop, |_| ());
            let learned = started.elapsed();
            let started = ProcessTime::now();
            let point = training.evaluate();
            let played = started.elapsed();
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
