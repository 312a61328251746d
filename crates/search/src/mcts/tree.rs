//! The tree: nodes in one arena, linked by indices.
//!
//! A node stands for a move (and, where chance is explicit, for an answer of chance below the move). It holds no
//! position: replaying the moves from the root is cheaper than fetching stored positions. Children form a list in
//! the order of their making; those made together lie side by side.

use std::sync::OnceLock;

use super::settings::Parallelism;
use super::sharing::{Alone, Shared, Sharing, Slot, Word};

/// The index of a node.
pub(super) type NodeId = u32;

/// The index of the root. Nothing links to the root, so in a link it means "none".
pub(super) const ROOT: NodeId = 0;
/// The end of a list.
pub(super) const NONE: NodeId = 0;
/// In the place of a first child: a thread is making the children.
pub(super) const CLAIMED: NodeId = NodeId::MAX;

/// One node. All values are those of the side that made the move into it.
pub(super) struct Node<M: Copy + Send + Sync, S: Sharing> {
    /// Visits begun: what exploration counts, so that threads spread out (Liu et al. 2020).
    pub(super) begun: S::U32,
    /// Visits whose payoff has arrived.
    pub(super) done: S::U32,
    /// Sum of the payoffs.
    pub(super) sum: S::F64,
    /// Sum of their squares.
    pub(super) squares: S::F64,
    /// Explicit chance: the key of the drawn position. Sampled chance: the seed of the draw.
    pub(super) tag: S::U64,
    /// The first child.
    pub(super) first: S::U32,
    /// The next sibling.
    pub(super) next: S::U32,
    /// Moves without a child, plus one; 0 while they are not counted.
    pub(super) untried: S::U32,
    /// Of a move: its prior or promise, whichever the selection uses. Of an answer of chance: its probability.
    pub(super) promise: S::F32,
    /// The static value of the move, later the minimax of those below.
    pub(super) minimax: S::F32,
    /// The static value of the move without the points it earned: what answers of chance count that were never seen.
    pub(super) judged: S::F32,
    /// The move; none for the root and for an answer of chance.
    pub(super) mv: S::Slot<M>,
}

impl<M: Copy + Send + Sync, S: Sharing> Default for Node<M, S> {
    fn default() -> Self {
        Self {
            begun: S::U32::default(),
            done: S::U32::default(),
            sum: S::F64::default(),
            squares: S::F64::default(),
            tag: S::U64::default(),
            first: S::U32::default(),
            next: S::U32::default(),
            untried: S::U32::default(),
            promise: S::F32::default(),
            minimax: S::F32::default(),
            judged: S::F32::default(),
            mv: S::Slot::default(),
        }
    }
}

impl<M: Copy + Send + Sync, S: Sharing> Node<M, S> {
    /// The mean payoff; `None` before the first.
    #[inline]
    pub(super) fn mean(&self) -> Option<f64> {
        let done = self.done.get();
        (done > 0).then(|| self.sum.get() / f64::from(done))
    }

    /// The variance of the payoffs.
    #[inline]
    pub(super) fn variance(&self) -> f64 {
        let done = f64::from(self.done.get().max(1));
        let mean = self.sum.get() / done;
        (self.squares.get() / done - mean * mean).max(0.0)
    }

    /// Counts a payoff.
    #[inline]
    pub(super) fn add(&self, payoff: f64) {
        self.done.update(|done| done + 1);
        self.sum.update(|sum| sum + payoff);
        self.squares.update(|squares| squares + payoff * payoff);
    }

    /// Makes the node as good as new.
    fn clear(&mut self) {
        self.mv.clear();
        self.begun.set(0);
        self.done.set(0);
        self.sum.set(0.0);
        self.squares.set(0.0);
        self.tag.set(0);
        self.first.set(NONE);
        self.next.set(NONE);
        self.untried.set(0);
        self.promise.set(0.0);
        self.minimax.set(0.0);
        self.judged.set(0.0);
    }
}

/// The bytes a node takes.
pub(super) fn node_bytes<M: Copy + Send + Sync>(parallelism: Parallelism) -> u64 {
    match parallelism {
        Parallelism::Tree { .. } => size_of::<Node<M, Shared>>() as u64,
        Parallelism::Single | Parallelism::Root { .. } => size_of::<Node<M, Alone>>() as u64,
    }
}

/// A part of the memory, taken when the tree first reaches it.
type Chunk<M, S> = OnceLock<Box<[Node<M, S>]>>;

/// A tree and the memory it may fill.
///
/// The memory is taken a chunk at a time, as the tree grows, and kept for the next search.
pub(super) struct Tree<M: Copy + Send + Sync, S: Sharing> {
    chunks: Box<[Chunk<M, S>]>,
    used: S::U32,
    capacity: u32,
    /// The largest payoff seen, for [`super::Rule::UctN`].
    pub(super) largest: S::F64,
}

