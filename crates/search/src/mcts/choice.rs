//! From the statistics of the root to a decision.

use std::time::Duration;

use afterstate_game::{Bound, Decision, Effort, MoveValue};

use super::settings::{Choice, Settings};
use super::sharing::{Sharing, Slot, Word};
use super::tree::{NodeId, ROOT, Tree};

/// The quantile of the normal distribution that 95% lie within.
const Z_95: f64 = 1.959_963_985;

/// What the trees know about one root move.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    pub(super) visits: u64,
    sum: f64,
    squares: f64,
    /// Sum of the minimax values, each as often as its tree visited the move.
    minimax: f64,
}

/// What there is to know of the root moves, in the order of generation.
pub(super) fn root_moves<'a, M: Copy + Eq + Send + Sync + 'a, S: Sharing>(
    legal: &[M],
    trees: impl Iterator<Item = &'a Tree<M, S>>,
) -> Vec<RootMove<M>> {
    let mut moves: Vec<_> =
        legal.iter().map(|&mv| RootMove { mv, visits: 0, sum: 0.0, squares: 0.0, minimax: 0.0 }).collect();
    for tree in trees {
        for node in tree.children(ROOT).map(|id| tree.node(id)) {
            if let Some(known) = moves.iter_mut().find(|known| Some(known.mv) == node.mv.get()) {
                let visits = node.done.get();
                known.visits += u64::from(visits);
                known.sum += node.sum.get();
                known.squares += node.squares.get();
                known.minimax += f64::from(visits) * f64::from(node.minimax.get());
            }
        }
    }
    moves
}

impl<M: Copy + PartialEq> RootMove<M> {
    /// The mean payoff, with the minimax value where it has weight.
    fn value(&self, settings: &Settings) -> Option<f64> {
        let visits = self.visits as f64;
        (self.visits > 0).then(|| (self.sum + settings.minimax * (self.minimax - self.sum)) / visits)
    }

    /// Half-width of the 95% interval of the mean payoff.
    fn half_width(&self) -> Option<f64> {
        let visits = self.visits as f64;
        let deviations = self.squares - self.sum * self.sum / visits;
        (self.visits > 1).then(|| Z_95 * (deviations.max(0.0) / (visits - 1.0) / visits).sqrt())
    }

    /// Larger for a better choice; unvisited moves come last.
    fn rank(&self, settings: &Settings) -> (f64, f64) {
        let Some(value) = self.value(settings) else { return (f64::NEG_INFINITY, f64::NEG_INFINITY) };
        let visits = self.visits as f64;
        match settings.choice {
            Choice::Max => (value, visits),
            Choice::Robust | Choice::MaxRobust { .. } => (visits, value),
            Choice::Secure { a } => (value - a / visits.sqrt(), visits),
        }
    }

    fn move_value(&self, settings: &Settings) -> MoveValue<M> {
        MoveValue {
            mv: self.mv,
            value: self.value(settings),
            bound: Bound::Exact,
            visits: Some(self.visits),
            half_width: self.half_width(),
        }
    }
}

/// Whether the most visited move is also the one with the highest value.
pub(super) fn is_settled<M: Copy + PartialEq>(moves: &[RootMove<M>], settings: &Settings) -> bool {
    let first_by = |key: fn(&RootMove<M>, &Settings) -> f64| {
        let rank = |it: &RootMove<M>| key(it, settings);
        moves.iter().reduce(|best, it| if rank(it) > rank(best) { it } else { best }).map(|best| best.mv)
    };
    let value = |it: &RootMove<M>, settings: &Settings| it.value(settings).unwrap_or(f64::NEG_INFINITY);
    first_by(|it, _| it.visits as f64) == first_by(value)
}

/// The decision for these root moves; `None` without any.
pub(super) fn decision<M: Copy + PartialEq>(
    mut moves: Vec<RootMove<M>>,
    settings: &Settings,
    effort: Effort,
    depth: u32,
    time: Duration,
) -> Option<Decision<M>> {
    moves.sort_by(|a, b| {
        let (a, b) = (a.rank(settings), b.rank(settings));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    let best = moves.first()?.mv;
    let moves = moves.iter().map(|it| it.move_value(settings)).collect();
    Some(Decision { best, moves, line: vec![best], depth, effort, time })
}

/// The most visited continuation of `best`.
pub(super) fn line<M: Copy + Eq + Send + Sync, S: Sharing>(tree: &Tree<M, S>, best: M) -> Vec<M> {
    let most_visited = |parent: NodeId| {
        let visited = tree.children(parent).filter(|&id| tree.node(id).done.get() > 0);
        visited.reduce(|best, id| if tree.node(id).done.get() > tree.node(best).done.get() { id } else { best })
    };
    let mut line = vec![best];
    let mut node = tree.children(ROOT).find(|&id| tree.node(id).mv.get() == Some(best));
    while let Some(next) = node.and_then(most_visited) {
        // An answer of chance is no move.
        line.extend(tree.node(next).mv.get());
        node = Some(next);
    }
    line
}

/// How often a tree visited a root move.
pub(super) fn visits<M: Copy + Eq + Send + Sync, S: Sharing>(tree: &Tree<M, S>, mv: M) -> u32 {
    let child = tree.children(ROOT).find(|&id| tree.node(id).mv.get() == Some(mv));
    child.map_or(0, |id| tree.node(id).done.get())
}
