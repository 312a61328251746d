//! Large tables straight from the system.
//!
//! A transposition table asked of the allocator is a large block with an alignment. When it is freed, glibc (before 2.38)
//! keeps it but cannot use it for the next table of the same size, because it looks for room to align in: a server that
//! makes tables all day grows by one after the other. What is mapped here goes back to the system at once.

#![expect(unsafe_code, reason = "memory from the system that is zero and takes no time until it is touched")]

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// The memory could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for {bytes} bytes")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub bytes: u64,
}

/// Numbers, and what consists of them, for which zero bytes are valid.
pub trait Number: sealed::Zeroable {}
impl<T: sealed::Zeroable> Number for T {}

mod sealed {
    /// # Safety
    /// Zero bytes are a valid value, values need not be dropped, and no alignment is larger than a page.
    pub unsafe trait Zeroable: Sync + Send {}
    // SAFETY: plain numbers.
    unsafe impl Zeroable for i16 {}
    // SAFETY: as above.
    unsafe impl Zeroable for u32 {}
    // SAFETY: as above.
    unsafe impl Zeroable for std::sync::atomic::AtomicU32 {}
    // SAFETY: atomic numbers, aligned to a cache line.
    unsafe impl Zeroable for crate::table::Bucket {}
}

/// A fixed number of numbers, all zero at first, on huge pages where the system has them: look-ups are scattered over
/// more memory than the translation cache covers with small pages. Pages that nobody touches take no memory.
pub struct Mapped<T> {
    numbers: NonNull<T>,
    len: usize,
}

impl<T: Number> Mapped<T> {
    /// A table of zeros.
    pub fn zeroed(len: usize) -> Result<Self, OutOfMemory> {
        Self::on_pages(len, system::PageSize::Huge)
    }

    /// A table of zeros of which only small parts here and there will be touched: on small pages, so that nothing between them
    /// takes memory.
    pub fn sparse(len: usize) -> Result<Self, OutOfMemory> {
        Self::on_pages(len, system::PageSize::Small)
    }

    fn on_pages(len: usize, pages: system::PageSize) -> Result<Self, OutOfMemory> {
        let error = OutOfMemory { bytes: (len as u64).saturating_mul(size_of::<T>() as u64) };
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize).ok_or(error)?;
        let numbers = system::map(bytes.max(1), pages).ok_or(error)?.cast();
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

impl<T> std::fmt::Debug for Mapped<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mapped({})", self.len())
    }
}

#[cfg(unix)]
mod system {
    use std::ptr::NonNull;

    /// The pages that are asked for.
    #[derive(Clone, Copy)]
    pub(super) enum PageSize {
        Huge,
        Small,
    }

    pub(super) fn map(bytes: usize, pages: PageSize) -> Option<NonNull<u8>> {
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
        {
            let advice = match pages {
                PageSize::Huge => libc::MADV_HUGEPAGE,
                PageSize::Small => libc::MADV_NOHUGEPAGE,
            };
            // SAFETY: the range was just mapped, and the advice changes no content.
            let _ = unsafe { libc::madvise(address, bytes, advice) };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = pages;
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

    /// The pages that are asked for; here the system decides.
    #[derive(Clone, Copy)]
    pub(super) enum PageSize {
        Huge,
        Small,
    }

    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes, 4096).ok()
    }

    pub(super) fn map(bytes: usize, _: PageSize) -> Option<NonNull<u8>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_starts_at_zero_and_keeps_what_is_written() {
        let mut numbers = Mapped::<i16>::zeroed(3_000_000).unwrap();
        assert!(numbers.iter().all(|&number| number == 0));
        numbers[2_999_999] = -3;
        assert_eq!((numbers.len(), numbers[0], numbers[2_999_999]), (3_000_000, 0, -3));
        assert!(Mapped::<i16>::zeroed(0).unwrap().is_empty());
        let mut sparse = Mapped::<u32>::sparse(3_000_000).unwrap();
        sparse[2_999_999] = 7;
        assert_eq!((sparse.len(), sparse[5], sparse[2_999_999]), (3_000_000, 0, 7));
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert_eq!(Mapped::<u32>::zeroed(usize::MAX).unwrap_err().bytes, u64::MAX);
        assert!(Mapped::<u32>::zeroed(usize::MAX / 8).is_err());
    }
}
