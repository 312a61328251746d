//! The sections of a training game, which the kernels call stages: the stages of the network and, where stages follow above the
//! ceiling, the part between in which tiles are lowered and nothing is learned.

use crate::ntuple::Design;
#[cfg(test)]
use crate::ntuple::view::ceiling_tile;

/// The most sections a training may have.
#[cfg(feature = "cuda")]
pub(super) const MAX_SECTIONS: usize = Design::MAX_STAGES + 1;

impl Design {
    /// The tile sums at which the sections end, one after the other; the last one may never end.
    pub(super) fn section_ends(&self) -> Vec<u32> {
        let lowered = self.ceiling().filter(|_| !self.late().is_empty());
        let begins = self.stages().iter().copied().chain(lowered).chain(self.late().iter().copied());
        begins.chain([self.end()]).collect()
    }

    /// The section in which a stage learns.
    #[cfg(feature = "cuda")]
    pub(super) fn section_of_stage(&self, stage: usize) -> usize {
        stage + usize::from(stage >= self.early_count())
    }

    /// The section of boards with this tile sum; the number of sections behind the last one.
    #[cfg(any(test, feature = "cuda"))]
    pub(super) fn section_of_sum(&self, sum: u32) -> usize {
        self.section_ends().iter().take_while(|&&end| end <= sum).count()
    }

    /// Whether a board at the end of the last section has the tile that this end stands for, or two of its halves: tiles that do
    /// not merge make up the sum too.
    #[cfg(test)]
    pub(super) fn is_whole(&self, board: u64) -> bool {
        let tile = ceiling_tile(self.ceiling().unwrap_or(u32::MAX));
        let exponents = (0..16).map(|cell| (board >> (4 * cell)) as u32 & 15).filter(|&exponent| exponent >= tile);
        exponents.map(|exponent| 1 << (exponent - tile)).sum::<u32>() >= self.end() >> tile
    }

    /// The stage whose weights a section learns, if it learns.
    #[cfg(test)]
    pub(super) fn stage_of_section(&self, section: usize) -> Option<usize> {
        (section != self.early_count()).then(|| section - usize::from(section > self.early_count()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowered_part_is_a_section_where_stages_follow() {
        let design = Design::new("x", &["a1"], &[100]).unwrap();
        assert_eq!(design.section_ends(), [100, u32::MAX]);
        let design = design.with_ceiling(Some(260)).unwrap();
        assert_eq!(design.section_ends(), [100, 260]);
        let design = design.with_late(&[400, 450]).unwrap();
        assert_eq!(design.section_ends(), [100, 260, 400, 450, 516]);
        assert_eq!([0, 260, 399, 400, 515, 516].map(|sum| design.section_of_sum(sum)), [0, 2, 2, 3, 4, 5]);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|section| design.stage_of_section(section)),
            [Some(0), Some(1), None, Some(2), Some(3)]
        );
    }

    #[test]
    fn a_sum_without_its_tile_is_no_end() {
        let design = Design::new("x", &["a1"], &[]).unwrap().with_ceiling(Some(32_832)).unwrap();
        assert!(design.is_whole(0xf7) && !design.is_whole(0xed_cba9_8a87));
        let late = design.with_late(&[61_504]).unwrap();
        assert!(late.is_whole(0xff7) && !late.is_whole(0xfed_cba9_8987));
        let small = Design::new("x", &["a1"], &[]).unwrap().with_ceiling(Some(132)).unwrap().with_late(&[200]).unwrap();
        assert!(small.is_whole(0x8) && small.is_whole(0x77) && !small.is_whole(0x7_6666));
    }
}
