//! One table of a network as a file holds it: read.

use std::ops::Range;

use super::pack::{parts, unzigzag};
use crate::ntuple::quantise::{CLASSES, expected};
use crate::ntuple::weights::{PAGE, PagesBuilder};

/// The first place of a page and its kept weights, one bit each.
pub(super) type KeptPage = (usize, u32);

/// Format 4: one bit for each page, and a mask for those that have weights. `None` if their numbers differ.
pub(super) fn kept_by_masks(range: Range<usize>, pages: &[u8], masks: &[u8]) -> Option<Vec<KeptPage>> {
    let (masks, rest) = masks.as_chunks::<4>();
    let count: usize = pages.iter().map(|byte| byte.count_ones() as usize).sum();
    if count != masks.len() || !rest.is_empty() || pages.len() != parts(range.clone()).count().div_ceil(8) {
        return None;
    }
    let present = parts(range).enumerate().filter(|(number, _)| pages[number / 8] >> (number % 8) & 1 != 0);
    let kept: Vec<KeptPage> = present
        .zip(masks)
        .map(|((_, (_, places)), mask)| (places.start, u32::from_le_bytes(*mask) & u32::MAX >> (PAGE - places.len())))
        .collect();
    // Fewer when a bit stands for a page behind the last.
    (kept.len() == masks.len()).then_some(kept)
}

/// Before format 4: one bit for each weight.
pub(super) fn kept_by_bits(range: Range<usize>, kept: &[u8]) -> Vec<KeptPage> {
    let mask = |(_, places): (usize, Range<usize>)| {
        let first = places.start - range.start;
        // A part begins at a byte: tables and pages have multiples of 16 places.
        let bytes = kept.get(first / 8..(first + places.len()).div_ceil(8))?;
        let mask = bytes.iter().rev().fold(0, |mask, &byte| mask << 8 | u32::from(byte));
        (mask != 0).then_some((places.start, mask))
    };
    parts(range.clone()).filter_map(mask).collect()
}

/// Where the multiples of each class begin, and the class of each page. `None` if there are not as many classes as pages with
/// weights, or unknown ones.
fn cursors(kept: &[KeptPage], class: &[u8]) -> Option<[usize; CLASSES]> {
    if kept.len() != class.len() {
        return None;
    }
    let mut counts = [0usize; CLASSES];
    for ((_, mask), &class) in kept.iter().zip(class) {
        *counts.get_mut(usize::from(class))? += mask.count_ones() as usize;
    }
    let mut begin = 0;
    Some(counts.map(|count| {
        begin += count;
        begin - count
    }))
}

pub(super) fn unpack(
    pages: &mut PagesBuilder<'_>,
    kept: &[KeptPage],
    class: &[u8],
    [low, high]: [&[u8]; 2],
) -> Option<()> {
    let mut cursors = cursors(kept, class)?;
    for (&(place, mask), &class) in kept.iter().zip(class) {
        let cursor = &mut cursors[usize::from(class)];
        for bit in bits(mask) {
            let multiple = unzigzag(u16::from_le_bytes([*low.get(*cursor)?, *high.get(*cursor)?]));
            pages.set(place + bit, multiple.wrapping_shl(class.into()));
            *cursor += 1;
        }
    }
    Some(())
}

/// [`unpack`] for a table whose pages have a base.
pub(super) fn unpack_differences(
    pages: &mut PagesBuilder<'_>,
    kept: &[KeptPage],
    class: &[u8],
    [low, high]: [&[u8]; 2],
) -> Option<()> {
    let mut cursors = cursors(kept, class)?;
    for (&(place, mask), &class) in kept.iter().zip(class) {
        let cursor = &mut cursors[usize::from(class)];
        let count = mask.count_ones() as usize;
        let (low, high) = (low.get(*cursor..*cursor + count)?, high.get(*cursor..*cursor + count)?);
        *cursor += count;
        pages.own(place / PAGE, |weights| {
            for weight in weights.iter_mut() {
                *weight = expected(*weight, class);
            }
            for (bit, (&low, &high)) in bits(mask).zip(low.iter().zip(high)) {
                weights[bit] = weights[bit].wrapping_add(unzigzag(u16::from_le_bytes([low, high])));
            }
            for weight in weights {
                *weight = weight.wrapping_shl(class.into());
            }
        });
    }
    Some(())
}

pub(super) fn unpack_format_1(pages: &mut PagesBuilder<'_>, kept: &[KeptPage], [low, high]: [&[u8]; 2]) {
    let places = kept.iter().flat_map(|&(place, mask)| bits(mask).map(move |bit| place + bit));
    for (place, (&low, &high)) in places.zip(low.iter().zip(high)) {
        pages.set(place, i16::from_le_bytes([low, high]));
    }
}

/// The bits of a mask, from the lowest.
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}
