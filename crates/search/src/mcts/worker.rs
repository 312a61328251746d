//! One iteration of the search: down the tree, a simulation below it, and the payoff back up.

use afterstate_game::{Afterstate, Dice, Effort, Evaluation, History, Outcome, Played, Position};

use super::ahead::Room;
use super::ordering::MoveOrdering;
use super::rules::Referee;
use super::select::best_child;
use super::settings::{Chance, Expansion, Rule, Settings, Simulation};
use super::sharing::{Sharing, Slot, Word};
use super::tree::{CLAIMED, NONE, Node, NodeId, ROOT, Tree};
use crate::Budget;

/// What a search knows and how it goes about it; the same for all its threads.
pub(super) struct Method<E, O> {
    pub(super) settings: Settings,
    pub(super) evaluation: E,
    pub(super) ordering: O,
}

/// A thread at work on a tree, with all the room it needs: an iteration allocates nothing but nodes.
pub(super) struct Worker<'a, P: Position, E, O, S: Sharing> {
    pub(super) method: &'a Method<E, O>,
    pub(super) tree: &'a Tree<P::Move, S>,
    pub(super) root: &'a P,
    pub(super) dice: Dice,
    pub(super) referee: Referee,
    pub(super) effort: Effort,
    /// Half-moves of the longest path.
    pub(super) depth: u32,
    /// The number of nodes at which the tree stops growing, if its memory does not stop it before.
    pub(super) node_limit: u32,
    /// Half-moves at which a path ends.
    deepest: u32,
    /// Whether the tree may still grow.
    pub(super) growing: bool,
    path: Vec<Step>,
    /// The moves of a node that have a child.
    tried: Vec<P::Move>,
    /// The moves at hand and how promising they are.
    pub(super) moves: Vec<P::Move>,
    pub(super) promises: Vec<f32>,
    pub(super) ranked: Vec<(P::Move, f32)>,
    /// What a look-ahead needs.
    pub(super) room: Room<P::Move>,
    /// What ends a look-ahead.
    pub(super) budget: Budget<'a>,
}

/// A node of the path.
#[derive(Clone, Copy)]
struct Step {
    node: NodeId,
    /// Points of the move into the node, where they count.
    reward: f32,
    /// Whether a side moves here: not before an answer of chance.
    turn: bool,
}

/// What the minimax values of a node's children amount to.
enum Below {
    /// The best move, for the side to move.
    Moves(f64),
    /// The mean over the answers of chance, for the side that moved.
    Answers(f64),
}

/// Where a path goes on.
enum Next {
    /// With this child.
    Child(NodeId),
    /// With this child, which was just made: the simulation starts there.
    New(NodeId),
    /// Nowhere: the simulation starts here.
    Leaf,
}

