//! Where the weights of a network that learns lie in memory.
//!
//! A place is what the cells of a tuple hold, one after the other. In that order a game jumps over the whole table with every
//! tile that appears, and the processor spends half of its time on finding out where pages lie. So the halves of the cells
//! are sorted: first the upper bits of all six, which tell large tiles from small ones and change seldom, then the lower bits.
//! What a game looks up for a while then lies in a few blocks of 4096 weights.

use super::design::Design;

/// The cells that are sorted together.
const CELLS: u32 = 6;

/// Which of the places of a stage are sorted: those of the first tuples, as long as they have six cells or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The places of these tuples.
    sorted: u32,
}

impl Layout {
    /// The layout of the stages of a network.
    pub(crate) fn new(design: &Design) -> Self {
        let sorted: usize =
            design.shapes().iter().take_while(|shape| shape.len() >= CELLS).map(|shape| shape.weights()).sum();
        // A stage has less than 2^32 weights.
        Self { sorted: u32::try_from(sorted).unwrap_or(u32::MAX) }
    }

    /// Whether the weights of the tuple whose places begin here are sorted.
    pub(crate) fn sorts(self, begin: u32) -> bool {
        begin < self.sorted
    }

    /// Where the weight of a place lies: a permutation of the places of a stage.
    #[inline(always)]
    pub(crate) fn locate(self, place: u32) -> u32 {
        if place < self.sorted { sorted(place) } else { place }
    }

    /// [`Self::locate`] for places of one tuple.
    #[inline(always)]
    pub(crate) fn locate_all(self, places: [u32; 8]) -> [u32; 8] {
        if places[0] < self.sorted { places.map(sorted) } else { places }
    }
}

/// The lowest six nibbles with their lower halves first, then the upper halves.
#[inline(always)]
pub(crate) fn sorted(place: u32) -> u32 {
    // Within each byte: the two lower halves, then the two upper ones.
    let different = (place ^ place >> 2) & 0x000c_0c0c;
    let bytes = place ^ different ^ different << 2;
    bytes & 0xfff0_000f
        | (bytes & 0x0000_0f00) >> 4
        | (bytes & 0x000f_0000) >> 8
        | (bytes & 0x0000_00f0) << 8
        | (bytes & 0x0000_f000) << 4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, bit by bit.
    fn expected(place: u32) -> u32 {
        let half = |cell: u32, upper: u32| place >> (4 * cell + 2 * upper) & 3;
        let lower = (0..6).map(|cell| half(cell, 0) << (2 * cell)).sum::<u32>();
        let upper = (0..6).map(|cell| half(cell, 1) << (12 + 2 * cell)).sum::<u32>();
        place >> 24 << 24 | upper | lower
    }

    fn layout(tuples: &[&str]) -> Layout {
        Layout::new(&Design::new("x", tuples, &[]).unwrap())
    }

    #[test]
    fn the_halves_of_six_cells_are_sorted() {
        let layout = layout(&["a1 b1 c1 d1 a2 b2", "a1 b1 c1 d1 a2 b2 c2"]);
        for place in (0..17 << 24).step_by(9973) {
            assert_eq!(layout.locate(place), expected(place), "{place:x}");
        }
    }

    #[test]
    fn every_place_has_a_weight_of_its_own() {
        let layout = layout(&["a1 b1 c1 d1 a2 b2", "a1 b1", "a1 b1 c1 d1 a2 b2"]);
        let mut taken = vec![false; (2 << 24) + 256];
        for place in 0..taken.len() as u32 {
            assert!(!std::mem::replace(&mut taken[layout.locate(place) as usize], true), "{place:x}");
        }
    }

    #[test]
    fn the_places_of_a_tuple_are_located_together_as_one_by_one() {
        let layout = layout(&["a1 b1 c1 d1 a2 b2", "a1 b1 c1 d1 a2"]);
        for begin in [0, 0xff_fff8, 0x100_0000, 0x100_fff8] {
            let places = std::array::from_fn(|i| begin + i as u32);
            assert_eq!(layout.locate_all(places), places.map(|place| layout.locate(place)));
        }
    }

    #[test]
    fn small_tables_lie_as_they_are() {
        let layout = layout(&["a1 b1 c1 d1"]);
        assert!((0..1 << 16).all(|place| layout.locate(place) == place));
    }
}
