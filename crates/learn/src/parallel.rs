//! The same work for many items on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does `work` for every number below `count`, on so many threads, and returns the results in order: which thread did what
/// never shows. `None` if any piece of work was given up.
pub(crate) fn map<R: Send>(count: usize, threads: usize, work: impl Fn(usize) -> Option<R> + Sync) -> Option<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    let worker = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let Some(result) = work(number) else { break };
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    std::thread::scope(|scope| {
        (1..threads.min(count)).for_each(|_| drop(scope.spawn(worker)));
        worker();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    (done.len() == count).then(|| done.into_iter().map(|(_, result)| result).collect())
}

/// [`map`] on all cores, for work that is never given up.
pub(crate) fn map_all<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    map(count, cores, |number| Some(work(number))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_all_or_none() {
        assert_eq!(map(5, 3, |n| Some(n * n)), Some(vec![0, 1, 4, 9, 16]));
        assert_eq!(map(0, 3, Some), Some(vec![]));
        assert_eq!(map(5, 2, |n| (n != 3).then_some(n)), None);
    }
}
