//! How fast the alpha-beta search is: nodes per second to a fixed depth, and perft through the search's own moves.

use std::hint::black_box;

use afterstate_abalone::evaluation::Hauff;
use afterstate_abalone::{Layout, Position};
use afterstate_game::{History, Limits, Player};
use afterstate_search::alphabeta::{AlphaBeta, Settings};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const LAYOUTS: [Layout; 2] = [Layout::Standard, Layout::BelgianDaisy];

fn player(settings: Settings) -> AlphaBeta<Position, Hauff> {
    AlphaBeta::new(settings, Hauff::default()).expect("the table is small")
}

/// A search from scratch; the number of its evaluations.
fn search(player: &mut AlphaBeta<Position, Hauff>, history: &History<Position>, depth: u32) -> u64 {
    player.start_game(0);
    let limits = Limits { depth: Some(depth), ..Limits::NONE };
    player.decide_within(history, limits).map_or(0, |decision| decision.effort.evaluations)
}

fn searches(criterion: &mut Criterion) {
    for (name, settings, depth) in [("classic", Settings::classic(), 5), ("modern", Settings::modern(), 8)] {
        let mut group = criterion.benchmark_group(format!("{name} to depth {depth}"));
        group.sample_size(20);
        for layout in LAYOUTS {
            let history = History::new(layout.position());
            let mut player = player(settings.clone());
            group.throughput(Throughput::Elements(search(&mut player, &history, depth)));
            group.bench_function(layout.name(), |bencher| {
                bencher.iter(|| search(&mut player, black_box(&history), depth));
            });
        }
        group.finish();
    }
}

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft through the search");
    group.sample_size(20);
    for layout in LAYOUTS {
        let history = History::new(layout.position());
        let mut player = player(Settings::modern());
        group.throughput(Throughput::Elements(player.count_leaves(&history, 3)));
        group.bench_function(layout.name(), |bencher| bencher.iter(|| player.count_leaves(black_box(&history), 3)));
    }
    group.finish();
}

criterion_group!(benches, searches, perft);
criterion_main!(benches);
