//! What the table remembers of a searched position, packed into 64 bits.

use afterstate_game::Bound;

use super::score::{Bounds, Score};
use super::settings::Reuse;

/// The result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value as the position itself sees it (wins counted from here).
    pub(super) value: Score,
    /// What the value is to the true one.
    pub(super) bound: Bound,
    /// The half-moves that were searched.
    pub(super) depth: u8,
    /// The code of the best move, if one was found.
    pub(super) best: Option<u16>,
    /// The search that made the entry.
    pub(super) generation: u8,
}

const DEPTH_AT: u32 = Score::BITS;
const BOUND_AT: u32 = DEPTH_AT + 8;
const MOVE_AT: u32 = BOUND_AT + 2;
const GENERATION_AT: u32 = MOVE_AT + 16;
const _: () = assert!(GENERATION_AT + 8 <= u64::BITS);

impl Entry {
    /// The entry as the table stores it; never 0, because the bound is not.
    #[inline]
    pub(super) fn pack(self) -> u64 {
        let bound: u64 = match self.bound {
            Bound::Exact => 1,
            Bound::Upper => 2,
            Bound::Lower => 3,
        };
        let value = self.value.points() as u32 as u64 & ((1 << Score::BITS) - 1);
        let best = self.best.map_or(0, |code| u64::from(code) + 1);
        value
            | u64::from(self.depth) << DEPTH_AT
            | bound << BOUND_AT
            | best << MOVE_AT
            | u64::from(self.generation) << GENERATION_AT
    }

    /// The entry that was packed.
    #[inline]
    pub(super) fn unpack(bits: u64) -> Self {
        const UNUSED: u32 = i32::BITS - Score::BITS;
        Self {
            // Shifting up and down again copies the sign.
            value: Score::from_points((bits as i32) << UNUSED >> UNUSED),
            bound: match bits >> BOUND_AT & 3 {
                1 => Bound::Exact,
                2 => Bound::Upper,
                _ => Bound::Lower,
            },
            depth: (bits >> DEPTH_AT) as u8,
            best: ((bits >> MOVE_AT) as u16).checked_sub(1),
            generation: (bits >> GENERATION_AT) as u8,
        }
    }

    /// The value, if it answers a search of `depth` half-moves within `bounds` at `ply`.
    #[inline]
    pub(super) fn answer(&self, depth: u32, bounds: Bounds, ply: usize, reuse: Reuse) -> Option<Score> {
        let deep_enough = match reuse {
            Reuse::SameDepth => u32::from(self.depth) == depth,
            Reuse::AtLeastDepth => u32::from(self.depth) >= depth,
        };
        let value = self.value.seen_from_root(ply);
        let answers = match self.bound {
            Bound::Exact => true,
            Bound::Upper => value <= bounds.alpha,
            Bound::Lower => value >= bounds.beta,
        };
        (deep_enough && answers).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_packed() {
        for value in [Score::DRAW, Score::finished(-1, 0), Score::finished(1, 7), Score::from_points(-123_456)] {
            for bound in [Bound::Exact, Bound::Upper, Bound::Lower] {
                for (best, generation, depth) in [(None, 0, 0), (Some(0), 255, 1), (Some(u16::MAX - 1), 7, 127)] {
                    let entry = Entry { value, bound, depth, best, generation };
                    assert_eq!(Entry::unpack(entry.pack()), entry);
                    assert_ne!(entry.pack(), 0);
                }
            }
        }
    }

    #[test]
    fn a_bound_answers_only_outside_the_window() {
        let bounds = Bounds { alpha: Score::from_points(10), beta: Score::from_points(20) };
        let entry =
            |points, bound| Entry { value: Score::from_points(points), bound, depth: 4, best: None, generation: 0 };
        let answers = |points, bound| entry(points, bound).answer(4, bounds, 0, Reuse::SameDepth).is_some();
        assert!(answers(15, Bound::Exact));
        assert!(answers(10, Bound::Upper) && !answers(11, Bound::Upper));
        assert!(answers(20, Bound::Lower) && !answers(19, Bound::Lower));
        assert_eq!(entry(15, Bound::Exact).answer(3, bounds, 0, Reuse::SameDepth), None);
        assert!(entry(15, Bound::Exact).answer(3, bounds, 0, Reuse::AtLeastDepth).is_some());
        assert_eq!(entry(15, Bound::Exact).answer(5, bounds, 0, Reuse::AtLeastDepth), None);
    }
}
