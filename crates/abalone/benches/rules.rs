//! Speed of the rules and evaluations, on the positions of lively games.

use std::hint::black_box;

use afterstate_abalone::evaluation::{Centre, Chorus, Hauff};
use afterstate_abalone::{Layout, Position, perft, perft_plain};
use afterstate_game::{Dice, Evaluation, Position as _, Tactics};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Positions of random games from the two layouts of the thesis.
fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for (seed, layout) in (0..20).zip([Layout::Standard, Layout::BelgianDaisy].into_iter().cycle()) {
        let mut dice = Dice::seeded(seed);
        let mut position = layout.position();
        for _ in 0..100 {
            positions.push(position);
            let Some(mv) = position.random_move(&mut dice) else { break };
            position = position.play_unchecked(mv).afterstate.0;
        }
    }
    positions
}

fn bench_perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for (layout, lines) in [(Layout::Standard, 5_045_110), (Layout::BelgianDaisy, 8_270_666)] {
        let position = layout.position();
        group.throughput(Throughput::Elements(lines));
        group.bench_function(BenchmarkId::new("bulk", layout), |bencher| {
            bencher.iter(|| perft(black_box(&position), 4));
        });
        group.bench_function(BenchmarkId::new("plain", layout), |bencher| {
            bencher.iter(|| perft_plain(black_box(&position), 4));
        });
    }
    group.finish();
}

fn bench_positions(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("positions");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut each = |name: &str, visit: &mut dyn FnMut(&Position) -> f64| {
        group.bench_function(name, |bencher| bencher.iter(|| positions.iter().map(&mut *visit).sum::<f64>()));
    };
    each("count moves", &mut |position| position.count_moves() as f64);
    each("generate moves", &mut |position| {
        let mut codes = [0u16; 256];
        let mut count = 0;
        position.for_each_move(|mv| {
            codes[count & 255] = mv.code() as u16;
            count += 1;
        });
        f64::from(black_box(&codes)[0])
    });
    each("generate ejections", &mut |position| {
        let mut count = 0;
        position.for_each_loud_move(|_| count += 1);
        f64::from(count)
    });
    let mut dice = Dice::seeded(1);
    each("random move", &mut |position| position.random_move(&mut dice).map_or(0.0, |mv| mv.code() as f64));
    let (hauff, mass) = (Hauff::default(), Hauff { centre: Centre::Mass, ..Hauff::default() });
    each("hauff", &mut |position| f64::from(hauff.position(position)));
    each("hauff by mass", &mut |position| f64::from(mass.position(position)));
    each("chorus", &mut |position| f64::from(Chorus::default().position(position)));
    group.finish();
}

criterion_group!(benches, bench_perft, bench_positions);
criterion_main!(benches);
