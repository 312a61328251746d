//! How fast evaluations judge the leaves of a search: the best of four slides, counted as four moves tried.

use std::hint::black_box;

use afterstate_game::{Afterstate, Dice, Evaluation, Position};
use afterstate_twenty48::eval::{Dietenberger, Empty, Jordal, Maqsood, Tabled, Xiao, ZhawMatrix, ZhawSearch};
use afterstate_twenty48::{Direction, State};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Calls `visit` on every position that can follow.
fn for_each_next(state: &State, mut visit: impl FnMut(State)) {
    for mv in state.moves() {
        state.play_unchecked(mv).afterstate.for_each_answer(|next, _| visit(next));
    }
}

/// The positions two moves and two spawns ahead of some positions of a sensible game, in the order of a search.
fn leaves() -> Vec<State> {
    let xiao = Tabled::<Xiao>::default();
    let worth = |state: &State, mv: Direction| xiao.afterstate(&state.play_unchecked(mv).afterstate);
    let mut dice = Dice::seeded(7);
    let mut state = State::start(&mut dice);
    let mut leaves = Vec::new();
    for ply in 0.. {
        let best = state.moves().into_iter().max_by(|&a, &b| worth(&state, a).total_cmp(&worth(&state, b)));
        let Some(mv) = best else { break };
        if ply % 50 == 49 {
            for_each_next(&state, |next| for_each_next(&next, |leaf| leaves.push(leaf)));
        }
        state = state.play_unchecked(mv).afterstate.draw(&mut dice);
    }
    leaves
}

fn judge(criterion: &mut Criterion) {
    let leaves = leaves();
    let mut group = criterion.benchmark_group("best afterstate");
    group.throughput(Throughput::Elements(4 * leaves.len() as u64));
    let mut bench = |name: &str, best: &dyn Fn(&[State]) -> f32| {
        group.bench_function(name, |bencher| bencher.iter(|| best(black_box(&leaves))));
    };
    bench("xiao", &best_of(Tabled::<Xiao>::default()));
    bench("maqsood", &best_of(Tabled::<Maqsood>::default()));
    bench("jordal", &best_of(Tabled::<Jordal>::default()));
    bench("zhaw matrix", &best_of(Tabled::<ZhawMatrix>::default()));
    bench("zhaw search", &best_of(Tabled::<ZhawSearch>::default()));
    bench("dietenberger", &best_of(Tabled::<Dietenberger>::default()));
    bench("empty", &best_of(Empty));
    group.finish();
}

fn best_of(evaluation: impl Evaluation<State>) -> impl Fn(&[State]) -> f32 {
    move |leaves| leaves.iter().filter_map(|leaf| evaluation.best_afterstate(leaf)).sum()
}

criterion_group!(benches, judge);
criterion_main!(benches);
