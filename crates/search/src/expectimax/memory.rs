//! The transposition table as expectimax uses it: what is stored, and when a stored value may be used again.

use afterstate_game::{Afterstate, Position};

use crate::{Shelf, Table, TableTooLarge};

/// The smallest table: enough buckets that every root move has slots of its own.
pub const MIN_TABLE_BYTES: u64 = 1 << 16;

/// The settings of the transposition table.
#[derive(Clone, Debug)]
pub struct TableSettings<P: Position> {
    /// The size, at least [`MIN_TABLE_BYTES`].
    pub bytes: u64,
    /// When a stored value stands for a search.
    pub reuse: Reuse,
    /// The nodes whose values are stored.
    pub nodes: TableNodes,
    /// How long a value is kept.
    pub lifetime: Lifetime,
    /// Which root moves see each other's values.
    pub sharing: Sharing,
    /// What counts as the same node.
    pub keys: Keys<P>,
}

/// When a stored value stands for a search of the depth that remains.
///
/// With a probability cutoff the value of a node depends on the way to it too, so even [`Self::Exact`] then takes the
/// value of whichever way came first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reuse {
    /// It was searched exactly as deep: without a cutoff the table changes no value.
    #[default]
    Exact,
    /// It was searched at least as deep: values may come from deeper searches.
    Sound,
    /// It was searched *at most* as deep, as the listing of `maqsood` tests it: values may come from shallower searches.
    Shallower,
}

/// The nodes whose values are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableNodes {
    /// Chance nodes: afterstates.
    #[default]
    Chance,
    /// Max nodes: positions.
    Max,
}

/// How long a value is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// For one decision.
    #[default]
    Decision,
    /// Until the next game starts.
    Game,
}

/// Which root moves see each other's values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sharing {
    /// All: one table. Where a value can depend on what was searched before it (any rule but [`Reuse::Exact`], or
    /// [`Keys::Canonical`], or a probability cutoff, or a node limit), the root moves are searched one after the other,
    /// whatever the threads.
    #[default]
    AllMoves,
    /// None: the table is divided among the root moves (`xiao`), and they can always be searched side by side.
    PerMove,
}

/// What counts as the same node.
#[derive(Clone, Debug)]
pub enum Keys<P: Position> {
    /// Equal afterstates or positions.
    Own,
    /// Afterstates or positions for which these functions give the same key: those that differ only by a symmetry. Only
    /// right with an evaluation that is the same for all of them; values then agree up to rounding, and up to the answers
    /// that were drawn where [`super::Chance::Sampled`] or [`super::Chance::Likeliest`] looks at some only.
    Canonical {
        /// The key of an afterstate.
        afterstate: fn(&P::Afterstate) -> u64,
        /// The key of a position.
        position: fn(&P) -> u64,
    },
}

impl<P: Position> Default for TableSettings<P> {
    /// Four mebibytes of chance nodes, reused exactly, for one decision, by all moves.
    fn default() -> Self {
        Self {
            bytes: 4 << 20,
            reuse: Reuse::default(),
            nodes: TableNodes::default(),
            lifetime: Lifetime::default(),
            sharing: Sharing::default(),
            keys: Keys::Own,
        }
    }
}

/// The memory of a player from decision to decision.
#[derive(Debug)]
pub(super) struct Store<P: Position> {
    table: Table,
    settings: TableSettings<P>,
    /// Stamped on every entry, so that forgetting all entries of a decision costs nothing.
    generation: u16,
}

impl<P: Position> Store<P> {
    pub(super) fn new(settings: TableSettings<P>) -> Result<Self, TableTooLarge> {
        Ok(Self { table: Table::with_bytes(settings.bytes)?, settings, generation: 0 })
    }

    /// Forgets the values of earlier decisions, where they are believed at all.
    pub(super) fn forget_values(&mut self) {
        if self.settings.lifetime == Lifetime::Game {
            self.clear();
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.generation = 0;
    }

    /// Begins a decision: values of earlier ones become old, or unknown, as the lifetime says.
    pub(super) fn next_decision(&mut self) {
        match self.generation.checked_add(1) {
            Some(next) => self.generation = next,
            None => self.clear(),
        }
    }

    /// What the search of the root move `index` of `count` may use.
    pub(super) fn memory(&self, index: usize, count: usize) -> Memory<'_, P> {
        let shelf = match self.settings.sharing {
            Sharing::AllMoves => self.table.whole(),
            Sharing::PerMove => self.table.shelf(index, count),
        };
        Memory { shelf, settings: &self.settings, generation: self.generation }
    }
}