/// Nodes in a chunk, as a power of two: a quarter of a megabyte.
const CHUNK_BITS: u32 = 12;
const CHUNK: u32 = 1 << CHUNK_BITS;

impl<M: Copy + Send + Sync, S: Sharing> Tree<M, S> {
    /// A tree that holds its root and takes at most `bytes` (and at least one node).
    pub(super) fn with_bytes(bytes: u64) -> Self {
        let capacity = (bytes / size_of::<Node<M, S>>() as u64).clamp(1, u64::from(CLAIMED)) as u32;
        let chunks = (0..capacity.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        let tree = Self { chunks, used: S::U32::default(), capacity, largest: S::F64::default() };
        tree.used.set(1);
        tree
    }

    /// Back to a bare root.
    pub(super) fn clear(&mut self) {
        self.truncate(0);
        self.used.set(1);
        self.largest.set(0.0);
    }

    /// Forgets all nodes from `used` on.
    pub(super) fn truncate(&mut self, used: u32) {
        for id in used..self.used.get() {
            if let Some(node) = self.node_mut(id) {
                node.clear();
            }
        }
        self.used.set(used);
    }

    /// Lets two nodes change places; what links to them is the caller's business.
    pub(super) fn swap(&mut self, a: NodeId, b: NodeId) {
        let Some(first) = self.node_mut(a).map(std::mem::take) else { return };
        let Some(second) = self.node_mut(b).map(|node| std::mem::replace(node, first)) else { return };
        if let Some(place) = self.node_mut(a) {
            *place = second;
        }
    }

    /// The number of nodes that fit.
    pub(super) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> u32 {
        self.used.get()
    }

    /// The node with this index, which must be below [`Self::len`].
    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node<M, S> {
        &self.chunk(id)[(id & (CHUNK - 1)) as usize]
    }

    /// As [`Self::node`]; `None` where no memory was ever taken.
    pub(super) fn node_mut(&mut self, id: NodeId) -> Option<&mut Node<M, S>> {
        self.chunks[(id >> CHUNK_BITS) as usize].get_mut().map(|chunk| &mut chunk[(id & (CHUNK - 1)) as usize])
    }

    #[inline]
    fn chunk(&self, id: NodeId) -> &[Node<M, S>] {
        let number = id >> CHUNK_BITS;
        self.chunks[number as usize].get_or_init(|| {
            let nodes = (self.capacity - number * CHUNK).min(CHUNK);
            (0..nodes).map(|_| Node::default()).collect()
        })
    }

    /// Takes `count` empty nodes that lie side by side; `None` if fewer than that are left below `limit`.
    #[inline]
    pub(super) fn allocate(&self, count: u32, limit: u32) -> Option<NodeId> {
        loop {
            let first = self.used.get();
            let end = first.checked_add(count).filter(|&end| end <= self.capacity.min(limit))?;
            if self.used.claim(first, end) {
                return Some(first);
            }
        }
    }

    /// The node that `is_it` among those linked from `head`, or else a new one from `make`, put at the end; and
    /// whether it is new. `None` if there is none and none can be made.
    #[inline]
    pub(super) fn find_or_append(
        &self,
        head: &S::U32,
        is_it: impl Fn(&Node<M, S>) -> bool,
        make: impl FnOnce() -> Option<NodeId>,
    ) -> Option<(NodeId, bool)> {
        let end = match self.find_from(head, &is_it) {
            Ok(found) => return Some((found, false)),
            Err(end) => end,
        };
        let made = make()?;
        let mut end = end;
        // Another thread may have put the same one there meanwhile; the node just made is lost then.
        while !end.claim(NONE, made) {
            match self.find_from(end, &is_it) {
                Ok(found) => return Some((found, false)),
                Err(further) => end = further,
            }
        }
        Some((made, true))
    }

    /// The node that `is_it`, or else the link at the end of the list.
    #[inline]
    fn find_from<'a>(
        &'a self,
        mut link: &'a S::U32,
        is_it: impl Fn(&Node<M, S>) -> bool,
    ) -> Result<NodeId, &'a S::U32> {
        loop {
            let id = link.get();
            if id == NONE {
                return Err(link);
            }
            let node = self.node(id);
            if is_it(node) {
                return Ok(id);
            }
            link = &node.next;
        }
    }

    /// The nodes of the list that starts with `first`.
    #[inline]
    pub(super) fn list(&self, first: NodeId) -> impl Iterator<Item = NodeId> {
        let start = (first != NONE && first != CLAIMED).then_some(first);
        std::iter::successors(start, |&id| Some(self.node(id).next.get()).filter(|&next| next != NONE))
    }

    /// The children of a node.
    #[inline]
    pub(super) fn children(&self, parent: NodeId) -> impl Iterator<Item = NodeId> {
        self.list(self.node(parent).first.get())
    }
}
