//! Weights as look-ups see them: floats that are being learned, or 16-bit numbers of which only the used pages exist.

use std::fmt::Debug;
use std::ops::{AddAssign, Range};
use std::sync::atomic::AtomicU32;

use afterstate_search::prefetch_item;

use super::index::{Packing, Tuple};
use super::layout::Layout;
use super::memory::{Floats, Mapped, OutOfMemory, load};

/// The weights of one stage.
pub trait Weights: Copy {
    /// What weights are added up in.
    type Sum: Copy + Default + AddAssign;

    /// Where the weights of places within the stage lie, those of one tuple.
    fn locate(self, places: [u32; 8]) -> [u32; 8];

    /// Where the weights of a tuple lie, for all images of a board.
    #[inline(always)]
    fn find<P: Packing>(self, packing: P, _board: u64, images: &[u64; 8], tuple: &Tuple) -> [u32; 8] {
        self.locate(tuple.places(packing, images))
    }

    /// Starts fetching a weight that will be needed soon.
    fn prefetch(self, located: u32);

    /// The weight.
    fn at(self, located: u32) -> Self::Sum;

    /// The value of a board: the sums over the features of each of its eight images.
    fn value(self, lanes: [Self::Sum; 8]) -> f32;
}

/// The weights of all stages.
pub trait Tables: Debug + Send + Sync {
    /// The weights of one stage.
    type Weights<'a>: Weights
    where
        Self: 'a;

    /// The weights in a range of places, counted over all stages.
    fn part(&self, range: Range<usize>) -> Self::Weights<'_>;
}

/// Floats that may be learned at the same time.
#[derive(Clone, Copy, Debug)]
pub struct FloatPart<'a> {
    words: &'a [AtomicU32],
    layout: Layout,
}

impl Tables for Floats {
    type Weights<'a> = FloatPart<'a>;

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> FloatPart<'_> {
        FloatPart { words: &self.words()[range], layout: self.layout() }
    }
}

impl<'a> FloatPart<'a> {
    /// A weight as a word.
    #[inline(always)]
    pub(crate) fn word(self, located: u32) -> &'a AtomicU32 {
        &self.words[located as usize]
    }
}

impl Weights for FloatPart<'_> {
    type Sum = f32;

    #[inline(always)]
    fn locate(self, places: [u32; 8]) -> [u32; 8] {
        self.layout.locate_all(places)
    }

    #[inline(always)]
    fn find<P: Packing>(self, packing: P, board: u64, images: &[u64; 8], tuple: &Tuple) -> [u32; 8] {
        match &tuple.order {
            // It begins at a multiple of 2^24, and sorting changes only what is below.
            Some(order) => packing.sorted(board, images, tuple, order).map(|located| tuple.offset + located),
            None => self.locate(tuple.places(packing, images)),
        }
    }

    #[inline(always)]
    fn prefetch(self, located: u32) {
        prefetch_item(self.words, located as usize);
    }

    #[inline(always)]
    fn at(self, located: u32) -> f32 {
        load(self.word(located))
    }

    /// The partial sums of the eight symmetries, added in the order in which eight lanes of a GPU add them.
    #[inline(always)]
    fn value(self, lanes: [f32; 8]) -> f32 {
        let [a, b, c, d, e, f, g, h] = lanes;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }
}

/// Weights as multiples of a unit. Play looks up a small part of all weights: those that are never looked up share one page
/// of zeros, and a directory says where the others lie. The shipped network takes 0.7 GB, its floats 15.
#[derive(Debug)]
pub struct Pages {
    /// Where the weights of each page begin.
    directory: Mapped<u32>,
    weights: Mapped<i16>,
    unit: f32,
}

/// One cache line.
pub(crate) const PAGE: usize = 32;

/// The entries of the directory that the system maps at once.
const ENTRIES: usize = 4096 / size_of::<u32>();

impl Pages {
    /// Pages of zeros with room for `kept` others, in a network with `len` places.
    pub(crate) fn zeroed(len: usize, kept: usize, unit: f32) -> Result<Self, OutOfMemory> {
        let pages = len.div_ceil(PAGE);
        // The first page is the one of zeros.
        let room = PAGE * (1 + kept.min(pages));
        if u32::try_from(room).is_err() {
            return Err(OutOfMemory { bytes: 2 * room as u64 });
        }
        Ok(Self { directory: Mapped::sparse(pages)?, weights: Mapped::zeroed(room)?, unit })
    }

    /// The weight of a place, counted over all stages.
    pub(crate) fn get(&self, place: usize) -> f32 {
        f32::from(self.weights[self.directory[place / PAGE] as usize + place % PAGE]) * self.unit
    }

    /// Whether any of these places has a weight.
    pub(crate) fn has_weights(&self, places: Range<usize>) -> bool {
        self.directory[places.start / PAGE..places.end.div_ceil(PAGE)].iter().any(|&page| page != 0)
    }

