//! How fast expectimax decides, with the settings of the seeds' players:
//! `cargo bench -p afterstate-search --bench expectimax`.
//!
//! Elements are moves tried in the sense of the C++ program that `xiao` is modelled on: four for every position whose
//! moves are looked at, legal or not.

#[path = "../tests/expectimax/presets.rs"]
mod presets;

use std::hint::black_box;

use afterstate_game::{Evaluation, Notation as _, Player as _};
use afterstate_search::expectimax::{Expectimax, Reuse, Settings};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::{Dietenberger, Jordal, Maqsood, Tabled, Xiao, ZhawSearch};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// From the first hundred moves of a game, and from after two thousand.
const POSITIONS: [(&str, &str); 2] =
    [("early", "0 0 2 0/0 4 0 2/2 8 16 4/64 32 8 2"), ("late", "0 2 0 0/0 0 4 0/4 32 32 8/4096 128 64 16")];

fn bench<E: Evaluation<State> + Clone>(
    criterion: &mut Criterion,
    name: &str,
    settings: &Settings<State>,
    evaluation: &E,
) {
    let mut group = criterion.benchmark_group("expectimax");
    for (place, text) in POSITIONS {
        let root = State::parse(text).expect("the positions are well written");
        let mut player = Expectimax::new(settings.clone(), evaluation.clone()).expect("the settings make sense");
        let moves = player.decide_position(&root).expect("the position is alive").effort.moves_tried;
        group.throughput(Throughput::Elements(moves));
        group.bench_function(format!("{name}, {place}"), |bencher| {
            bencher.iter(|| black_box(player.decide_position(black_box(&root))));
        });
    }
    group.finish();
}

fn players(criterion: &mut Criterion) {
    let maqsood = Tabled::<Maqsood>::default();
    bench(criterion, "xiao", &presets::xiao(), &Tabled::<Xiao>::default());
    bench(criterion, "maqsood/exp6", &presets::maqsood(6, Some(Reuse::Sound)), &maqsood);
    bench(criterion, "maqsood/exp4 without table", &presets::maqsood(4, None), &maqsood);
    bench(criterion, "dietenberger/exp6", &presets::dietenberger(6), &Tabled::<Dietenberger>::default());
    bench(criterion, "jordal", &presets::jordal(), &Tabled::<Jordal>::default());
    bench(criterion, "zhaw/search", &presets::zhaw_search(), &Tabled::<ZhawSearch>::default());
}

criterion_group!(benches, players);
criterion_main!(benches);
