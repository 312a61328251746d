//! The hot paths of learning and playing, on a 4x6 network that has learned from a few hundred games.

use std::hint::black_box;

use afterstate_game::{Afterstate, Dice, Stop};
use afterstate_learn::ntuple::{Credit, Network, Phase, Rate, Restart, Settings, Training};
use afterstate_twenty48::{Board, Slid, State};
use criterion::{Criterion, criterion_group, criterion_main};

fn settings(rate: Rate, credit: Credit) -> Settings {
    let phase = Phase { games: u64::MAX, rate, credit, restart: Restart::Never };
    Settings { phases: vec![phase], round: 300, sample: 1, threads: 1, ..Settings::default() }
}

/// The positions of one game as the network plays it.
fn positions(network: &Network) -> Vec<Board> {
    let mut dice = Dice::seeded(1);
    let mut state = State::start(&mut dice);
    let mut boards = Vec::new();
    while let Some(choice) = network.best(state.0) {
        boards.push(state.0);
        state = Slid(choice.afterstate).draw(&mut dice);
    }
    boards
}

fn ntuple(criterion: &mut Criterion) {
    let mut training = Training::new(settings(Rate::Coherent(1.0), Credit::Online)).expect("memory for 4x6");
    training.round(&Stop::new(), |_| ());
    let boards = positions(training.network());
    let mut next = boards.iter().cycle();
    criterion.bench_function("ntuple/value", |bench| {
        bench.iter(|| next.next().map(|&board| training.network().value(black_box(board))));
    });
    let mut next = boards.iter().cycle();
    criterion.bench_function("ntuple/best", |bench| {
        bench.iter(|| next.next().map(|&board| training.network().best(black_box(board))));
    });
    for (name, rate, credit) in [
        ("ntuple/learn 300 games, TD(0)", Rate::Constant(0.1), Credit::Online),
        ("ntuple/learn 300 games, TC(0)", Rate::Coherent(1.0), Credit::Online),
        ("ntuple/learn 300 games, TC(0.5) backward", Rate::Coherent(1.0), Credit::Backward(0.5)),
    ] {
        let mut training = Training::new(settings(rate, credit)).expect("memory for 4x6");
        criterion.bench_function(name, |bench| bench.iter(|| training.round(&Stop::new(), |_| ())));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = ntuple
}
criterion_main!(benches);
