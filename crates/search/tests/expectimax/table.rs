//! The rules by which a stored value stands for a search.

use afterstate_game::{Evaluation, History, Limits, Player as _, Position, Stop};
use afterstate_search::expectimax::{
    Chance, Dead, Depth, DepthUnit, Expectimax, InvalidSettings, Keys, Lifetime, MIN_TABLE_BYTES, Reuse, Settings,
    Sharing, TableNodes, TableSettings,
};
use afterstate_twenty48::{Slid, State};

use crate::boards::{self, Corner, Sum};
use crate::walk::{Walk, Whim};
use crate::{decide, decide_within, values_of};

fn with_table<P: Position>(depth: u32, table: TableSettings<P>) -> Settings<P> {
    Settings { depth: Depth::Fixed(depth), dead: Dead::Value(-50.0), table: Some(table), ..Settings::default() }
}

fn without_table<P: Position>(settings: &Settings<P>) -> Settings<P> {
    Settings { table: None, ..settings.clone() }
}

/// Whether the table leaves every value as it is without one, on all roots.
fn changes_nothing<P: Position, E: Evaluation<P> + Copy>(settings: &Settings<P>, evaluation: E, roots: &[P]) -> bool {
    roots.iter().all(|root| {
        let with = decide(settings.clone(), evaluation, root);
        let without = decide(without_table(settings), evaluation, root);
        values_of(&with, root) == values_of(&without, root) && with.best == without.best
    })
}

#[test]
fn an_exact_table_changes_no_value() {
    let walks: Vec<_> = Walk::<3>::all_alive().collect();
    for nodes in [TableNodes::Chance, TableNodes::Max] {
        for sharing in [Sharing::AllMoves, Sharing::PerMove] {
            for chance in [Chance::Full, Chance::Sampled(2), Chance::Likeliest(1)] {
                let table = TableSettings { nodes, sharing, ..TableSettings::default() };
                let settings = Settings { chance, ..with_table(7, table) };
                assert!(changes_nothing(&settings, Whim::<true>, &walks), "{nodes:?}, {sharing:?}, {chance:?}");
            }
        }
    }
}

#[test]
fn an_exact_table_that_is_far_too_small_changes_no_value() {
    let table = TableSettings { bytes: MIN_TABLE_BYTES, ..TableSettings::default() };
    assert!(changes_nothing(&with_table(4, table), Corner, &boards::of_a_random_game(3, 25)));
}

#[test]
fn an_exact_table_kept_for_the_game_changes_no_decision_of_it() {
    let table = TableSettings { lifetime: Lifetime::Game, ..TableSettings::default() };
    let settings = Settings { chance: Chance::Sampled(5), ..with_table(4, table) };
    let mut with = Expectimax::new(settings.clone(), Corner).unwrap();
    let mut without = Expectimax::new(without_table(&settings), Corner).unwrap();
    for seed in [1, 2] {
        with.start_game(seed);
        without.start_game(seed);
        for root in boards::of_a_random_game(seed, 3) {
            let decision = with.decide_position(&root).unwrap();
            assert_eq!(decision.moves, without.decide_position(&root).unwrap().moves);
        }
    }
}

#[test]
fn the_other_rules_change_values() {
    // Only because a rule that never changed anything would be the exact one under another name. The step `Both` makes
    // the same field reachable with different depths left.
    let walks: Vec<_> = Walk::<0>::all_alive().collect();
    for reuse in [Reuse::Sound, Reuse::Shallower] {
        let table = TableSettings { reuse, ..TableSettings::default() };
        assert!(!changes_nothing(&with_table(7, table), Whim::<false>, &walks), "{reuse:?}");
    }
}

/// Decides the same root twice in one game, with a first and then with a second depth, and says whether the second
/// decision has the values of the first.
fn second_is_first(reuse: Reuse, lifetime: Lifetime, first: u32, second: u32) -> bool {
    let table = TableSettings { reuse, lifetime, ..TableSettings::default() };
    let mut player = Expectimax::new(with_table(9, table), Whim::<false>).expect("the settings make sense");
    let mut values = |depth| {
        let limits = Limits { depth: Some(depth), ..Limits::NONE };
        let (decision, _) = decide_within(&mut player, Walk::<3>::START, limits, &Stop::new());
        values_of(&decision, &Walk::<3>::START)
    };
    values(first) == values(second)
}

#[test]
fn each_rule_reuses_the_depths_it_names() {
    use Lifetime::{Decision, Game};
    for (reuse, deeper, same, shallower) in
        [(Reuse::Exact, false, true, false), (Reuse::Sound, true, true, false), (Reuse::Shallower, false, true, true)]
    {
        // A search of 3 finds values of 5 half-moves (deeper), of 3, or of 1 (shallower).
        assert_eq!(second_is_first(reuse, Game, 5, 3), deeper, "{reuse:?}");
        assert_eq!(second_is_first(reuse, Game, 3, 3), same, "{reuse:?}");
        assert_eq!(second_is_first(reuse, Game, 1, 3), shallower, "{reuse:?}");
        assert!(!second_is_first(reuse, Decision, 5, 3), "{reuse:?}: forgotten after the decision");
    }
}