/// The part of a [`Store`] that one search uses.
#[derive(Debug)]
pub(super) struct Memory<'a, P: Position> {
    shelf: Shelf<'a>,
    settings: &'a TableSettings<P>,
    generation: u16,
}

impl<P: Position> Memory<'_, P> {
    /// Whether positions are looked up.
    #[inline]
    pub(super) fn holds_max_nodes(&self) -> bool {
        self.settings.nodes == TableNodes::Max
    }

    /// The key of an afterstate, or `None` if chance nodes are not stored.
    #[inline]
    pub(super) fn chance_key(&self, afterstate: &P::Afterstate, plies: u32) -> Option<u64> {
        if self.settings.nodes != TableNodes::Chance {
            return None;
        }
        let key = match self.settings.keys {
            Keys::Own => afterstate.key(),
            Keys::Canonical { afterstate: key, .. } => key(afterstate),
        };
        Some(self.with_depth(key, plies))
    }

    /// The key of a position, or `None` if max nodes are not stored.
    #[inline]
    pub(super) fn max_key(&self, position: &P, plies: u32) -> Option<u64> {
        if self.settings.nodes != TableNodes::Max {
            return None;
        }
        let key = match self.settings.keys {
            Keys::Own => position.key(),
            Keys::Canonical { position: key, .. } => key(position),
        };
        Some(self.with_depth(key, plies))
    }

    /// Under the exact rule the same node at two depths is two nodes; otherwise the depth is compared on finding it.
    #[inline]
    fn with_depth(&self, key: u64, plies: u32) -> u64 {
        match self.settings.reuse {
            Reuse::Exact => key ^ u64::from(plies + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            Reuse::Sound | Reuse::Shallower => key,
        }
    }

    /// Makes a [`Self::recall`] of this key that follows soon cheaper.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.shelf.prefetch(key);
    }

    /// The stored value that stands for a search of `plies` half-moves.
    #[inline]
    pub(super) fn recall(&self, key: u64, plies: u32) -> Option<f32> {
        let entry = Entry(self.shelf.get(key)?);
        let fresh = self.settings.lifetime == Lifetime::Game || entry.generation() == self.generation;
        let fits = match self.settings.reuse {
            Reuse::Exact => true,
            Reuse::Sound => entry.plies() >= plies,
            Reuse::Shallower => entry.plies() <= plies,
        };
        (fresh && fits).then(|| entry.value())
    }

    /// Stores a value; what took more search to find, and is newer, stays longer.
    #[inline]
    pub(super) fn store(&self, key: u64, plies: u32, value: f32) {
        let generation = self.generation;
        self.shelf.put(key, Entry::new(plies, generation, value).0, |entry| {
            let entry = Entry(entry);
            if entry.generation() == generation { 256 + entry.plies() } else { entry.plies() }
        });
    }
}

/// A value with the depth it comes from: the value in the low half, then 8 bits of depth, 16 of generation, and a mark
/// that makes it differ from an empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry(u64);

impl Entry {
    #[inline]
    fn new(plies: u32, generation: u16, value: f32) -> Self {
        debug_assert!(plies < 256);
        Self(u64::from(value.to_bits()) | u64::from(plies) << 32 | u64::from(generation) << 40 | 1 << 63)
    }

    #[inline]
    fn value(self) -> f32 {
        f32::from_bits(self.0 as u32)
    }

    #[inline]
    fn plies(self) -> u32 {
        (self.0 >> 32) as u32 & 0xff
    }

    #[inline]
    fn generation(self) -> u16 {
        (self.0 >> 40) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_back_as_written() {
        for (plies, generation, value) in [(0, 0, 0.0), (200, u16::MAX, -1.5e9), (255, 7, f32::INFINITY)] {
            let entry = Entry::new(plies, generation, value);
            assert_eq!((entry.plies(), entry.generation(), entry.value()), (plies, generation, value));
            assert_ne!(entry.0, 0);
        }
    }
}
