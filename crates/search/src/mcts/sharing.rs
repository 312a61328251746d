//! The numbers of a tree, for one thread or for several.
//!
//! A search by one thread must not pay for atomics, a search by several must not lose updates. The tree is written
//! once, over [`Sharing`]: [`Alone`] makes its words plain cells, [`Shared`] makes them atomics.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How the words of a tree are stored.
pub(super) trait Sharing: 'static {
    /// A 32-bit count or link.
    type U32: Word<u32>;
    /// A 64-bit tag.
    type U64: Word<u64>;
    /// A value known to a few digits.
    type F32: Word<f32>;
    /// A sum.
    type F64: Word<f64>;
    /// A move, written once before others can see it.
    type Slot<M: Copy + Send + Sync>: Slot<M>;
}

/// A number that is read and changed through a shared reference.
pub(super) trait Word<T: Copy>: Default {
    fn get(&self) -> T;
    fn set(&self, value: T);
    /// Replaces the value by a function of it, without losing the update of another thread.
    fn update(&self, change: impl Fn(T) -> T);
    /// Replaces `old` by `new`; `false` if another value was found.
    fn claim(&self, old: T, new: T) -> bool;
}

/// A place for a move.
pub(super) trait Slot<M>: Default {
    fn get(&self) -> Option<M>;
    /// Fills an empty slot.
    fn fill(&self, mv: M);
    /// Empties the slot for its next use.
    fn clear(&mut self);
}

/// A tree that one thread searches.
#[derive(Debug)]
pub(super) struct Alone;

impl Sharing for Alone {
    type U32 = Cell<u32>;
    type U64 = Cell<u64>;
    type F32 = Cell<f32>;
    type F64 = Cell<f64>;
    type Slot<M: Copy + Send + Sync> = Cell<Option<M>>;
}

impl<T: Copy + Default + PartialEq> Word<T> for Cell<T> {
    #[inline]
    fn get(&self) -> T {
        Self::get(self)
    }

    #[inline]
    fn set(&self, value: T) {
        Self::set(self, value);
    }

    #[inline]
    fn update(&self, change: impl Fn(T) -> T) {
        Self::set(self, change(Self::get(self)));
    }

    #[inline]
    fn claim(&self, old: T, new: T) -> bool {
        let found = Self::get(self) == old;
        if found {
            Self::set(self, new);
        }
        found
    }
}

impl<M: Copy> Slot<M> for Cell<Option<M>> {
    #[inline]
    fn get(&self) -> Option<M> {
        Self::get(self)
    }

    #[inline]
    fn fill(&self, mv: M) {
        Self::set(self, Some(mv));
    }

    #[inline]
    fn clear(&mut self) {
        Self::set(self, None);
    }
}

/// A tree that several threads search at once.
#[derive(Debug)]
pub(super) struct Shared;

impl Sharing for Shared {
    type U32 = Atomic32;
    type U64 = Atomic64;
    type F32 = Atomic32;
    type F64 = Atomic64;
    type Slot<M: Copy + Send + Sync> = OnceLock<M>;
}

/// An atomic word of 32 bits.
#[derive(Debug, Default)]
pub(super) struct Atomic32(AtomicU32);

/// An atomic word of 64 bits.
#[derive(Debug, Default)]
pub(super) struct Atomic64(AtomicU64);

// A link is published with `Release` and followed after `Acquire`, so that what it leads to is complete. The counts
// and sums would do with `Relaxed`; on the machines this runs on there is no difference.
macro_rules! word {
    ($word:ty, $number:ty, $to_bits:expr, $from_bits:expr) => {
        impl Word<$number> for $word {
            #[inline]
            fn get(&self) -> $number {
                $from_bits(self.0.load(Ordering::Acquire))
            }

            #[inline]
            fn set(&self, value: $number) {
                self.0.store($to_bits(value), Ordering::Release);
            }

            #[inline]
            fn update(&self, change: impl Fn($number) -> $number) {
                let mut bits = self.0.load(Ordering::Relaxed);
                while let Err(found) = self.0.compare_exchange_weak(
                    bits,
                    $to_bits(change($from_bits(bits))),
                    Ordering::AcqRel,
                    Ordering::Relaxed,
                ) {
                    bits = found;
                }
            }

            #[inline]
            fn claim(&self, old: $number, new: $number) -> bool {
                self.0.compare_exchange($to_bits(old), $to_bits(new), Ordering::AcqRel, Ordering::Relaxed).is_ok()
            }
        }
    };
}

word!(Atomic32, u32, std::convert::identity, std::convert::identity);
word!(Atomic32, f32, f32::to_bits, f32::from_bits);
word!(Atomic64, u64, std::convert::identity, std::convert::identity);
word!(Atomic64, f64, f64::to_bits, f64::from_bits);

impl<M: Copy> Slot<M> for OnceLock<M> {
    #[inline]
    fn get(&self) -> Option<M> {
        Self::get(self).copied()
    }

    #[inline]
    fn fill(&self, mv: M) {
        // The slot is empty: only the thread that allocated the node fills it, once.
        let _ = self.set(mv);
    }

    #[inline]
    fn clear(&mut self) {
        self.take();
    }
}
