//! Large tables, shared by all threads without locks.
//!
//! Tables of weights that are being learned are read and written with relaxed atomic loads and stores, which on common
//! processors are plain moves. Two threads that update one weight at the same moment lose one of the updates; learning
//! does not notice.

use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) use afterstate_search::{Mapped, OutOfMemory};

/// A table of `f32` that threads share.
#[derive(Debug)]
pub struct Floats(Mapped<AtomicU32>);

impl Floats {
    /// A table of zeros.
    pub(crate) fn zeroed(len: usize) -> Result<Self, OutOfMemory> {
        Mapped::zeroed(len).map(Self)
    }

    /// The numbers as atomic words.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[AtomicU32] {
        &self.0
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> f32 {
        load(&self.words()[index])
    }

    #[inline]
    pub(crate) fn set(&self, index: usize, value: f32) {
        store(&self.words()[index], value);
    }

    pub(crate) fn fill(&self, value: f32) {
        self.words().iter().for_each(|word| store(word, value));
    }

    /// Replaces the numbers from `begin` on.
    pub(crate) fn write(&self, begin: usize, values: &[f32]) {
        for (word, &value) in self.words()[begin..].iter().zip(values) {
            store(word, value);
        }
    }

    /// A copy of a part.
    pub(crate) fn read(&self, range: std::ops::Range<usize>) -> Vec<f32> {
        self.words()[range].iter().map(load).collect()
    }
}

#[inline(always)]
pub(crate) fn load(word: &AtomicU32) -> f32 {
    f32::from_bits(word.load(Ordering::Relaxed))
}

#[inline(always)]
pub(crate) fn store(word: &AtomicU32, value: f32) {
    word.store(value.to_bits(), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_starts_at_zero_and_keeps_what_is_written() {
        let table = Floats::zeroed(3_000_000).unwrap();
        assert!(table.read(0..table.len()).iter().all(|&value| value == 0.0));
        table.set(2_999_999, 1.5);
        table.write(7, &[1.0, 2.0]);
        assert_eq!((table.get(2_999_999), table.get(7), table.get(8), table.get(9)), (1.5, 1.0, 2.0, 0.0));
        let mut numbers = Mapped::<i16>::zeroed(10).unwrap();
        numbers[9] = -3;
        assert_eq!((numbers.len(), numbers[0], numbers[9]), (10, 0, -3));
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert!(Floats::zeroed(usize::MAX / 8).is_err());
        assert!(Floats::zeroed(usize::MAX).is_err());
        assert_eq!(Floats::zeroed(0).unwrap().len(), 0);
    }
}
