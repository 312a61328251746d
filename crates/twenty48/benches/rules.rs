//! How fast the rules are: random play, slide and spawn included.

use std::hint::black_box;

use afterstate_game::Dice;
use afterstate_twenty48::{State, playout};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Enough that no branch predictor learns the games by heart.
const GAMES: u32 = 5000;

fn random_play(criterion: &mut Criterion) {
    let games = || {
        let mut dice = Dice::seeded(black_box(1));
        (0..GAMES).map(|_| playout(State::start(&mut dice), &mut dice)).map(|game| u64::from(game.moves)).sum::<u64>()
    };
    let mut group = criterion.benchmark_group("random play");
    group.throughput(Throughput::Elements(games()));
    group.bench_function("moves", |bencher| bencher.iter(games));
    group.finish();
}

criterion_group!(benches, random_play);
criterion_main!(benches);
