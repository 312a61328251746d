//! Where the weights of each stage lie, counted over all stages: the tables of a stage one after the other, and then those of
//! the next one.

use std::ops::Range;

use super::design::Design;

/// The places of the stages. The first stages may have fewer tuples than those that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// How many stages have only the tuples that all have.
    narrow_stages: usize,
    /// The places of each of these.
    narrow: usize,
    /// How many stages follow, and the places of each.
    wide_stages: usize,
    wide: usize,
}

impl Places {
    pub(crate) fn new(design: &Design) -> Self {
        let narrow_stages = design.narrow_count();
        let weights = |stage: usize| design.shapes_of(stage).iter().map(|shape| shape.weights()).sum();
        Self {
            narrow_stages,
            narrow: weights(0),
            wide_stages: design.stage_count() - narrow_stages,
            wide: weights(narrow_stages),
        }
    }

    /// The number of all places; too many to count are `usize::MAX`.
    pub(crate) fn len(self) -> usize {
        let narrow = self.narrow.saturating_mul(self.narrow_stages);
        narrow.saturating_add(self.wide.saturating_mul(self.wide_stages))
    }

    /// The first place of a stage.
    #[inline(always)]
    pub(crate) fn begin(self, stage: usize) -> usize {
        match stage.checked_sub(self.narrow_stages) {
            None => stage * self.narrow,
            Some(wide) => self.narrow_stages * self.narrow + wide * self.wide,
        }
    }

    /// The places of a stage.
    #[inline(always)]
    pub(crate) fn of(self, stage: usize) -> Range<usize> {
        let begin = self.begin(stage);
        begin..begin + if stage < self.narrow_stages { self.narrow } else { self.wide }
    }

    /// The stage of a place.
    pub(crate) fn stage(self, place: usize) -> usize {
        match place.checked_sub(self.begin(self.narrow_stages)) {
            None => place / self.narrow,
            Some(beyond) => self.narrow_stages + beyond / self.wide,
        }
    }

    /// Which place of its stage a place is.
    #[inline]
    pub(crate) fn within(self, place: usize) -> usize {
        // Most networks have one stage, and a division takes longer than all the rest.
        if place < self.narrow && self.narrow_stages > 0 {
            return place;
        }
        match place.checked_sub(self.begin(self.narrow_stages)) {
            None => place % self.narrow,
            Some(beyond) => beyond % self.wide,
        }
    }

    /// The place of another stage that belongs to a place: the two stages have the same tuples, or there is none.
    pub(crate) fn counterpart(self, place: usize, stage: usize) -> Option<usize> {
        let same = self.is_wide(self.stage(place)) == self.is_wide(stage);
        same.then(|| self.begin(stage) + self.within(place))
    }

    /// Whether a stage has all tuples.
    pub(crate) fn is_wide(self, stage: usize) -> bool {
        stage >= self.narrow_stages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_lie_one_after_the_other() {
        let narrow = Design::new("x", &["a1", "a1 b1"], &[50, 100]).unwrap();
        let places = Places::new(&narrow);
        assert_eq!((places.len(), places.of(1), places.begin(2)), (3 * 272, 272..544, 544));
        assert_eq!(places.counterpart(273, 2), Some(545));

        let places = Places::new(&narrow.with_added(100, &["b1"]).unwrap());
        assert_eq!((places.len(), places.of(1), places.of(2)), (3 * 272 + 16, 272..544, 544..832));
        for stage in 0..3 {
            for (within, place) in places.of(stage).enumerate() {
                assert_eq!((places.stage(place), places.within(place)), (stage, within));
            }
        }
        assert_eq!((places.counterpart(273, 0), places.counterpart(545, 0)), (Some(1), None));
    }

    #[test]
    fn all_stages_may_be_wide() {
        let places = Places::new(&Design::new("x", &["a1"], &[50]).unwrap().with_added(0, &["b1"]).unwrap());
        assert_eq!((places.len(), places.of(1), places.stage(33), places.within(33)), (64, 32..64, 1, 1));
    }
}