    /// Fills pages, all by one.
    pub(crate) fn builder(&mut self) -> PagesBuilder<'_> {
        let weights = self.weights.get_mut(PAGE..).unwrap_or_default();
        PagesBuilder::new(vec![(0, &mut self.directory)], weights, PAGE)
    }

    /// Fills pages, several at the same time. `tables` are the pages of one table after the other and by which builder each of
    /// them is filled, `rooms` how many pages with weights each builder may make.
    pub(crate) fn builders(&mut self, tables: &[(Range<usize>, usize)], rooms: &[usize]) -> Vec<PagesBuilder<'_>> {
        let mut weights = self.weights.get_mut(PAGE..).unwrap_or_default();
        let mut begin = PAGE;
        let mut builders = Vec::new();
        for room in rooms {
            let (own, rest) = weights.split_at_mut((PAGE * room).min(weights.len()));
            weights = rest;
            let next = begin + own.len();
            builders.push(PagesBuilder::new(Vec::new(), own, begin));
            begin = next;
        }
        let mut directory = &mut self.directory[..];
        for (pages, builder) in tables {
            let (own, rest) = directory.split_at_mut(pages.len().min(directory.len()));
            directory = rest;
            builders[*builder].directory.push((pages.start, own));
        }
        builders
    }
}

/// Pages that are being filled.
#[derive(Debug)]
pub(crate) struct PagesBuilder<'a> {
    /// The parts of the directory that belong to it, each with its first page, in order.
    directory: Vec<(usize, &'a mut [u32])>,
    /// The part that is filled at present.
    current: usize,
    /// Room for pages, and where it lies among all weights.
    weights: &'a mut [i16],
    begin: usize,
    /// How much of it is taken.
    next: usize,
    /// Pages of its own by what they hold, one for each remainder of a hash.
    known: Vec<u32>,
}

/// How many pages a builder knows by what they hold.
const KNOWN: usize = 1 << 14;

impl<'a> PagesBuilder<'a> {
    fn new(directory: Vec<(usize, &'a mut [u32])>, weights: &'a mut [i16], begin: usize) -> Self {
        Self { directory, current: 0, weights, begin, next: 0, known: vec![0; KNOWN] }
    }

    /// Goes on with the part of the directory that has this page.
    pub(crate) fn open(&mut self, page: usize) {
        self.current = self.part_of(page);
    }

    fn part_of(&self, page: usize) -> usize {
        self.directory.partition_point(|(first, _)| *first <= page).saturating_sub(1)
    }

    /// Where the weights of a page of the open part begin.
    #[inline]
    fn entry(&mut self, page: usize) -> Option<&mut u32> {
        let (first, entries) = self.directory.get_mut(self.current)?;
        entries.get_mut(page.checked_sub(*first)?)
    }

    /// Writes to the parts of the directory that have these pages, none of which has weights yet. What is read first and written
    /// later is mapped twice, the second time with all other threads waiting: that was an eighth of the time of loading.
    pub(crate) fn claim(&mut self, pages: impl Iterator<Item = usize>) {
        let mut last = usize::MAX;
        for page in pages {
            if page / ENTRIES != last {
                last = page / ENTRIES;
                if let Some(entry) = self.entry(page) {
                    *entry = 0;
                }
            }
        }
    }

    /// What a page holds: zeros, where it lies before the pages of this builder.
    #[inline]
    fn weights_at(&self, begin: usize) -> Option<[i16; PAGE]> {
        match begin.checked_sub(self.begin) {
            None => Some([0; PAGE]),
            Some(begin) => self.weights.get(begin..)?.first_chunk().copied(),
        }
    }

    /// A page that holds this, if there is room. Pages with one or two weights are often alike: they are looked for first.
    #[inline]
    fn page_with(&mut self, weights: &[i16; PAGE]) -> Option<u32> {
        if weights.iter().filter(|weight| **weight != 0).count() > 2 {
            let (begin, place) = self.new_page()?;
            *place = *weights;
            return Some(begin);
        }
        let slot = hash(weights) % KNOWN;
        let known = self.known[slot];
        if known != 0 && self.weights_at(known as usize) == Some(*weights) {
            return Some(known);
        }
        let (begin, place) = self.new_page()?;
        *place = *weights;
        self.known[slot] = begin;
        Some(begin)
    }

    /// A page of its own, if there is room.
    #[inline]
    fn new_page(&mut self) -> Option<(u32, &mut [i16; PAGE])> {
        let place = self.weights.get_mut(self.next..)?.first_chunk_mut()?;
        let begin = (self.begin + self.next) as u32;
        self.next += PAGE;
        Some((begin, place))
    }

    /// Gives a weight its value in units. More weights than there is room for are left out.
    #[inline]
    pub(crate) fn set(&mut self, place: usize, units: i16) {
        let Some(mut page) = self.entry(place / PAGE).map(|entry| *entry) else { return };
        if page == 0 {
            let Some((begin, _)) = self.new_page() else { return };
            page = begin;
            if let Some(entry) = self.entry(place / PAGE) {
                *entry = begin;
            }
        }
        if let Some(weight) = self.weights.get_mut(page as usize - self.begin + place % PAGE) {
            *weight = units;
        }
    }

    /// Gives pages of the open part the weights of other ones, until one of them gets its own.
    pub(crate) fn resemble(&mut self, pages: Range<usize>, base: usize) {
        let (of_base, current) = (self.part_of(base), self.current);
        let Ok([(first_base, bases), (first, entries)]) = self.directory.get_disjoint_mut([of_base, current]) else {
            return;
        };
        let bases = base.checked_sub(*first_base).and_then(|begin| bases.get(begin..begin + pages.len()));
        let entries = pages.start.checked_sub(*first).and_then(|begin| entries.get_mut(begin..begin + pages.len()));
        for (entry, &base) in entries.into_iter().flatten().zip(bases.into_iter().flatten()) {
            // Where there is nothing, the directory is not touched and takes no memory.
            if base != 0 {
                *entry = base;
            }
        }
    }

    /// Gives a page weights of its own: those of its base, changed by `change`. A page that stays as its base shares its memory,
    /// and so do pages that are alike; one for which there is no room is left out. Not for pages that are changed later.
    #[inline]
    pub(crate) fn own(&mut self, page: usize, change: impl FnOnce(&mut [i16; PAGE])) {
        let Some(begin) = self.entry(page).map(|entry| *entry as usize) else { return };
        let Some(base) = self.weights_at(begin) else { return };
        let mut weights = base;
        change(&mut weights);
        if weights == base {
            return;
        }
        let Some(begin) = self.page_with(&weights) else { return };
        if let Some(entry) = self.entry(page) {
            *entry = begin;
        }
    }
}

#[inline]
fn hash(weights: &[i16; PAGE]) -> usize {
    let mut hash = 0u64;
    for four in weights.as_chunks::<4>().0 {
        let word = four.iter().fold(0, |word, &weight| word << 16 | u64::from(weight.cast_unsigned()));
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 32) as usize
}

/// The pages of one stage.
#[derive(Clone, Copy, Debug)]
pub struct PagePart<'a> {
    pages: &'a Pages,
    begin: usize,
}