impl<'a, P, E, O, S> Worker<'a, P, E, O, S>
where
    P: Position,
    E: Evaluation<P>,
    O: MoveOrdering<P>,
    S: Sharing,
{
    pub(super) fn new(
        method: &'a Method<E, O>,
        tree: &'a Tree<P::Move, S>,
        history: &'a History<P>,
        dice: Dice,
        node_limit: u32,
        deepest: Option<u32>,
        budget: Budget<'a>,
    ) -> Self {
        Self {
            method,
            tree,
            root: history.position(),
            dice,
            referee: Referee::new(history),
            effort: Effort::default(),
            depth: 0,
            node_limit,
            deepest: deepest.unwrap_or(u32::MAX),
            growing: true,
            path: Vec::new(),
            tried: Vec::new(),
            moves: Vec::new(),
            promises: Vec::new(),
            ranked: Vec::new(),
            room: Room::default(),
            budget,
        }
    }

    /// One more iteration; `false` if the search ended in the middle of it and nothing came of it.
    pub(super) fn iterate(&mut self) -> bool {
        self.referee.rewind();
        self.path.clear();
        self.enter(ROOT, 0, true);
        let (position, outcome) = self.descend();
        let depth = self.referee.depth();
        let payoff = match outcome {
            Some(outcome) => self.finished(outcome, &position),
            None => self.static_family().unwrap_or_else(|| self.simulate(position)),
        };
        if self.budget.is_exhausted() {
            self.path.iter().for_each(|step| self.tree.node(step.node).begun.update(|begun| begun - 1));
            return false;
        }
        self.back_up(payoff);
        self.depth = self.depth.max(depth);
        self.effort.iterations += 1;
        true
    }

    /// From the root to where the tree ends: the position there, and its outcome if the history ends the game.
    fn descend(&mut self) -> (P, Option<Outcome>) {
        let mut position = self.root.clone();
        let mut node = ROOT;
        let mut fresh = false;
        loop {
            let outcome = if node == ROOT { None } else { self.referee.outcome(&position) };
            if fresh || outcome.is_some() || self.referee.depth() >= self.deepest {
                return (position, outcome);
            }
            let (child, is_new) = match self.next(node, &position) {
                Next::Child(child) => (child, false),
                Next::New(child) => (child, true),
                Next::Leaf => return (position, None),
            };
            let Some(mv) = self.tree.node(child).mv.get() else { return (position, None) };
            self.referee.play(&position, mv);
            let (next, reached) = self.answer(child, &position.play_unchecked(mv));
            position = next;
            fresh = is_new || reached.is_none();
            node = reached.unwrap_or(child);
        }
    }

    /// Puts a node on the path.
    #[inline]
    fn enter(&mut self, node: NodeId, reward: u32, turn: bool) {
        self.tree.node(node).begun.update(|begun| begun + 1);
        let reward = if E::COUNTS_REWARDS { reward as f32 } else { 0.0 };
        self.path.push(Step { node, reward, turn });
    }

    /// Lets the world answer the move of `child`. Returns the position and its node; `None` if there is no memory
    /// for one.
    #[inline]
    fn answer(&mut self, child: NodeId, played: &Played<P>) -> (P, Option<NodeId>) {
        if !P::Afterstate::HAS_CHANCE {
            self.enter(child, played.reward, true);
            return (played.afterstate.draw(&mut self.dice), Some(child));
        }
        match self.method.settings.chance {
            Chance::OpenLoop => {
                self.enter(child, played.reward, true);
                (played.afterstate.draw(&mut self.dice), Some(child))
            }
            Chance::Sampled => {
                self.enter(child, played.reward, true);
                let mut dice = Dice::seeded(self.tree.node(child).tag.get());
                (played.afterstate.draw(&mut dice), Some(child))
            }
            chance @ (Chance::Explicit | Chance::Balanced) => {
                let position = match chance {
                    // An answer that can have no node is never counted, and would be due for ever.
                    Chance::Balanced if self.growing => self.due(child, &played.afterstate),
                    _ => None,
                };
                let position = position.unwrap_or_else(|| played.afterstate.draw(&mut self.dice));
                let drawn = self.drawn(child, &played.afterstate, position.key());
                self.enter(child, played.reward, drawn.is_none());
                if let Some(drawn) = drawn {
                    self.enter(drawn, 0, true);
                }
                (position, drawn)
            }
        }
    }

    /// The answer below the move of `child` that lags furthest behind what its probability asks for.
    fn due(&self, child: NodeId, afterstate: &P::Afterstate) -> Option<P> {
        let next_visit = f64::from(self.tree.node(child).begun.get() + 1);
        let mut due: Option<(P, f64)> = None;
        afterstate.for_each_answer(|position, probability| {
            let key = position.key();
            let node = self.tree.children(child).map(|id| self.tree.node(id)).find(|node| node.tag.get() == key);
            let lag = f64::from(probability) * next_visit - node.map_or(0.0, |node| f64::from(node.begun.get()));
            if due.as_ref().is_none_or(|&(_, furthest)| lag > furthest) {
                due = Some((position, lag));
            }
        });
        due.map(|(position, _)| position)
    }

    /// The node of a drawn answer below the move of `child`.
    fn drawn(&mut self, child: NodeId, afterstate: &P::Afterstate, key: u64) -> Option<NodeId> {
        let (tree, limit) = (self.tree, self.node_limit);
        let weighs = self.method.settings.minimax > 0.0;
        let found = tree.find_or_append(
            &tree.node(child).first,
            |node| node.tag.get() == key,
            || {
                let made = tree.allocate(1, limit)?;
                tree.node(made).tag.set(key);
                if weighs {
                    tree.node(made).promise.set(probability(afterstate, key));
                }
                Some(made)
            },
        );
        self.growing &= found.is_some();
        Some(found?.0)
    }

    /// Where the path goes on from a node where a side moves.
    #[inline]
    fn next(&mut self, node: NodeId, position: &P) -> Next {
        match self.method.settings.expansion {
            Expansion::OneByOne if P::Afterstate::HAS_CHANCE && self.method.settings.chance == Chance::OpenLoop => {
                self.next_open(node, position)
            }
            Expansion::OneByOne => self.next_one(node, position),
            Expansion::AllAtOnce { at_visit, .. } => self.next_of_all(node, position, at_visit),
        }
    }

    fn next_one(&mut self, node: NodeId, position: &P) -> Next {
        let parent = self.tree.node(node);
        if parent.untried.get() == 0 {
            parent.untried.claim(0, position.count_moves() as u32 + 1);
        }
        while parent.untried.get() > 1 && self.growing {
            if let Some(new) = self.try_untried(node, position) {
                parent.untried.update(|untried| untried - 1);
                return Next::New(new);
            }
        }
        self.best(node, |_| true)
    }

    /// In an open loop the legal moves depend on the answers drawn on the way.
    fn next_open(&mut self, node: NodeId, position: &P) -> Next {
        if self.growing
            && let Some(new) = self.try_untried(node, position)
        {
            return Next::New(new);
        }
        self.best(node, |mv| position.is_legal(mv))
    }

    /// Makes a child for a random one of the untried moves; `None` if there is none, or no memory, or another thread
    /// was faster.
    fn try_untried(&mut self, node: NodeId, position: &P) -> Option<NodeId> {
        let (tree, moves, tried) = (self.tree, &mut self.moves, &mut self.tried);
        // Read once: the children lie anywhere in memory.
        tried.clear();
        tried.extend(tree.children(node).filter_map(|child| tree.node(child).mv.get()));
        moves.clear();
        position.for_each_move(|mv| {
            if !tried.contains(&mv) {
                moves.push(mv);
            }
        });
        let mv = *moves.get(self.dice.below(moves.len() as u32) as usize)?;
        let Some(made) = tree.allocate(1, self.node_limit) else {
            self.growing = false;
            return None;
        };
        self.fill(made, mv);
        let is_it = |node: &Node<P::Move, S>| node.mv.get() == Some(mv);
        match tree.find_or_append(&tree.node(node).first, is_it, || Some(made)) {
            Some((new, true)) => Some(new),
            _ => None,
        }
    }

    fn next_of_all(&mut self, node: NodeId, position: &P, at_visit: u32) -> Next {
        let parent = self.tree.node(node);
        let first = parent.first.get();
        if first == CLAIMED {
            return Next::Leaf;
        }
        if first == NONE {
            let earlier = parent.done.get();
            let due = node == ROOT || earlier + 1 >= at_visit;
            let expanded = due && self.growing && self.expand(node, position);
            // The first visit of a node is for the node itself.
            if !expanded || (earlier == 0 && node != ROOT) {
                return Next::Leaf;
            }
        }
        self.best(node, |_| true)
    }

    /// Makes a child for every move that is kept. `false` if there is none, or no memory, or no time to judge them, or
    /// another thread is at it.
    fn expand(&mut self, node: NodeId, position: &P) -> bool {
        let parent = self.tree.node(node);
        if !parent.first.claim(NONE, CLAIMED) {
            return false;
        }
        self.rank_family(position);
        let count = self.ranked.len() as u32;
        let first = if count == 0 { None } else { self.tree.allocate(count, self.node_limit) };
        let Some(first) = first else {
            self.growing &= count == 0;
            parent.first.set(NONE);
            return false;
        };
        for place in 0..count {
            let (id, (mv, promise)) = (first + place, self.ranked[place as usize]);
            self.fill(id, mv);
            let child = self.tree.node(id);
            child.promise.set(promise);
            if place + 1 < count {
                child.next.set(id + 1);
            }
            if self.method.settings.uses_static_values() {
                let played = position.play_unchecked(mv);
                let value = self.static_payoff(position, mv, &played);
                let reward = if E::COUNTS_REWARDS { f64::from(played.reward) } else { 0.0 };
                child.minimax.set(value as f32);
                child.judged.set((value - reward) as f32);
            }
        }
        // Children that were not judged in time are lost.
        let judged = !self.budget.is_exhausted();
        parent.first.set(if judged { first } else { NONE });
        judged
    }

    /// Writes into a new node what a move needs.
    #[inline]
    fn fill(&mut self, id: NodeId, mv: P::Move) {
        let node = self.tree.node(id);
        node.mv.fill(mv);
        if P::Afterstate::HAS_CHANCE && self.method.settings.chance == Chance::Sampled {
            node.tag.set(self.dice.bits());
        }
    }

    #[inline]
    fn best(&self, node: NodeId, legal: impl Fn(P::Move) -> bool) -> Next {
        let settings = &self.method.settings;
        let flip = |mean| if P::SIDES == 2 { settings.payoff.flipped(mean) } else { mean };
        let allowed = |child: &Node<P::Move, S>| child.mv.get().is_some_and(&legal);
        best_child(self.tree, node, settings, flip, allowed).map_or(Next::Leaf, Next::Child)
    }

    /// The payoff of a game that is over, for the side to move.
    pub(super) fn finished(&mut self, outcome: Outcome, position: &P) -> f64 {
        let payoff = &self.method.settings.payoff;
        payoff.of(payoff
            .of_outcome(outcome, position.side_to_move(), || f64::from(self.method.evaluation.position(position))))
    }

    /// The payoff of a move's result for the side that moved, as far as it is known without the tree.
    fn static_payoff(&mut self, position: &P, mv: P::Move, played: &Played<P>) -> f64 {
        let settings = &self.method.settings;
        if let Simulation::LookAhead { moves } = settings.simulation {
            return self.look_ahead(|ahead| ahead.after(position, mv, moves));
        }
        if !P::Afterstate::HAS_CHANCE {
            let next = played.afterstate.draw(&mut self.dice);
            if let Some(outcome) = next.outcome() {
                let payoff = self.finished(outcome, &next);
                return if P::SIDES == 2 { settings.payoff.flipped(payoff) } else { payoff };
            }
        }
        self.effort.evaluations += 1;
        settings.payoff.of(f64::from(self.method.evaluation.played(played)))
    }

    /// Where static values are all there is to know of the end of the path and it has children already: the best of
    /// theirs.
    fn static_family(&self) -> Option<f64> {
        let settings = &self.method.settings;
        if !settings.simulation.is_exact() || !settings.uses_static_values() {
            return None;
        }
        match self.below(self.path.last()?.node)? {
            Below::Moves(best) => Some(best),
            Below::Answers(_) => None,
        }
    }

    /// What the minimax values of a node's children amount to; `None` without children that have one.
    fn below(&self, node: NodeId) -> Option<Below> {
        let first = self.tree.children(node).next()?;
        let children = self.tree.children(node).map(|child| self.tree.node(child));
        if self.tree.node(first).mv.get().is_some() {
            return children.map(|child| f64::from(child.minimax.get())).reduce(f64::max).map(Below::Moves);
        }
        // Each answer with its probability, which is less noisy than the frequency of its draws; for those that were
        // never drawn stands what was known before any was.
        let judged = f64::from(self.tree.node(node).judged.get());
        let mut value = judged;
        for child in children.filter(|child| child.done.get() > 0) {
            value += f64::from(child.promise.get()) * (f64::from(child.minimax.get()) - judged);
        }
        Some(Below::Answers(value))
    }

    /// Tells every node of the path the payoff, which is that of the side to move at its end.
    fn back_up(&mut self, mut payoff: f64) {
        let settings = &self.method.settings;
        if matches!(settings.selection.rule, Rule::UctN { .. }) {
            self.tree.largest.update(|largest| largest.max(payoff));
        }
        let leaf = self.path.len() - 1;
        for (place, step) in self.path.iter().enumerate().rev() {
            if step.turn && P::SIDES == 2 {
                payoff = settings.payoff.flipped(payoff);
            }
            payoff += f64::from(step.reward);
            self.tree.node(step.node).add(payoff);
            if settings.minimax > 0.0 {
                let judged = place == leaf && settings.simulation.is_exact();
                self.back_up_minimax(*step, judged.then_some(payoff));
            }
        }
    }

    /// Takes the minimax value of a node from its children, or where it has none, from how it was just `judged`.
    fn back_up_minimax(&self, step: Step, judged: Option<f64>) {
        let value = self.below(step.node).map(|below| match below {
            Below::Moves(best) if P::SIDES == 2 => self.method.settings.payoff.flipped(best),
            Below::Moves(value) | Below::Answers(value) => value,
        });
        if let Some(value) = value.map(|value| value + f64::from(step.reward)).or(judged) {
            self.tree.node(step.node).minimax.set(value as f32);
        }
    }
}

/// The probability of the answer with this key.
fn probability<A: Afterstate>(afterstate: &A, key: u64) -> f32 {
    let mut found = 0.0;
    afterstate.for_each_answer(|position, probability| {
        if position.key() == key {
            found += probability;
        }
    });
    found
}
