//! The player: from a task to a decision.

use std::fmt;
use std::time::Duration;

use afterstate_game::{Decision, Evaluation, History, NoLegalMove, Player, Position, Task, derive_seed};

use super::check::SettingsError;
use super::choice::{self, RootMove};
use super::ordering::{MoveOrdering, Unordered};
use super::parallel::{Forest, Search, Spent};
use super::plan::Plan;
use super::reuse;
use super::settings::{Reuse, Settings};
use super::sharing::Sharing;
use super::tree::{ROOT, Tree};
use super::worker::Method;

/// A player that searches by Monte Carlo tree search.
pub struct Mcts<P: Position, E, O = Unordered> {
    method: Method<E, O>,
    pub(super) forest: Forest<P::Move>,
    seed: u64,
    /// Decisions of this game so far.
    decisions: u64,
    /// What the trees are about: the position and its number in the game.
    root: Option<(P, u32)>,
}

impl<P: Position, E, O> fmt::Debug for Mcts<P, E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts").field("settings", &self.method.settings).finish_non_exhaustive()
    }
}

impl<P: Position, E: Evaluation<P>> Mcts<P, E> {
    /// A player that judges moves by nothing but search.
    pub fn new(settings: Settings, evaluation: E) -> Result<Self, SettingsError> {
        Self::with_ordering(settings, evaluation, Unordered)
    }
}

impl<P: Position, E: Evaluation<P>, O: MoveOrdering<P>> Mcts<P, E, O> {
    /// A player that knows which moves look promising.
    pub fn with_ordering(settings: Settings, evaluation: E, ordering: O) -> Result<Self, SettingsError> {
        let settings = settings.checked::<P, E>()?;
        let forest = Forest::new(&settings);
        Ok(Self { method: Method { settings, evaluation, ordering }, forest, seed: 0, decisions: 0, root: None })
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.method.settings
    }

    /// Brings evaluation, ordering and trees to the position to decide.
    fn prepare(&mut self, history: &History<P>) {
        let values_change = self.method.evaluation.prepare(history);
        let promises_change = self.method.ordering.prepare(history);
        let last = self.root.replace((history.position().clone(), history.ply()));
        let last = last.filter(|_| !values_change && !promises_change);
        match last {
            Some((position, ply)) if self.method.settings.reuse == Reuse::Keep => {
                let chance = self.method.settings.chance;
                let way =
                    Way { from: &position, to: history.position(), plies: history.ply().checked_sub(ply), chance };
                match &mut self.forest {
                    Forest::Alone(trees) => trees.iter_mut().for_each(|tree| way.follow(tree)),
                    Forest::Shared(tree, _) => way.follow(tree),
                }
            }
            _ => self.forest.clear(),
        }
    }

    fn search(&mut self, task: &mut Task<'_, P>, legal: &[P::Move], plan: &Plan, phase: u64) -> Spent {
        let search = Search {
            method: &self.method,
            history: task.history,
            allowance: plan.allowance,
            stop: task.stop,
            seed: derive_seed(self.seed, &[self.decisions, phase]),
        };
        let settings = &self.method.settings;
        let observer = &mut *task.observer;
        match &mut self.forest {
            Forest::Alone(trees) => search.run_alone(trees, |tree, spent| {
                observe(observer, settings, legal, tree, spent, plan.started.elapsed());
            }),
            Forest::Shared(tree, threads) => search.run_shared(tree, *threads, |tree, spent| {
                observe(observer, settings, legal, tree, spent, plan.started.elapsed());
            }),
        }
    }

    fn root_moves(&self, legal: &[P::Move]) -> Vec<RootMove<P::Move>> {
        match &self.forest {
            Forest::Alone(trees) => choice::root_moves(legal, trees.iter()),
            Forest::Shared(tree, _) => choice::root_moves(legal, std::iter::once(tree)),
        }
    }

    /// The expected continuation by the tree that knows most about the best move.
    fn line(&self, best: P::Move) -> Vec<P::Move> {
        match &self.forest {
            Forest::Alone(trees) => trees
                .iter()
                .reduce(|a, b| if choice::visits(b, best) > choice::visits(a, best) { b } else { a })
                .map_or_else(|| vec![best], |tree| choice::line(tree, best)),
            Forest::Shared(tree, _) => choice::line(tree, best),
        }
    }
}

impl<P: Position, E: Evaluation<P>, O: MoveOrdering<P>> Player<P> for Mcts<P, E, O> {
    fn decide(&mut self, mut task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove> {
        let mut plan = Plan::start(&self.method.settings, &task.limits);
        let legal = task.position().moves();
        match legal.as_slice() {
            [] => return Err(NoLegalMove),
            // Nothing to choose: the tree of the last decision waits for the next one.
            &[only] => return Ok(Decision::unsearched(only, [only])),
            _ => {}
        }
        self.prepare(task.history);
        self.decisions += 1;
        let mut spent = self.search(&mut task, &legal, &plan, 0);
        let mut moves = self.root_moves(&legal);
        for phase in 1..=Plan::EXTENSIONS {
            if choice::is_settled(&moves, &self.method.settings) || !plan.extend(spent.effort) {
                break;
            }
            spent.add(self.search(&mut task, &legal, &plan, phase));
            moves = self.root_moves(&legal);
        }
        let time = plan.started.elapsed();
        let mut decision = choice::decision(moves, &self.method.settings, spent.effort, spent.depth, time);
        if let Some(decision) = &mut decision {
            decision.line = self.line(decision.best);
        }
        decision.ok_or(NoLegalMove)
    }

    fn start_game(&mut self, seed: u64) {
        self.seed = seed;
        self.decisions = 0;
        self.root = None;
        self.forest.clear();
    }
}

/// Shows the observer what a tree says so far.
fn observe<M: Copy + Eq + Send + Sync, S: Sharing>(
    observer: &mut dyn FnMut(&Decision<M>),
    settings: &Settings,
    legal: &[M],
    tree: &Tree<M, S>,
    spent: Spent,
    time: Duration,
) {
    let moves = choice::root_moves(legal, std::iter::once(tree));
    if let Some(mut decision) = choice::decision(moves, settings, spent.effort, spent.depth, time) {
        decision.line = choice::line(tree, decision.best);
        observer(&decision);
    }
}

/// How the game went on from the position a tree is about.
struct Way<'a, P> {
    from: &'a P,
    to: &'a P,
    /// Half-moves between the two; `None` if time went backwards.
    plies: Option<u32>,
    chance: super::Chance,
}

impl<P: Position> Way<'_, P> {
    /// Makes the position at the end of the way the root of the tree.
    fn follow<S: Sharing>(&self, tree: &mut Tree<P::Move, S>) {
        let node = self.plies.and_then(|plies| reuse::locate(tree, self.chance, self.to, plies, (ROOT, self.from)));
        match node {
            Some(node) => reuse::reroot(tree, node),
            None => tree.clear(),
        }
    }
}
