//! Laws that every tree obeys, whatever the settings.

use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{Dice, DrawRules, Evaluation, History, Limits, Player, Position, Settled, Stop, Task};
use afterstate_twenty48::State;
use afterstate_twenty48::eval::Empty;
use proptest::prelude::*;

use super::parallel::Forest;
use super::sharing::{Sharing, Slot, Word};
use super::tree::{NodeId, ROOT, Tree};
use super::*;

/// The balance of lost marbles.
struct Losses;

impl Evaluation<Abalone> for Losses {
    fn position(&self, position: &Abalone) -> f32 {
        let side = position.side_to_move();
        f32::from(position.lost(!side)) - f32::from(position.lost(side))
    }

    fn afterstate(&self, afterstate: &Settled<Abalone>) -> f32 {
        -self.position(&afterstate.0)
    }
}

fn shares() -> impl Strategy<Value = Shares> {
    (0.0..1.0, 0.0..1.0).prop_map(|(best, of_rest)| Shares { best, random: (1.0 - best) * of_rest })
}

fn rule() -> impl Strategy<Value = Rule> {
    prop_oneof![
        (0.0..3.0).prop_map(|c| Rule::Uct { c }),
        (0.0..3.0).prop_map(|c| Rule::Ucb1Tuned { c }),
        (0.0..3.0, 0.0..100.0).prop_map(|(c, d)| Rule::SinglePlayer { c, d }),
        (0.0..3.0).prop_map(|c| Rule::UctN { c }),
        (0.0..3.0).prop_map(|c| Rule::UctSpread { c }),
    ]
}

fn simulation() -> impl Strategy<Value = Simulation> {
    prop_oneof![
        Just(Simulation::None),
        (1..=2u32).prop_map(|moves| Simulation::LookAhead { moves }),
        (0..12u32).prop_map(|limit| Simulation::Random { limit: Some(limit) }),
        (0..6u32, shares()).prop_map(|(limit, shares)| Simulation::Policy { limit: Some(limit), shares }),
        (0..6u32, 0.0..=1.0).prop_map(|(limit, random)| Simulation::Greedy { limit: Some(limit), random }),
    ]
}

/// Settings that grow the tree one by one.
fn one_by_one() -> impl Strategy<Value = Settings> {
    let chance =
        prop_oneof![Just(Chance::Sampled), Just(Chance::Explicit), Just(Chance::Balanced), Just(Chance::OpenLoop)];
    (chance, rule(), simulation()).prop_map(|(chance, rule, simulation)| Settings {
        chance,
        selection: Selection { rule, ..Selection::uct(1.0) },
        simulation,
        ..Settings::default()
    })
}

