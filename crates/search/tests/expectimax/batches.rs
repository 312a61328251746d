//! Leaves judged in batches change nothing but the number of judgements.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use afterstate_game::{Evaluation, Limits};
use afterstate_search::expectimax::{Chance, Dead, Depth, DepthUnit, Leaves, Settings, TableNodes, TableSettings};
use afterstate_twenty48::{Slid, State};

use crate::boards::{self, Corner};
use crate::{decide, values_of};

/// How the evaluation was asked.
#[derive(Debug, Default)]
struct Asked {
    boards: AtomicU64,
    alone: AtomicU64,
    times: AtomicU64,
}

/// The same judgement, in batches of this many.
#[derive(Clone, Debug)]
struct Batched(Arc<Asked>, usize);

impl Batched {
    fn of(size: usize) -> Self {
        Self(Arc::default(), size)
    }
}

impl Evaluation<State> for Batched {
    const COUNTS_REWARDS: bool = true;
    const IN_BATCHES: bool = true;

    fn batch(&self) -> usize {
        self.1
    }

    fn position(&self, position: &State) -> f32 {
        self.0.alone.fetch_add(1, Ordering::Relaxed);
        Corner.position(position)
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.0.alone.fetch_add(1, Ordering::Relaxed);
        Corner.afterstate(afterstate)
    }

    fn positions(&self, positions: &[State], values: &mut Vec<f32>) {
        assert!(positions.len() <= self.1);
        self.0.times.fetch_add(1, Ordering::Relaxed);
        self.0.boards.fetch_add(positions.len() as u64, Ordering::Relaxed);
        Corner.positions(positions, values);
    }

    fn afterstates(&self, afterstates: &[Slid], values: &mut Vec<f32>) {
        assert!(afterstates.len() <= self.1);
        self.0.times.fetch_add(1, Ordering::Relaxed);
        self.0.boards.fetch_add(afterstates.len() as u64, Ordering::Relaxed);
        Corner.afterstates(afterstates, values);
    }
}

fn settings() -> Vec<Settings<State>> {
    let table = |nodes| Some(TableSettings { nodes, ..TableSettings::default() });
    let sampled = Settings { chance: Chance::Sampled(5), unit: DepthUnit::HalfMoves, ..Settings::default() };
    vec![
        Settings { depth: Depth::Fixed(2), ..Settings::default() },
        Settings { depth: Depth::Fixed(3), dead: Dead::Evaluated, ..Settings::default() },
        Settings { depth: Depth::Fixed(4), table: table(TableNodes::Max), dead: Dead::Evaluated, ..sampled.clone() },
        Settings { depth: Depth::Fixed(6), table: table(TableNodes::Chance), threads: 3, ..sampled.clone() },
        Settings { depth: Depth::Fixed(1), ..sampled },
        Settings { depth: Depth::Fixed(3), cutoff: 0.01, ..Settings::default() },
    ]
}

#[test]
fn batches_change_no_value_and_ask_for_every_board_once() {
    for settings in settings() {
        for root in boards::of_a_random_game(31, 40) {
            let one_by_one = decide(Settings { leaves: Leaves::OneByOne, ..settings.clone() }, Corner, &root);
            let batched = Batched::of(512);
            let decision = decide(settings.clone(), batched.clone(), &root);
            assert_eq!(values_of(&decision, &root), values_of(&one_by_one, &root), "{settings:?}");
            let (asked, alone) = (batched.0.boards.load(Ordering::Relaxed), batched.0.alone.load(Ordering::Relaxed));
            // Threads that share a table find in it what the others were quick enough to put there.
            if settings.threads == 1 {
                assert!(decision.effort.evaluations <= one_by_one.effort.evaluations, "{settings:?}");
            }
            // The root's own afterstates are leaves at depth 1; below a cutoff the way to a node decides what is a leaf. The
            // end of the principal line is judged once more, by itself.
            if settings.cutoff == 0.0 && !matches!(settings.depth, Depth::Fixed(1)) {
                assert!(alone <= 4 && asked >= decision.effort.evaluations, "{asked} {alone} {settings:?}");
            }
        }
    }
}

#[test]
fn larger_batches_change_no_value_and_are_fewer() {
    for settings in settings() {
        for root in boards::of_a_random_game(31, 40) {
            let (few, many) = (Batched::of(512), Batched::of(65_536));
            let [in_few, in_many] = [&few, &many].map(|batched| decide(settings.clone(), batched.clone(), &root));
            assert_eq!(values_of(&in_many, &root), values_of(&in_few, &root), "{settings:?}");
            let [few, many] = [&few, &many].map(|batched| batched.0.times.load(Ordering::Relaxed));
            // Threads that share a table find in it what the others were quick enough to put there.
            if settings.threads == 1 {
                assert!(many <= few, "{many} batches instead of {few}, {settings:?}");
            }
            if matches!(settings.depth, Depth::Fixed(4)) && few > 40 {
                // One for the afterstates and one for the dead positions below each of at most four moves.
                assert!(many <= 8, "{many} batches instead of {few}");
            }
        }
    }
}

#[test]
fn a_node_limit_holds_with_batches() {
    let root = boards::of_a_random_game(31, 40)[1];
    for nodes in [1, 100, 3000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::NONE };
        let settings = Settings { limits, depth: Depth::Fixed(20), ..Settings::default() };
        let one_by_one = decide(Settings { leaves: Leaves::OneByOne, ..settings.clone() }, Corner, &root);
        let batched = decide(settings, Batched::of(512), &root);
        assert_eq!((batched.depth, batched.best), (one_by_one.depth, one_by_one.best));
        assert!(batched.effort.nodes <= nodes);
        assert_eq!(batched.effort.nodes, one_by_one.effort.nodes);
    }
}
