//! Weights as look-ups see them: floats that are being learned, or 16-bit numbers of which only the used pages exist.

use std::fmt::Debug;
use std::ops::{AddAssign, Range};
use std::sync::atomic::AtomicU32;

use afterstate_search::prefetch_item;

use super::layout::Layout;
use super::memory::{Floats, Mapped, OutOfMemory, load};

/// The weights of one stage.
pub trait Weights: Copy {
    /// What weights are added up in.
    type Sum: Copy + Default + AddAssign;

    /// Where the weights of places within the stage lie, those of one tuple.
    fn locate(self, places: [u32; 8]) -> [u32; 8];

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
/// of zeros, and a directory says where the others lie. The shipped network takes a tenth of the memory of its floats.
#[derive(Debug)]
pub struct Pages {
    /// Where the weights of each page begin.
    directory: Mapped<u32>,
    weights: Mapped<i16>,
    unit: f32,
}

/// One cache line.
pub(crate) const PAGE: usize = 32;

impl Pages {
    /// Weights of which at most `kept` are not 0, in a network with `len` places.
    pub(crate) fn zeroed(len: usize, kept: usize, unit: f32) -> Result<PagesBuilder, OutOfMemory> {
        let pages = len.div_ceil(PAGE);
        // The first page is the one of zeros.
        let room = PAGE * (1 + kept.min(pages));
        if u32::try_from(room).is_err() {
            return Err(OutOfMemory { bytes: 2 * room as u64 });
        }
        let pages = Self { directory: Mapped::zeroed(pages)?, weights: Mapped::zeroed(room)?, unit };
        Ok(PagesBuilder { pages, next: PAGE })
    }

    /// The weight of a place, counted over all stages.
    pub(crate) fn get(&self, place: usize) -> f32 {
        f32::from(self.weights[self.directory[place / PAGE] as usize + place % PAGE]) * self.unit
    }
}

/// Pages that are being filled.
#[derive(Debug)]
pub(crate) struct PagesBuilder {
    pages: Pages,
    next: usize,
}

impl PagesBuilder {
    /// Gives a weight its value in units. More weights than there is room for are left out.
    #[inline]
    pub(crate) fn set(&mut self, place: usize, units: i16) {
        let Some(page) = self.pages.directory.get_mut(place / PAGE) else { return };
        if *page == 0 {
            *page = self.next as u32;
            self.next += PAGE;
        }
        if let Some(weight) = self.pages.weights.get_mut(*page as usize + place % PAGE) {
            *weight = units;
        }
    }

    /// Gives pages the weights of other ones, until one of them gets its own.
    pub(crate) fn resemble(&mut self, pages: Range<usize>, base: usize) {
        let end = self.pages.directory.len();
        if pages.end <= end && base + pages.len() <= end {
            self.pages.directory.copy_within(base..base + pages.len(), pages.start);
        }
    }

    /// Gives a page weights of its own: those of its base, changed by `change`. A page for which there is no room is left out.
    #[inline]
    pub(crate) fn own(&mut self, page: usize, change: impl FnOnce(&mut [i16; PAGE])) {
        let Some(begin) = self.pages.directory.get(page).map(|&begin| begin as usize) else { return };
        let Some(mut weights) = self.pages.weights.get(begin..).and_then(|weights| weights.first_chunk().copied())
        else {
            return;
        };
        change(&mut weights);
        if let Some(place) = self.pages.weights.get_mut(self.next..).and_then(|weights| weights.first_chunk_mut()) {
            *place = weights;
            self.pages.directory[page] = self.next as u32;
            self.next += PAGE;
        }
    }

    pub(crate) fn finish(self) -> Pages {
        self.pages
    }
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
