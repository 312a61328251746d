//! Large tables, shared by all threads without locks.
//!
//! Tables of weights that are being learned are read and written with relaxed atomic loads and stores, which on common
//! processors are plain moves. Two threads that update one weight at the same moment lose one of the updates; learning
//! does not notice.

use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) use afterstate_search::{Mapped, OutOfMemory};

use super::design::Design;
use super::layout::Layout;
use super::places::Places;
use crate::parallel::map_all;

/// The numbers that one thread copies at a time.
const PART: usize = 1 << 22;

/// Tables of `f32` that threads share, one for each stage of a network: some numbers for every place.
#[derive(Debug)]
pub struct Floats {
    words: Mapped<AtomicU32>,
    layout: Layout,
    places: Places,
    /// The numbers of a place.
    width: usize,
}

impl Floats {
    /// Tables of zeros: `width` numbers for each place of a network of this design.
    pub(crate) fn zeroed(design: &Design, width: usize) -> Result<Self, OutOfMemory> {
        let places = Places::new(design);
        let words = Mapped::zeroed(places.len().saturating_mul(width))?;
        Ok(Self { words, layout: Layout::new(design), places, width })
    }

    /// The numbers as atomic words, in the order in which they lie.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[AtomicU32] {
        &self.words
    }

    /// Where the numbers of a stage lie.
    #[inline(always)]
    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// A number, by its place over all stages.
    #[inline]
    fn word(&self, index: usize) -> &AtomicU32 {
        let (place, number) = if self.width == 1 { (index, 0) } else { (index / self.width, index % self.width) };
        let within = self.places.within(place);
        // A stage has less than 2^32 places.
        let located = place - within + self.layout.locate(within as u32) as usize;
        &self.words[located * self.width + number]
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> f32 {
        load(self.word(index))
    }

    #[inline]
    pub(crate) fn set(&self, index: usize, value: f32) {
        store(self.word(index), value);
    }

    /// Gives all numbers of some places the same value.
    pub(crate) fn fill(&self, places: std::ops::Range<usize>, value: f32) {
        self.words()[self.width * places.start..self.width * places.end].iter().for_each(|word| store(word, value));
    }

    /// Replaces the numbers from `begin` on.
    pub(crate) fn write(&self, begin: usize, values: &[f32]) {
        let parts: Vec<&[f32]> = values.chunks(PART).collect();
        map_all(parts.len(), |part| {
            for (index, &value) in (begin + PART * part..self.len()).zip(parts[part]) {
                self.set(index, value);
            }
        });
    }

    /// A copy of a part.
    pub(crate) fn read(&self, range: std::ops::Range<usize>) -> Vec<f32> {
        let begins: Vec<usize> = range.clone().step_by(PART).collect();
        let part = |part: usize| -> Vec<f32> {
            (begins[part]..range.end.min(begins[part] + PART)).map(|index| self.get(index)).collect()
        };
        map_all(begins.len(), part).concat()
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
        let design = |tuples: &[&str], stages: &[u32]| Design::new("x", tuples, stages).unwrap();
        let six = "a1 b1 c1 d1 a2 b2";
        for (design, width) in [
            (design(&["a1 b1 c1 d1 a2"], &[]), 1),
            (design(&["a1 b1 c1 d1 a2", "a1 b1"], &[100, 200]), 3),
            (design(&[six, "a1"], &[]), 2),
            (design(&[six, "a1"], &[100]), 1),
        ] {
            let table = Floats::zeroed(&design, width).unwrap();
            let last = table.len() - 1;
            assert!(table.read(last - 900_000..last).iter().all(|&value| value == 0.0));
            table.set(last, 1.5);
            table.write(7, &[1.0, 2.0]);
            assert_eq!(table.read(7..10), [1.0, 2.0, 0.0]);
            assert_eq!((table.get(last), table.get(last - 1), table.get(8)), (1.5, 0.0, 2.0));
        }
        let mut numbers = Mapped::<i16>::zeroed(10).unwrap();
        numbers[9] = -3;
        assert_eq!((numbers.len(), numbers[0], numbers[9]), (10, 0, -3));
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        let design = Design::built_in("8x6").unwrap();
        assert!(Floats::zeroed(&design, usize::MAX / 8).is_err());
        assert!(Floats::zeroed(&design, usize::MAX).is_err());
        assert_eq!(Floats::zeroed(&design, 0).unwrap().len(), 0);
    }
}
