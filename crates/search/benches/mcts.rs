//! How many iterations a second Monte Carlo tree search makes: `cargo bench -p afterstate-search --bench mcts`.

use std::hint::black_box;

use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{Dice, Evaluation, Limits, Player, Position, Settled};
use afterstate_search::mcts::{
    Chance, Cut, Expansion, Mcts, MoveOrdering, Parallelism, Payoff, Scale, Selection, Settings, Simulation, Unordered,
};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::Empty;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// The balance of lost marbles.
struct Losses;

impl Evaluation<Abalone> for Losses {
    fn position(&self, position: &Abalone) -> f32 {
        let side = position.side_to_move();
        1000.0 * (f32::from(position.lost(!side)) - f32::from(position.lost(side)))
    }

    fn afterstate(&self, afterstate: &Settled<Abalone>) -> f32 {
        -self.position(&afterstate.0)
    }
}

const ITERATIONS: u64 = 2000;

fn limits() -> Limits {
    Limits { iterations: Some(ITERATIONS), ..Limits::NONE }
}

fn bench<P: Position, E: Evaluation<P>, O: MoveOrdering<P>>(
    criterion: &mut Criterion,
    name: &str,
    mut player: Mcts<P, E, O>,
    position: &P,
) {
    let mut group = criterion.benchmark_group("mcts");
    group.throughput(Throughput::Elements(ITERATIONS));
    group.bench_function(name, |bencher| bencher.iter(|| black_box(player.decide_position(position))));
    group.finish();
}

/// A board from the middle of a random game.
fn board() -> State {
    let mut dice = Dice::seeded(3);
    (0..30).fold(State::start(&mut dice), |state, _| {
        use afterstate_game::Afterstate as _;
        let Some(mv) = state.random_move(&mut dice) else { return state };
        state.play_unchecked(mv).afterstate.draw(&mut dice)
    })
}

fn twenty48(criterion: &mut Criterion) {
    let rollouts = Settings {
        limits: limits(),
        simulation: Simulation::Random { limit: Some(8) },
        payoff: Payoff { scale: Scale::Raw, ..Payoff::default() },
        ..Settings::default()
    };
    let two = Settings { parallelism: Parallelism::Root { trees: 2 }, ..rollouts };
    let shared = Settings { parallelism: Parallelism::Tree { threads: 2 }, ..rollouts };
    let sampled = Settings { chance: Chance::Sampled, ..rollouts };
    for (name, settings) in [
        ("2048, sampled", sampled),
        ("2048, explicit", rollouts),
        ("2048, two trees", two),
        ("2048, one tree for two", shared),
    ] {
        let player = Mcts::new(settings, Empty).expect("settings in order");
        bench(criterion, name, player, &board());
    }
}

fn abalone(criterion: &mut Criterion) {
    let cut = Settings {
        limits: limits(),
        selection: Selection::uct(0.2),
        expansion: Expansion::ALL_AT_ONCE,
        simulation: Simulation::Random { limit: Some(40) },
        payoff: Payoff { scale: Scale::Linear { half_range: 6000.0 }, cut: Cut::Evaluation, ..Payoff::default() },
        ..Settings::default()
    };
    let two = Settings { parallelism: Parallelism::Root { trees: 2 }, ..cut };
    let shared = Settings { parallelism: Parallelism::Tree { threads: 2 }, ..cut };
    for (name, settings) in [("Abalone", cut), ("Abalone, two trees", two), ("Abalone, one tree for two", shared)] {
        let player = Mcts::with_ordering(settings, Losses, Unordered).expect("settings in order");
        bench(criterion, name, player, &Layout::BelgianDaisy.position());
    }
}

criterion_group!(benches, twenty48, abalone);
criterion_main!(benches);