/// Likes what [`Corner`] likes, or the opposite from the first move on.
#[derive(Clone, Copy)]
struct Fickle(f32);

impl Evaluation<State> for Fickle {
    fn prepare(&mut self, history: &History<State>) -> bool {
        let now = if history.ply() == 0 { 1.0 } else { -1.0 };
        std::mem::replace(&mut self.0, now) != now
    }

    fn position(&self, position: &State) -> f32 {
        self.0 * Corner.position(position)
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.0 * Corner.afterstate(afterstate)
    }
}

#[test]
fn a_table_kept_for_the_game_forgets_what_another_evaluation_said() {
    let table = TableSettings { lifetime: Lifetime::Game, ..TableSettings::default() };
    let new = || Expectimax::new(with_table(4, table.clone()), Fickle(1.0)).unwrap();
    let start = boards::of_a_random_game(5, 40)[1];
    let mut used = new();
    let best = used.decide_position(&start).unwrap().best;
    let mut history = History::new(start);
    history.push(best, start);
    let decide = |player: &mut Expectimax<State, Fickle>| player.decide_within(&history, Limits::NONE).unwrap();
    assert_eq!(decide(&mut used).moves, decide(&mut new()).moves);
    assert!(decide(&mut used).effort.nodes < decide(&mut new()).effort.nodes);
}

#[test]
fn a_new_game_forgets_the_last_one() {
    let table = TableSettings { lifetime: Lifetime::Game, ..TableSettings::default() };
    let mut player = Expectimax::new(with_table(6, table), Whim::<false>).unwrap();
    let mut nodes = || {
        let nodes = |player: &mut Expectimax<_, _>| player.decide_position(&Walk::<0>::START).unwrap().effort.nodes;
        let (fresh, known) = (nodes(&mut player), nodes(&mut player));
        player.start_game(0);
        (fresh, known)
    };
    let (fresh, known) = nodes();
    assert!(known < fresh / 10, "{known} of {fresh}");
    assert_eq!(nodes(), (fresh, known));
}

#[test]
fn a_table_saves_work_and_counts_its_hits() {
    let root = boards::of_a_random_game(5, 40)[1];
    for nodes in [TableNodes::Chance, TableNodes::Max] {
        let settings = with_table(4, TableSettings { nodes, ..TableSettings::default() });
        let with = decide(settings.clone(), Corner, &root).effort;
        let without = decide(without_table(&settings), Corner, &root).effort;
        assert!(with.moves_tried < without.moves_tried / 2, "{nodes:?}: {with:?}, {without:?}");
        assert!(0 < with.table_hits && with.table_hits < with.table_probes && with.table_probes < with.nodes);
        assert_eq!((without.table_probes, without.table_hits), (0, 0));
    }
}

#[test]
fn symmetric_keys_save_more_and_keep_the_values() {
    let canonical = Keys::Canonical {
        afterstate: |slid: &Slid| slid.0.canonical().key(),
        position: |state: &State| state.0.canonical().key(),
    };
    for root in boards::of_a_random_game(11, 20) {
        let own = with_table(4, TableSettings { bytes: 32 << 20, ..TableSettings::default() });
        let table = TableSettings { keys: canonical.clone(), bytes: 32 << 20, ..TableSettings::default() };
        let (own, symmetric) = (decide(own, Sum, &root), decide(with_table(4, table), Sum, &root));
        assert!(symmetric.effort.nodes <= own.effort.nodes);
        for (a, b) in values_of(&own, &root).into_iter().zip(values_of(&symmetric, &root)) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() <= 1e-4 * a.1.abs(), "{a:?}, {b:?}, {root:?}");
        }
    }
}

#[test]
fn an_impossible_table_is_refused() {
    let build =
        |bytes| Expectimax::new(with_table::<State>(2, TableSettings { bytes, ..TableSettings::default() }), Corner);
    assert_eq!(build(64).err(), Some(InvalidSettings::TableTooSmall(64)));
    let error = build(u64::MAX / 2).unwrap_err();
    assert!(matches!(error, InvalidSettings::TableTooLarge(_)));
    assert_eq!(error.to_string(), "no memory for a table of 9223372036854775807 bytes");
}

#[test]
fn depth_units_say_where_the_leaves_are() {
    let plies = |unit: DepthUnit| [1, 2, 3].map(|depth| unit.plies(depth));
    assert_eq!(plies(DepthUnit::HalfMoves), [0, 1, 2]);
    assert_eq!(plies(DepthUnit::HalfMovesAfterMove), [1, 2, 3]);
    assert_eq!(plies(DepthUnit::Levels), [1, 3, 5]);
    assert_eq!(plies(DepthUnit::MovesAhead), [2, 4, 6]);
}
