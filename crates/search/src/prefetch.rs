//! Asking the processor for memory before it is needed.

#![expect(unsafe_code, reason = "the prefetch instruction has no safe form")]

/// Starts fetching the cache line of an item; outside of `items` it fetches something that nobody needs.
#[inline(always)]
pub fn prefetch_item<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as below; the address need not be one of ours.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(index).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

/// Starts fetching the cache line at `place`; changes nothing but the time a later access takes.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE, and a prefetch can neither fault nor change memory.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
