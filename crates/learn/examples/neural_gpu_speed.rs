//! How fast a neural network judges and learns on a GPU, per second on the clock.
//!
//!     cargo run --release --package afterstate-learn --features cuda --example neural_gpu_speed -- [DESIGN]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use afterstate_game::Dice;
use afterstate_learn::neural::gpu::{GpuFit, GpuJudge, Products};
use afterstate_learn::neural::{
    Copies, Design, Device, Examples, Fit, FitSettings, Network, NeuralValue, Origin, StoredNetwork,
};
use afterstate_twenty48::Board;

/// Games that ask at once, and how many boards each hands in: about what an expectimax of depth 4 with ten sampled spawns has
/// below one of its moves.
const GAMES: usize = 300;
const HANDED_IN: usize = 260;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "cnn".to_owned());
    if let Err(error) = measure(&name) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn measure(name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let design = Design::built_in(name)?;
    let mut dice = Dice::seeded(1);
    let network = Network::random(&design, &mut dice);
    let boards: Vec<Board> = (0..65_536).map(|_| Board::from_nibbles(dice.bits() & dice.bits())).collect();

    for products in [Products::Rounded, Products::Exact] {
        for batch in [1024, 16_384] {
            let mut judge = GpuJudge::new(&network, batch, products)?;
            let mut outputs = Vec::new();
            let per_second = rate(|| {
                outputs.clear();
                judge.judge(&boards[..batch], &mut outputs).map(|()| batch)
            })?;
            println!("{name}, {products:?} products: {per_second:.0} evaluations/s in batches of {batch}");
        }
    }
    println!(
        "{name}: {:.0} evaluations/s, {GAMES} threads handing in {HANDED_IN} at a time",
        served(&network, &boards)?
    );

    let targets = boards.iter().map(|board| board.count_empty() as f32).collect();
    let (examples, none) = (Examples { boards, targets }, Examples::default());
    for products in [Products::Rounded, Products::Exact] {
        for batch in [1024, 16_384] {
            let settings = FitSettings { batch, ..FitSettings::default() };
            let mut gpu = GpuFit::new(&design, batch, &examples, &none, Copies::Rotations, products)?;
            let mut fit = Fit::new(network.clone());
            let per_second = rate(|| gpu.run_epoch(&mut fit, &settings, 1).map(|_| 4 * examples.boards.len()))?;
            println!("{name}, {products:?} products: {per_second:.0} training samples/s in batches of {batch}");
        }
    }
    Ok(())
}

/// Boards that a network judges in a second for many threads, deduplication and waiting included.
fn served(network: &Network, boards: &[Board]) -> Result<f64, Box<dyn std::error::Error>> {
    let stored = StoredNetwork { network: network.clone(), scale: 1.0, origin: Origin::default() };
    let value = NeuralValue::on(Device::Cuda, &stored)?;
    let (started, done) = (Instant::now(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for game in 0..GAMES {
            let (value, done) = (&value, &done);
            scope.spawn(move || {
                let mut values = Vec::new();
                let mut parts = boards.chunks_exact(HANDED_IN).cycle().skip(game);
                while started.elapsed().as_secs_f64() < 3.0 {
                    values.clear();
                    value.values(parts.next().unwrap_or_default().iter().copied(), &mut values);
                    done.fetch_add(values.len(), Ordering::Relaxed);
                }
            });
        }
    });
    Ok(done.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64())
}

/// How much `work` does in a second, as the best of three tries of at least a second each: what disturbs only makes slower.
fn rate<X>(mut work: impl FnMut() -> Result<usize, X>) -> Result<f64, X> {
    let mut best = 0.0f64;
    for _ in 0..3 {
        let (started, mut done) = (Instant::now(), 0);
        while started.elapsed().as_secs_f64() < 1.0 {
            done += work()?;
        }
        best = best.max(done as f64 / started.elapsed().as_secs_f64());
    }
    Ok(best)
}
