//! The player's table: what is looked up, what is stored, and when it is forgotten.

use afterstate_game::Bound;

use super::entry::Entry;
use super::score::Score;
use super::settings::{Lifetime, Memory, Replacement};
use crate::{Table, TableTooLarge};

/// A table with the number of the current search.
///
/// Forgetting is a matter of counting: an entry of another generation is not believed. Overwriting 16 MiB for every move
/// would cost more than a thousandth of a second.
#[derive(Debug)]
pub(super) struct OwnTable {
    table: Table,
    settings: Memory,
    generation: u8,
}

impl OwnTable {
    pub(super) fn new(settings: Memory) -> Result<Self, TableTooLarge> {
        Ok(Self { table: Table::with_bytes(settings.bytes)?, settings, generation: 0 })
    }

    /// Begins the next search.
    pub(super) fn start_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 && self.settings.lifetime == Lifetime::Search {
            self.clear();
        }
    }

    /// Forgets the values of earlier searches, where they are believed at all.
    pub(super) fn forget_values(&mut self) {
        if self.settings.lifetime == Lifetime::Game {
            self.clear();
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.generation = 1;
    }

    /// What the threads of a search see.
    pub(super) fn view(&self) -> TableView<'_> {
        TableView { table: &self.table, settings: self.settings, generation: self.generation }
    }
}

/// The table as the threads of one search see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableView<'a> {
    table: &'a Table,
    pub(super) settings: Memory,
    generation: u8,
}

impl TableView<'_> {
    /// What is known about the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let entry = Entry::unpack(self.table.get(key)?);
        let believed = self.settings.lifetime == Lifetime::Game || entry.generation == self.generation;
        believed.then_some(entry)
    }

    /// Remembers the result of a search.
    #[inline]
    pub(super) fn put(&self, key: u64, value: Score, bound: Bound, depth: u32, best: Option<u16>) {
        let generation = self.generation;
        let entry = Entry { value, bound, depth: depth.min(u32::from(u8::MAX)) as u8, best, generation };
        match self.settings.replacement {
            Replacement::Always => self.table.put(key, entry.pack(), |_| 0),
            Replacement::Shallowest => self.table.put(key, entry.pack(), |old| self.worth_if_current(old)),
            Replacement::OldAndShallow => self.table.put(key, entry.pack(), |old| self.worth_by_age(old)),
        }
    }

    fn worth_if_current(&self, old: u64) -> u32 {
        let old = Entry::unpack(old);
        let believed = self.settings.lifetime == Lifetime::Game || old.generation == self.generation;
        if believed { 1 + u32::from(old.depth) } else { 0 }
    }

    fn worth_by_age(&self, old: u64) -> u32 {
        /// A search one move older counts as this much shallower.
        const PER_MOVE: u32 = 4;
        let old = Entry::unpack(old);
        let age = u32::from(self.generation.wrapping_sub(old.generation));
        (u32::from(old.depth) + PER_MOVE * 255).saturating_sub(PER_MOVE * age)
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Reuse;
    use super::*;

    fn table(lifetime: Lifetime, replacement: Replacement) -> OwnTable {
        let settings = Memory { bytes: 64, replacement, lifetime, reuse: Reuse::SameDepth };
        let mut table = OwnTable::new(settings).unwrap();
        table.clear();
        table
    }

    fn depths(table: &OwnTable, keys: impl IntoIterator<Item = u64>) -> Vec<Option<u8>> {
        keys.into_iter().map(|key| table.view().get(key).map(|entry| entry.depth)).collect()
    }

    #[test]
    fn a_table_for_one_search_forgets_at_the_next() {
        for (lifetime, expected) in [(Lifetime::Search, None), (Lifetime::Game, Some(3))] {
            let mut table = table(lifetime, Replacement::Shallowest);
            // More searches than there are generations: an old number comes round again.
            for _ in 0..300 {
                table.view().put(5, Score::DRAW, Bound::Exact, 3, None);
                assert_eq!(depths(&table, [5]), [Some(3)]);
                table.start_search();
                assert_eq!(depths(&table, [5]), [expected]);
            }
        }
    }

    #[test]
    fn the_shallowest_entry_makes_room() {
        let table = table(Lifetime::Search, Replacement::Shallowest);
        for (key, depth) in [(1, 4), (2, 1), (3, 3), (4, 2), (5, 1)] {
            table.view().put(key, Score::DRAW, Bound::Exact, depth, None);
        }
        assert_eq!(depths(&table, 1..=5), [Some(4), None, Some(3), Some(2), Some(1)]);
    }

    #[test]
    fn an_old_entry_makes_room_before_a_shallow_one() {
        let mut table = table(Lifetime::Game, Replacement::OldAndShallow);
        table.view().put(1, Score::DRAW, Bound::Exact, 4, None);
        table.start_search();
        for (key, depth) in [(2, 1), (3, 3), (4, 2), (5, 1)] {
            table.view().put(key, Score::DRAW, Bound::Exact, depth, None);
        }
        assert_eq!(depths(&table, 1..=5), [None, Some(1), Some(3), Some(2), Some(1)]);
    }
}
