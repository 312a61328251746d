//! Sets of game numbers, as ascending ranges that do not touch.

use std::ops::Range;

/// How many numbers there are.
pub(crate) fn count(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

/// The numbers of `all` that are not in `without`.
pub(crate) fn subtract(all: &[Range<u64>], without: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut left = Vec::new();
    for range in all {
        let mut from = range.start;
        for hole in without.iter().filter(|hole| hole.end > range.start && hole.start < range.end) {
            if hole.start > from {
                left.push(from..hole.start);
            }
            from = hole.end;
        }
        if from < range.end {
            left.push(from..range.end);
        }
    }
    left
}

/// The numbers that are in both.
pub(crate) fn common(some: &[Range<u64>], others: &[Range<u64>]) -> Vec<Range<u64>> {
    subtract(some, &subtract(some, others))
}

/// The first `count` numbers.
pub(crate) fn first(ranges: &[Range<u64>], mut count: u64) -> Vec<Range<u64>> {
    let mut taken = Vec::new();
    for range in ranges {
        let end = range.end.min(range.start.saturating_add(count));
        if end > range.start {
            taken.push(range.start..end);
            count -= end - range.start;
        }
    }
    taken
}

/// Puts ranges in any order, which may overlap, into one ascending list.
pub(crate) fn united(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut united: Vec<Range<u64>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match united.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn numbers(ranges: &[Range<u64>]) -> BTreeSet<u64> {
        ranges.iter().cloned().flatten().collect()
    }

    fn any_ranges() -> impl Strategy<Value = Vec<Range<u64>>> {
        prop::collection::vec((0_u64..40, 0_u64..6).prop_map(|(start, length)| start..start + length), 0..8)
    }

    proptest! {
        #[test]
        fn ranges_are_the_sets_that_they_stand_for(a in any_ranges(), b in any_ranges(), some in 0_u64..30) {
            let (one, two) = (united(a.clone()), united(b));
            prop_assert_eq!(numbers(&one), numbers(&a));
            prop_assert!(one.windows(2).all(|pair| pair[0].end < pair[1].start));
            prop_assert_eq!(count(&one), numbers(&one).len() as u64);
            prop_assert_eq!(numbers(&subtract(&one, &two)), &numbers(&one) - &numbers(&two));
            prop_assert_eq!(numbers(&common(&one, &two)), &numbers(&one) & &numbers(&two));
            prop_assert_eq!(numbers(&first(&one, some)), numbers(&one).into_iter().take(some as usize).collect());
        }
    }
}
