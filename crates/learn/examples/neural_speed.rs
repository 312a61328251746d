//! How fast a neural network judges and learns, per second of CPU time on one core.
//!
//!     cargo run --release --package afterstate-learn --example neural_speed -- [DESIGN | FILE]
//!
//! `crates/learn/examples/neural_speed.py` measures the same network in PyTorch.

use std::error::Error;
use std::path::Path;

use afterstate_game::Dice;
use afterstate_learn::neural::{Copies, Design, Examples, Fit, FitSettings, Judge, Network, Precision, StoredNetwork};
use afterstate_twenty48::Board;
use cpu_time::ProcessTime;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "cnn".to_owned());
    let mut dice = Dice::seeded(1);
    let network = match name.ends_with(".safetensors") {
        true => StoredNetwork::load_with_outputs(Path::new(&name), 1)?.network,
        false => Network::random(&Design::built_in(&name)?, &mut dice),
    };
    let boards: Vec<Board> = (0..4096).map(|_| Board::from_nibbles(dice.bits() & dice.bits())).collect();

    let judges = [Precision::Float32, Precision::Bf16].map(|precision| Judge::with_precision(&network, precision));
    for batch in [1, 8, 100, 1024] {
        let [exact, rounded] = judges.each_ref().map(|judge| {
            let mut outputs = Vec::new();
            rate(|| {
                outputs.clear();
                judge.judge(&boards[..batch], &mut outputs);
                batch
            })
        });
        println!("{name}: {exact:.0} evaluations per CPU-second in batches of {batch}");
        println!("{name}: {rounded:.0} in bf16, {:.2} times as many", rounded / exact);
    }

    let boards = boards[..1024].to_vec();
    let targets = boards.iter().map(|board| board.count_empty() as f32).collect();
    let examples = Examples { boards, targets };
    let settings = FitSettings::default();
    let mut fit = Fit::new(network);
    let per_second = rate(|| {
        if fit.run_epoch(&settings, &examples, &Examples::default(), Copies::None, 1, 1).is_err() {
            eprintln!("the loss is no longer a number");
        }
        1024
    });
    println!("{name}: {per_second:.0} training samples per CPU-second in batches of 1024");
    Ok(())
}

/// How much `work` does in a second of CPU time, as the best of three tries of at least a second each: what disturbs only
/// makes slower.
fn rate(mut work: impl FnMut() -> usize) -> f64 {
    let mut best = 0.0f64;
    for _ in 0..3 {
        let (started, mut done) = (ProcessTime::now(), 0);
        while started.elapsed().as_secs_f64() < 1.0 {
            done += work();
        }
        best = best.max(done as f64 / started.elapsed().as_secs_f64());
    }
    best
}