/// Settings that grow the tree all at once.
fn all_at_once() -> impl Strategy<Value = Settings> {
    let chance = prop_oneof![Just(Chance::Sampled), Just(Chance::Explicit), Just(Chance::Balanced)];
    let rule = prop_oneof![rule(), (0.0..3.0, 0.1..3.0).prop_map(|(c, temperature)| Rule::Puct { c, temperature })];
    let first_play = prop_oneof![
        Just(FirstPlay::BeforeAll),
        Just(FirstPlay::Static),
        (0.0..1.0).prop_map(FirstPlay::Urgency),
        (0.0..1.0).prop_map(FirstPlay::BelowParent)
    ];
    let selection = (rule, 0.0..1.0, first_play);
    let growth = (proptest::option::of(shares()), 1..4u32);
    (chance, selection, growth, simulation(), 0.0..1.0).prop_map(|(chance, selection, growth, simulation, minimax)| {
        let (rule, bias, first_play) = selection;
        let (keep, at_visit) = growth;
        Settings {
            chance,
            selection: Selection { rule, bias, first_play },
            expansion: Expansion::AllAtOnce { keep, at_visit },
            simulation,
            minimax,
            ..Settings::default()
        }
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let payoff = Payoff { scale: Scale::Linear { half_range: 16.0 }, ..Payoff::default() };
    let limits = (1..400u64).prop_map(|count| Limits { iterations: Some(count), ..Limits::NONE });
    let parallelism = prop_oneof![
        2 => Just(Parallelism::Single),
        1 => Just(Parallelism::Root { trees: 2 }),
        1 => Just(Parallelism::Tree { threads: 2 })
    ];
    // From room for a few nodes to more than enough.
    let memory = prop_oneof![1000..20_000u64, Just(1 << 24)];
    (prop_oneof![one_by_one(), all_at_once()], limits, parallelism, memory).prop_map(
        move |(settings, limits, parallelism, memory)| Settings { limits, payoff, parallelism, memory, ..settings },
    )
}

/// A position after some random half-moves.
fn wander<P: Position>(start: P, plies: u32, seed: u64) -> P {
    use afterstate_game::Afterstate as _;
    let mut dice = Dice::seeded(seed);
    (0..plies).fold(start, |position, _| match position.random_move(&mut dice) {
        Some(mv) => position.play_unchecked(mv).afterstate.draw(&mut dice),
        None => position,
    })
}

/// What the law of visits needs to know about a search.
struct Law {
    settings: Settings,
    has_chance: bool,
    sides: u8,
}

impl Law {
    /// Checks a node and all below it; `answers` says that the node is a move whose children are answers of chance.
    fn check<M: Copy + Eq + Send + Sync, S: Sharing>(
        &self,
        tree: &Tree<M, S>,
        id: NodeId,
        answers: bool,
    ) -> Result<u32, TestCaseError> {
        let node = tree.node(id);
        let done = node.done.get();
        prop_assert_eq!(node.begun.get(), done, "every visit begun was finished");
        if done > 0 {
            let mean = node.sum.get() / f64::from(done);
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&mean), "the mean {} is a payoff", mean);
        }
        let mut below = 0;
        let mut count = 1;
        let children: Vec<_> = tree.children(id).collect();
        for &child in &children {
            below += tree.node(child).done.get();
            prop_assert_eq!(tree.node(child).mv.get().is_none(), answers, "moves and answers alternate");
            let explicit = self.has_chance && self.settings.chance.has_nodes();
            count += self.check(tree, child, explicit && !answers)?;
        }
        for (place, &child) in children.iter().enumerate() {
            let twin = |&other: &NodeId| {
                let (a, b) = (tree.node(child), tree.node(other));
                if answers { a.tag.get() == b.tag.get() } else { a.mv.get() == b.mv.get() }
            };
            prop_assert!(!children[..place].iter().any(twin), "no child is there twice");
        }
        self.check_minimax(tree, id, answers)?;
        // A node is visited when it is new, and then for the sake of its children; again and again only where it has
        // none, because the game or the memory ends there.
        prop_assert!(done >= below, "{} visits, {} below", done, below);
        Ok(count)
    }

    /// A visited node is worth the best of its moves, or the mean of its answers, also where the memory is full. With
    /// several threads on a tree, a value may be older than those below it.
    fn check_minimax<M: Copy + Eq + Send + Sync, S: Sharing>(
        &self,
        tree: &Tree<M, S>,
        id: NodeId,
        answers: bool,
    ) -> Result<(), TestCaseError> {
        let node = tree.node(id);
        if self.settings.minimax == 0.0 || node.done.get() == 0 || !self.settings.parallelism.is_reproducible() {
            return Ok(());
        }
        let children = || tree.children(id).map(|child| tree.node(child));
        let minimax = |child: &tree::Node<M, S>| f64::from(child.minimax.get());
        let expected = if answers {
            let seen = || children().filter(|child| child.done.get() > 0).map(|child| (minimax(child), child));
            let weight = |child: &tree::Node<M, S>| f64::from(child.promise.get());
            let unseen = 1.0 - seen().map(|(_, child)| weight(child)).sum::<f64>();
            let known: f64 = seen().map(|(value, child)| value * weight(child)).sum();
            children().next().map(|_| known + unseen * f64::from(node.judged.get()))
        } else {
            let best = children().map(minimax).reduce(f64::max);
            best.map(|best| if self.sides == 2 { self.settings.payoff.flipped(best) } else { best })
        };
        if let Some(expected) = expected {
            let found = f64::from(node.minimax.get());
            prop_assert!((found - expected).abs() < 1e-5, "minimax {}, but {} below", found, expected);
        }
        Ok(())
    }
}

fn check_forest<M: Copy + Eq + Send + Sync>(law: &Law, forest: &Forest<M>) -> Result<(), TestCaseError> {
    match forest {
        Forest::Alone(trees) => {
            for tree in trees {
                prop_assert_eq!(law.check(tree, ROOT, false)?, tree.len(), "every node is in the tree");
            }
        }
        Forest::Shared(tree, _) => {
            prop_assert!(law.check(tree, ROOT, false)? <= tree.len(), "a node lost to a race is not in the tree");
        }
    }
    Ok(())
}

