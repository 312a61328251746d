//! Large tables of weights, shared by all threads without locks.
//!
//! A table is read and written with relaxed atomic loads and stores, which on common processors are plain moves. Two
//! threads that update one weight at the same moment lose one of the updates; learning does not notice.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

/// A fixed number of `f32`, all zero at first, on huge pages where the system has them.
///
/// Look-ups are scattered over hundreds of MiB: with pages of 4 KiB nearly each of them also misses the translation
/// cache. Huge pages made learning 1.6 times as fast.
pub(crate) struct Floats {
    cells: NonNull<AtomicU32>,
    len: usize,
}

/// The memory for the weights could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for {bytes} bytes of weights")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub bytes: u64,
}

const HUGE_PAGE: usize = 2 << 20;

#[expect(unsafe_code, reason = "an aligned zeroed allocation that takes no time until it is touched")]
mod allocation {
    use super::*;

    /// Where a table of `len` numbers begins; `None` for sizes that no machine has.
    fn layout(len: usize) -> Option<Layout> {
        Layout::from_size_align(len.checked_mul(size_of::<AtomicU32>())?.max(1), HUGE_PAGE).ok()
    }

    impl Floats {
        /// A table of zeros.
        pub(crate) fn zeroed(len: usize) -> Result<Self, OutOfMemory> {
            let error = OutOfMemory { bytes: len as u64 * 4 };
            let layout = layout(len).ok_or(error)?;
            // SAFETY: the layout has a size of at least one byte.
            let cells = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(error)?;
            advise(cells, layout.size());
            Ok(Self { cells: cells.cast(), len })
        }

        /// The numbers as atomic words.
        #[inline]
        pub(crate) fn words(&self) -> &[AtomicU32] {
            // SAFETY: `cells` points to `len` words that live as long as `self`; zero bytes are valid atomic words.
            unsafe { std::slice::from_raw_parts(self.cells.as_ptr(), self.len) }
        }
    }

    impl Drop for Floats {
        fn drop(&mut self) {
            if let Some(layout) = layout(self.len) {
                // SAFETY: allocated in `zeroed` with the same layout, and nobody else frees it.
                unsafe { dealloc(self.cells.as_ptr().cast(), layout) };
            }
        }
    }

    // SAFETY: the table owns its memory, and all access goes through atomic words.
    unsafe impl Send for Floats {}
    // SAFETY: as above.
    unsafe impl Sync for Floats {}

    /// Asks for huge pages. A system that refuses is slower, not wrong.
    #[cfg(target_os = "linux")]
    fn advise(cells: NonNull<u8>, bytes: usize) {
        // SAFETY: the range was just allocated, and the advice changes no content.
        let _ = unsafe { libc::madvise(cells.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    }

    #[cfg(not(target_os = "linux"))]
    fn advise(_cells: NonNull<u8>, _bytes: usize) {}
}

impl Floats {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
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

impl std::fmt::Debug for Floats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Floats({})", self.len)
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
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert!(Floats::zeroed(usize::MAX / 8).is_err());
    }
}
