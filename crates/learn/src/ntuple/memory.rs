//! Large tables, shared by all threads without locks.
//!
//! Tables of weights that are being learned are read and written with relaxed atomic loads and stores, which on common
//! processors are plain moves. Two threads that update one weight at the same moment lose one of the updates; learning
//! does not notice.

use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) use mapped::Mapped;

/// The memory for the weights could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for {bytes} bytes of weights")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub bytes: u64,
}

#[expect(unsafe_code, reason = "memory from the system that is zero and takes no time until it is touched")]
mod mapped {
    use std::ops::{Deref, DerefMut};
    use std::ptr::NonNull;
    use std::sync::atomic::AtomicU32;

    use super::OutOfMemory;

    /// Numbers for which zero bytes are valid.
    pub(crate) trait Number: sealed::Zeroable {}
    impl<T: sealed::Zeroable> Number for T {}

    mod sealed {
        /// # Safety
        /// Zero bytes are a valid value, and values need not be dropped.
        pub(crate) unsafe trait Zeroable: Sync + Send {}
        // SAFETY: plain numbers.
        unsafe impl Zeroable for i16 {}
        // SAFETY: as above.
        unsafe impl Zeroable for u32 {}
        // SAFETY: as above.
        unsafe impl Zeroable for std::sync::atomic::AtomicU32 {}
    }

    /// A fixed number of numbers, all zero at first, on huge pages where the system has them: look-ups are scattered over
    /// more memory than the translation cache covers with small pages. Pages that nobody touches take no memory.
    pub(crate) struct Mapped<T> {
        numbers: NonNull<T>,
        len: usize,
    }

    impl<T: Number> Mapped<T> {
        /// A table of zeros.
        pub(crate) fn zeroed(len: usize) -> Result<Self, OutOfMemory> {
            let error = OutOfMemory { bytes: (len as u64).saturating_mul(size_of::<T>() as u64) };
            let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize).ok_or(error)?;
            let numbers = system::map(bytes.max(1)).ok_or(error)?.cast();
            Ok(Self { numbers, len })
        }
    }

    impl<T> Deref for Mapped<T> {
        type Target = [T];

        #[inline(always)]
        fn deref(&self) -> &[T] {
            // SAFETY: `numbers` points to `len` numbers that live as long as `self`; zero bytes are valid numbers, and
            // memory from the system is aligned to pages.
            unsafe { std::slice::from_raw_parts(self.numbers.as_ptr(), self.len) }
        }
    }

    impl<T> DerefMut for Mapped<T> {
        #[inline(always)]
        fn deref_mut(&mut self) -> &mut [T] {
            // SAFETY: as above, and `self` is borrowed mutably.
            unsafe { std::slice::from_raw_parts_mut(self.numbers.as_ptr(), self.len) }
        }
    }

    impl<T> Drop for Mapped<T> {
        fn drop(&mut self) {
            // SAFETY: mapped in `zeroed` with this size, and nobody else gives it back.
            unsafe { system::unmap(self.numbers.cast(), (self.len * size_of::<T>()).max(1)) };
        }
    }

    // SAFETY: the table owns its memory, and its numbers can be sent and shared.
    unsafe impl<T: Send> Send for Mapped<T> {}
    // SAFETY: as above.
    unsafe impl<T: Sync> Sync for Mapped<T> {}

    /// Counts as numbers, when nobody counts any more.
    impl Mapped<AtomicU32> {
        pub(crate) fn into_numbers(self) -> Mapped<u32> {
            let this = std::mem::ManuallyDrop::new(self);
            // An atomic number has the size and the bytes of a plain one.
            Mapped { numbers: this.numbers.cast(), len: this.len }
        }
    }

    #[cfg(unix)]
    mod system {
        use std::ptr::NonNull;

        pub(super) fn map(bytes: usize) -> Option<NonNull<u8>> {
            // SAFETY: a new private mapping at an address that the system chooses.
            let address = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    bytes,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                    -1,
                    0,
                )
            };
            if address == libc::MAP_FAILED {
                return None;
            }
            // Before anything is touched: pages that exist already stay small. A system that refuses is slower, not wrong.
            #[cfg(target_os = "linux")]
            // SAFETY: the range was just mapped, and the advice changes no content.
            let _ = unsafe { libc::madvise(address, bytes, libc::MADV_HUGEPAGE) };
            NonNull::new(address.cast())
        }

        /// # Safety
        /// `address` came from [`map`] with the same size, and is not used any more.
        pub(super) unsafe fn unmap(address: NonNull<u8>, bytes: usize) {
            // SAFETY: as the caller promises.
            let _ = unsafe { libc::munmap(address.as_ptr().cast(), bytes) };
        }
    }

    #[cfg(not(unix))]
    mod system {
        use std::alloc::{Layout, alloc_zeroed, dealloc};
        use std::ptr::NonNull;

        fn layout(bytes: usize) -> Option<Layout> {
            Layout::from_size_align(bytes, 4096).ok()
        }

        pub(super) fn map(bytes: usize) -> Option<NonNull<u8>> {
            // SAFETY: the layout has a size of at least one byte.
            NonNull::new(unsafe { alloc_zeroed(layout(bytes)?) })
        }

        /// # Safety
        /// `address` came from [`map`] with the same size, and is not used any more.
        pub(super) unsafe fn unmap(address: NonNull<u8>, bytes: usize) {
            if let Some(layout) = layout(bytes) {
                // SAFETY: as the caller promises.
                unsafe { dealloc(address.as_ptr(), layout) };
            }
        }
    }
}

impl<T> std::fmt::Debug for Mapped<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mapped({})", self.len())
    }
}

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