/// Decides a few moves in a row and checks the trees after each.
fn check_game<P: Position, E: Evaluation<P>, O: MoveOrdering<P>>(
    mut player: Mcts<P, E, O>,
    start: P,
    rules: DrawRules,
) -> Result<(), TestCaseError> {
    use afterstate_game::Afterstate as _;
    let law = Law { settings: *player.settings(), has_chance: P::Afterstate::HAS_CHANCE, sides: P::SIDES };
    let mut history = History::with_rules(start, rules);
    let mut dice = Dice::seeded(1);
    player.start_game(3);
    for _ in 0..3 {
        let stop = Stop::new();
        let task = Task { history: &history, limits: Limits::NONE, stop: &stop, observer: &mut |_| {} };
        let Ok(decision) = player.decide(task) else { break };
        check_forest(&law, &player.forest)?;
        let legal = history.position().moves();
        prop_assert!(legal.contains(&decision.best));
        prop_assert_eq!(decision.moves.len(), legal.len(), "every legal move is reported");
        prop_assert_eq!(decision.line[0], decision.best);
        let iterations = law.settings.limits.iterations.unwrap_or(0);
        if legal.len() > 1 {
            prop_assert_eq!(decision.effort.iterations, iterations);
        }
        let next = history.position().play_unchecked(decision.best).afterstate.draw(&mut dice);
        history.push(decision.best, next);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_tree_of_2048_obeys_the_laws(settings in settings(), plies in 0..150u32, seed: u64, keep: bool) {
        let reuse = if keep { Reuse::Keep } else { Reuse::Fresh };
        let player = Mcts::with_ordering(Settings { reuse, ..settings }, Empty, ByEvaluation(Empty));
        let start = wander(State::start(&mut Dice::seeded(seed)), plies, seed);
        check_game(player.unwrap(), start, DrawRules::default())?;
    }

    #[test]
    fn a_tree_of_abalone_obeys_the_laws(settings in settings(), plies in 0..150u32, seed: u64, keep: bool) {
        let reuse = if keep { Reuse::Keep } else { Reuse::Fresh };
        let player = Mcts::with_ordering(Settings { reuse, ..settings }, Losses, ByClass);
        let start = wander(Layout::BelgianDaisy.position(), plies, seed);
        let rules = DrawRules { repetitions: Some(2), max_plies: Some(7), ..DrawRules::default() };
        check_game(player.unwrap(), start, rules)?;
    }
}

/// The number of nodes whose visits are not one more than those of their children.
fn exceptions<M: Copy + Eq + Send + Sync, S: Sharing>(tree: &Tree<M, S>, own_visits: impl Fn(NodeId) -> u32) -> usize {
    let below = |id| tree.children(id).map(|child| tree.node(child).done.get()).sum::<u32>();
    (ROOT..tree.len()).filter(|&id| tree.node(id).done.get() != own_visits(id) + below(id)).count()
}

fn tree_of<P: Position, E: Evaluation<P>>(
    settings: Settings,
    evaluation: E,
    root: &P,
) -> Tree<P::Move, sharing::Alone> {
    let mut player = Mcts::new(settings, evaluation).unwrap();
    player.decide_position(root).unwrap();
    match player.forest {
        Forest::Alone(mut trees) => trees.remove(0),
        Forest::Shared(..) => panic!("one thread has a tree of its own"),
    }
}

#[test]
fn a_node_is_visited_once_for_itself_and_then_for_its_children() {
    let limits = Limits { iterations: Some(3000), ..Limits::NONE };
    let simulation = Simulation::Random { limit: Some(8) };
    for expansion in [Expansion::OneByOne, Expansion::ALL_AT_ONCE] {
        let settings = Settings { limits, simulation, expansion, ..Settings::default() };
        let tree = tree_of(settings, Losses, &Layout::Standard.position());
        let own = |id| u32::from(id != ROOT && tree.node(id).done.get() > 0);
        assert_eq!(exceptions(&tree, own), 0, "{expansion:?}");
        assert_eq!(tree.node(ROOT).done.get(), 3000);
    }
}

#[test]
fn a_move_of_an_explicit_tree_is_visited_for_its_answers_only() {
    let limits = Limits { iterations: Some(3000), ..Limits::NONE };
    let simulation = Simulation::Random { limit: Some(8) };
    let settings = Settings { limits, simulation, chance: Chance::Explicit, ..Settings::default() };
    let tree = tree_of(settings, Empty, &State::start(&mut Dice::seeded(5)));
    // An answer drawn on the way down is visited for its first child at once; one made together with its move is
    // visited for itself first.
    let mut first_answers = vec![false; tree.len() as usize];
    for id in (ROOT..tree.len()).filter(|&id| tree.node(id).mv.get().is_some()) {
        first_answers[tree.children(id).next().unwrap() as usize] = true;
    }
    assert_eq!(exceptions(&tree, |id| u32::from(first_answers[id as usize])), 0);
}
