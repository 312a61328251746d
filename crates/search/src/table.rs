//! The transposition table of every search: fixed size, lock-free, full 64-bit keys.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::mapped::Mapped;
use crate::prefetch::prefetch;

/// A fixed-size hash table from 64-bit keys to 64-bit entries, shared by any number of threads without locks.
///
/// Each slot stores `key ^ entry` beside the entry (Hyatt and Mann 2002): a slot torn by two concurrent writers fails
/// the comparison and reads as empty, so no lock is needed and no wrong entry is ever returned. Entries are opaque
/// here; the entry `0` means "empty" and is never stored.
#[derive(Debug)]
pub struct Table {
    buckets: Mapped<Bucket>,
    /// Whether anything was stored: memory that was never written to takes no room, and clearing is writing.
    used: AtomicBool,
}

/// Four slots in one cache line: a probe costs one miss.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Bucket([Slot; 4]);

#[derive(Debug)]
struct Slot {
    check: AtomicU64,
    entry: AtomicU64,
}

/// The memory for a table could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {bytes} bytes")]
pub struct TableTooLarge {
    /// The size that was asked for.
    pub bytes: u64,
}

impl Table {
    /// A table of at most `bytes` (and at least one bucket of 64 bytes).
    pub fn with_bytes(bytes: u64) -> Result<Self, TableTooLarge> {
        let too_large = TableTooLarge { bytes };
        let count = usize::try_from(bytes / size_of::<Bucket>() as u64).map_err(|_| too_large)?.max(1);
        let buckets = Mapped::zeroed(count).map_err(|_| too_large)?;
        Ok(Self { buckets, used: AtomicBool::new(false) })
    }

    /// The number of entries that fit.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buckets.len() * 4
    }

    /// The entry stored under exactly this key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<u64> {
        self.whole().get(key)
    }

    /// Stores an entry (not 0): over the one with the same key, else into an empty slot, else over the slot of the
    /// bucket with the lowest `worth`.
    #[inline]
    pub fn put(&self, key: u64, entry: u64, worth: impl Fn(u64) -> u32) {
        self.whole().put(key, entry, worth);
    }

    /// All of the table.
    #[inline]
    #[must_use]
    pub fn whole(&self) -> Shelf<'_> {
        Shelf { buckets: &self.buckets, used: &self.used }
    }

    /// One of `count` parts of about equal size that have no slot in common (as long as there are buckets for all):
    /// searches that each use their own cannot disturb each other. Parts beyond the last are the last.
    #[must_use]
    pub fn shelf(&self, index: usize, count: usize) -> Shelf<'_> {
        let count = count.max(1);
        let index = index.min(count - 1);
        let start = (self.buckets.len() * index / count).min(self.buckets.len() - 1);
        let end = (self.buckets.len() * (index + 1) / count).max(start + 1);
        Shelf { buckets: &self.buckets[start..end], used: &self.used }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        if !self.used.swap(false, Ordering::Relaxed) {
            return;
        }
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.entry.store(0, Ordering::Relaxed);
            slot.check.store(0, Ordering::Relaxed);
        }
    }
}

/// A part of a [`Table`] that works like a table.
#[derive(Clone, Copy, Debug)]
pub struct Shelf<'a> {
    /// At least one.
    buckets: &'a [Bucket],
    used: &'a AtomicBool,
}

impl<'a> Shelf<'a> {
    /// The bucket of a key: the high bits of a product spread any number of buckets evenly, not only powers of two.
    #[inline]
    fn bucket(&self, key: u64) -> &'a Bucket {
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        &self.buckets[index]
    }

    /// The entry stored under exactly this key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<u64> {
        for slot in &self.bucket(key).0 {
            let entry = slot.entry.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ entry == key && entry != 0 {
                return Some(entry);
            }
        }
        None
    }

    /// Makes a [`Self::get`] of this key that follows soon cheaper.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Stores an entry as [`Table::put`] does.
    #[inline]
    pub fn put(&self, key: u64, entry: u64, worth: impl Fn(u64) -> u32) {
        debug_assert_ne!(entry, 0, "0 marks an empty slot");
        // Threads share the flag: it is written once.
        if !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
        let bucket = self.bucket(key);
        let mut victim = &bucket.0[0];
        let mut lowest = u32::MAX;
        for slot in &bucket.0 {
            let old = slot.entry.load(Ordering::Relaxed);
            if old == 0 || slot.check.load(Ordering::Relaxed) ^ old == key {
                victim = slot;
                break;
            }
            let worth = worth(old);
            if worth < lowest {
                lowest = worth;
                victim = slot;
            }
        }
        victim.entry.store(entry, Ordering::Relaxed);
        victim.check.store(key ^ entry, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_and_nothing_else() {
        let table = Table::with_bytes(1 << 16).unwrap();
        let key = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for i in 1..200 {
            table.put(key(i), i, |_| 0);
        }
        let found = (1..200).filter(|&i| table.get(key(i)) == Some(i)).count();
        assert!(found > 190, "{found}");
        assert!((200..400).all(|i| table.get(key(i)).is_none()));
        table.clear();
        assert!((1..200).all(|i| table.get(key(i)).is_none()));
    }

    #[test]
    fn key_zero_is_a_key_like_any_other() {
        let table = Table::with_bytes(64).unwrap();
        assert_eq!(table.get(0), None);
        table.put(0, 7, |_| 0);
        assert_eq!(table.get(0), Some(7));
    }

    #[test]
    fn the_least_worthy_entry_makes_room() {
        let table = Table::with_bytes(64).unwrap();
        for key in [10, 20, 30, 40] {
            table.put(key, key, |entry| entry as u32);
        }
        table.put(50, 50, |entry| entry as u32);
        assert_eq!((table.get(10), table.get(20), table.get(50)), (None, Some(20), Some(50)));
    }

    #[test]
    fn shelves_share_no_slot_and_together_are_the_table() {
        let table = Table::with_bytes(64 * 10).unwrap();
        let shelves = || (0..4).map(|index| table.shelf(index, 4));
        assert_eq!(shelves().map(|shelf| shelf.buckets.len()).sum::<usize>(), 10);
        for (index, shelf) in shelves().enumerate() {
            shelf.put(5, index as u64 + 1, |_| 0);
        }
        assert!(shelves().enumerate().all(|(index, shelf)| shelf.get(5) == Some(index as u64 + 1)));
        // More parts than buckets: they overlap, but each is a table.
        let tiny = Table::with_bytes(64).unwrap();
        assert!((0..9).all(|index| tiny.shelf(index, 8).buckets.len() == 1));
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert!(Table::with_bytes(u64::MAX / 2).is_err());
    }
}
