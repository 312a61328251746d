//! Keeping what the last decision learned about the position now on the board.

use afterstate_game::{Afterstate, Dice, Position};

use super::settings::Chance;
use super::sharing::Slot as _;
use super::sharing::{Sharing, Word};
use super::tree::{NONE, NodeId, ROOT, Tree};

/// Half-moves back to the last decision beyond which its tree is not searched for the position.
const LONGEST_WAY: u32 = 4;

/// The node of `target`, reached from `start` (the position of `node`) by `plies` half-moves.
pub(super) fn locate<P: Position, S: Sharing>(
    tree: &Tree<P::Move, S>,
    chance: Chance,
    target: &P,
    plies: u32,
    (node, start): (NodeId, &P),
) -> Option<NodeId> {
    if plies == 0 {
        return (start == target).then_some(node);
    }
    if plies > LONGEST_WAY {
        return None;
    }
    let mut children: Vec<NodeId> = tree.children(node).collect();
    // The most visited move is the one that was played, as a rule.
    children.sort_by_key(|&child| std::cmp::Reverse(tree.node(child).done.get()));
    children.into_iter().find_map(|child| {
        let afterstate = start.play_unchecked(tree.node(child).mv.get()?).afterstate;
        let further = |node, next: &P| locate(tree, chance, target, plies - 1, (node, next));
        if P::Afterstate::HAS_CHANCE && chance == Chance::Sampled {
            return further(child, &afterstate.draw(&mut Dice::seeded(tree.node(child).tag.get())));
        }
        let mut found = None;
        afterstate.for_each_answer(|next, _| {
            if found.is_none() {
                let explicit = P::Afterstate::HAS_CHANCE && chance.has_nodes();
                let reached = if explicit { drawn(tree, child, next.key()) } else { Some(child) };
                found = reached.and_then(|reached| further(reached, &next));
            }
        });
        found
    })
}

fn drawn<M: Copy + Send + Sync, S: Sharing>(tree: &Tree<M, S>, child: NodeId, key: u64) -> Option<NodeId> {
    tree.children(child).find(|&drawn| tree.node(drawn).tag.get() == key)
}

/// Makes `node` the root and forgets all that is not below it, in place.
///
/// Between two searches every visit begun is done, so the count of begun ones is free to hold the new index of a
/// node that stays.
pub(super) fn reroot<M: Copy + Send + Sync, S: Sharing>(tree: &mut Tree<M, S>, node: NodeId) {
    if node == ROOT {
        return;
    }
    const GOES: u32 = u32::MAX;
    const STAYS: u32 = 0;
    for id in ROOT..tree.len() {
        tree.node(id).begun.set(GOES);
    }
    tree.node(node).next.set(NONE);
    let mut open = vec![node];
    while let Some(id) = open.pop() {
        let kept = tree.node(id);
        kept.begun.set(STAYS);
        open.extend([kept.first.get(), kept.next.get()].into_iter().filter(|&link| link != NONE));
    }
    // The new root comes first, whatever its place was.
    let mut next = ROOT + 1;
    for id in ROOT..tree.len() {
        if id != node && tree.node(id).begun.get() == STAYS {
            tree.node(id).begun.set(next);
            next += 1;
        }
    }
    for id in ROOT..tree.len() {
        let kept = tree.node(id);
        if kept.begun.get() != GOES {
            for link in [&kept.first, &kept.next] {
                if link.get() != NONE {
                    link.set(tree.node(link.get()).begun.get());
                }
            }
        }
    }
    tree.swap(ROOT, node);
    for id in ROOT + 1..tree.len() {
        let place = tree.node(id).begun.get();
        if place != GOES {
            tree.swap(place, id);
        }
    }
    tree.truncate(next);
    for id in ROOT..next {
        let kept = tree.node(id);
        kept.begun.set(kept.done.get());
    }
}
