//! Which child is followed: the scores of [`Rule`].

use super::settings::{FirstPlay, Rule, Settings};
use super::sharing::{Sharing, Word};
use super::tree::{Node, NodeId, Tree};

/// Iterations before [`Rule::UctN`] trusts the largest payoff.
const UCT_N_FROM: u32 = 100;

/// What the scores of siblings have in common.
struct Family<'a> {
    settings: &'a Settings,
    /// Visits of the parent.
    visits: f64,
    ln_visits: f64,
    /// The parent's mean for the side that chooses; where it is unknown, whatever its children are worth.
    mean: f64,
    /// What means are multiplied with.
    mean_scale: f64,
    /// What exploration is multiplied with.
    spread: f64,
}

/// The child with the highest score among those that `allowed` admits; the first of equal ones. `flip` turns the
/// parent's mean into that of the side that chooses.
pub(super) fn best_child<M: Copy + Send + Sync, S: Sharing>(
    tree: &Tree<M, S>,
    parent: NodeId,
    settings: &Settings,
    flip: impl Fn(f64) -> f64,
    mut allowed: impl FnMut(&Node<M, S>) -> bool,
) -> Option<NodeId> {
    let node = tree.node(parent);
    let visits = f64::from(node.begun.get().max(1));
    let family = Family {
        settings,
        visits,
        ln_visits: visits.ln(),
        mean: node.mean().map_or(0.0, flip),
        mean_scale: mean_scale(tree, settings.selection.rule),
        spread: match settings.selection.rule {
            Rule::UctSpread { .. } => node.variance().sqrt(),
            _ => 1.0,
        },
    };
    let mut best = None;
    let mut highest = f64::NEG_INFINITY;
    for id in tree.children(parent) {
        let child = tree.node(id);
        if !allowed(child) {
            continue;
        }
        let score = family.score(child);
        if score > highest || best.is_none() {
            highest = score;
            best = Some(id);
        }
    }
    best
}

fn mean_scale<M: Copy + Send + Sync, S: Sharing>(tree: &Tree<M, S>, rule: Rule) -> f64 {
    let largest = tree.largest.get();
    match rule {
        Rule::UctN { .. } if largest > 0.0 && tree.node(super::tree::ROOT).done.get() >= UCT_N_FROM => largest.recip(),
        _ => 1.0,
    }
}

impl Family<'_> {
    #[inline]
    fn score<M: Copy + Send + Sync, S: Sharing>(&self, child: &Node<M, S>) -> f64 {
        let selection = &self.settings.selection;
        let begun = child.begun.get();
        let mean = match child.mean() {
            Some(mean) => self.backed_up(child, mean),
            None if begun == 0 && !matches!(selection.rule, Rule::Puct { .. }) => {
                return self.first_score(child) + selection.bias * f64::from(child.promise.get());
            }
            None => self.first_mean(child),
        };
        let visits = f64::from(begun);
        let mut score = mean * self.mean_scale + self.exploration(child, visits);
        if selection.bias > 0.0 {
            score += selection.bias * f64::from(child.promise.get()) / (1.0 + visits);
        }
        score
    }

    /// The mean, with the minimax value where it has weight.
    #[inline]
    fn backed_up<M: Copy + Send + Sync, S: Sharing>(&self, child: &Node<M, S>, mean: f64) -> f64 {
        let weight = self.settings.minimax;
        if weight > 0.0 { mean + weight * (f64::from(child.minimax.get()) - mean) } else { mean }
    }

    #[inline]
    fn exploration<M: Copy + Send + Sync, S: Sharing>(&self, child: &Node<M, S>, visits: f64) -> f64 {
        let rate = self.ln_visits / visits;
        match self.settings.selection.rule {
            Rule::Uct { c } | Rule::UctN { c } => c * rate.sqrt(),
            Rule::UctSpread { c } => c * self.spread * rate.sqrt(),
            Rule::Ucb1Tuned { c } => c * (rate * (child.variance() + (2.0 * rate).sqrt()).min(0.25)).sqrt(),
            Rule::SinglePlayer { c, d } => c * rate.sqrt() + (child.variance() + d / visits).sqrt(),
            Rule::Puct { c, .. } => c * f64::from(child.promise.get()) * self.visits.sqrt() / (1.0 + visits),
        }
    }

    /// The score of a child before its first visit.
    fn first_score<M: Copy + Send + Sync, S: Sharing>(&self, child: &Node<M, S>) -> f64 {
        match self.settings.selection.first_play {
            FirstPlay::BeforeAll => f64::INFINITY,
            // As if it had been visited once: a static value explores like any other.
            FirstPlay::Static => self.first_mean(child) * self.mean_scale + self.exploration(child, 1.0),
            FirstPlay::Urgency(_) | FirstPlay::BelowParent(_) => self.first_mean(child) * self.mean_scale,
        }
    }

    /// The mean of a child without payoffs.
    fn first_mean<M: Copy + Send + Sync, S: Sharing>(&self, child: &Node<M, S>) -> f64 {
        match self.settings.selection.first_play {
            FirstPlay::Static => f64::from(child.minimax.get()),
            FirstPlay::Urgency(value) => value,
            FirstPlay::BelowParent(less) => self.mean - less,
            FirstPlay::BeforeAll => self.mean,
        }
    }
}