impl Tables for Pages {
    type Weights<'a> = PagePart<'a>;

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> PagePart<'_> {
        PagePart { pages: self, begin: range.start }
    }
}

impl Weights for PagePart<'_> {
    type Sum = i32;

    #[inline(always)]
    fn locate(self, places: [u32; 8]) -> [u32; 8] {
        places.map(|place| {
            let place = self.begin + place as usize;
            self.pages.directory[place / PAGE] + (place % PAGE) as u32
        })
    }

    #[inline(always)]
    fn prefetch(self, located: u32) {
        prefetch_item(&self.pages.weights, located as usize);
    }

    #[inline(always)]
    fn at(self, located: u32) -> i32 {
        i32::from(self.pages.weights[located as usize])
    }

    #[inline(always)]
    fn value(self, lanes: [i32; 8]) -> f32 {
        lanes.iter().sum::<i32>() as f32 * self.pages.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_alike_share_their_memory() {
        let mut pages = Pages::zeroed(8 * PAGE, 4, 0.5).unwrap();
        let mut builder = pages.builder();
        builder.own(0, |weights| weights[3] = 5);
        builder.own(1, |weights| weights[4] = 5);
        builder.own(2, |weights| weights[3] = 5);
        builder.own(3, |_| ());
        builder.own(4, |weights| *weights = [1; PAGE]);
        let entries = pages.directory.to_vec();
        assert_eq!(entries[..4], [PAGE as u32, 2 * PAGE as u32, PAGE as u32, 0]);
        assert_eq!((pages.get(2 * PAGE + 3), pages.get(PAGE + 4), pages.get(3 * PAGE)), (2.5, 2.5, 0.0));
        assert!((PAGE * 4..PAGE * 5).map(|place| pages.get(place)).eq([0.5; PAGE]));
    }

    #[test]
    fn a_table_begins_as_its_base_and_may_differ() {
        let mut pages = Pages::zeroed(4 * PAGE, 4, 1.0).unwrap();
        let tables = [(0..2, 0), (2..4, 0)];
        let mut builders = pages.builders(&tables, &[4]);
        let builder = &mut builders[0];
        builder.open(0);
        builder.own(0, |weights| weights[0] = 7);
        builder.own(1, |weights| weights[1] = 8);
        builder.open(2);
        builder.resemble(2..4, 0);
        builder.own(3, |weights| weights[1] -= 1);
        let weights = [0, PAGE + 1, 2 * PAGE, 3 * PAGE + 1].map(|place| pages.get(place));
        assert_eq!(weights, [7.0, 8.0, 7.0, 7.0]);
        assert_eq!(pages.directory[2], pages.directory[0], "nothing of its own");
    }
}
