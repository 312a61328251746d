//! What the laboratory adds to bare games: random players are the hardest case, because their games are over in
//! microseconds. `stored` must reach 90% of `played`, or 20,000 games per second.

use std::ops::ControlFlow;

use afterstate_game::Limits;
use afterstate_lab::experiment::{Planned, StopRule, run_planned};
use afterstate_lab::store::Store;
use afterstate_lab::{Machinery, Provenance, Series as _, SoloRun};
use afterstate_twenty48::State;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const GAMES: u64 = 10_000;

fn random_games(c: &mut Criterion) {
    let mut group = c.benchmark_group("random games of 2048");
    group.throughput(Throughput::Elements(GAMES)).sample_size(10);
    for threads in [1, 2] {
        let machinery = Machinery { threads, ..Machinery::default() };
        group.bench_function(BenchmarkId::new("played", threads), |bencher| {
            let run = SoloRun::<State>::new("random", 1, Limits::NONE);
            bencher.iter(|| run.play(GAMES, &machinery, |_, _| ControlFlow::Continue(())));
        });
        group.bench_function(BenchmarkId::new("stored", threads), |bencher| {
            let path = std::env::temp_dir().join(format!("afterstate-bench-{}.db", std::process::id()));
            let mut store = Store::open(&path).expect("a results file");
            let session = store.begin_session(&Provenance::here("bench", threads), "").expect("a session");
            let mut seed = 0;
            bencher.iter(|| {
                seed += 1;
                let series = SoloRun::<State>::new("random", seed, Limits::NONE);
                let plan = [Planned { series, stop: StopRule::Games { games: GAMES } }];
                run_planned(&plan, &mut store, session, &machinery, |_| ControlFlow::Continue(()))
            });
            drop(store);
            for suffix in ["", "-wal", "-shm", ".lock"] {
                let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
            }
        });
    }
    group.finish();
}

criterion_group!(benches, random_games);
criterion_main!(benches);
