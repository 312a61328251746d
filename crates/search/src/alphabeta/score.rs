//! Values inside the search: whole points for the side to move.

use std::ops::{Add, Neg, Sub};

/// A value in points from the point of view of the side to move. A win is worth the more the sooner it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score(i32);

impl Score {
    /// More than any value.
    pub(super) const INFINITY: Self = Self(Self::WIN.0 + 1);
    /// A win on the spot. With the usual 16 points per unit it is shown as 1,000,000.
    const WIN: Self = Self(16_000_000);
    /// The least value of a win that a search can see; judgements stay below it.
    const LEAST_WIN: Self = Self(Self::WIN.0 - 1000);
    /// Nobody wins.
    pub(super) const DRAW: Self = Self(0);
    /// Bits that any value fits in, as a two's complement number.
    pub(super) const BITS: u32 = 26;

    /// The value of a finished game, `ply` half-moves after the root: `sign` is that of the side to move.
    #[inline]
    pub(super) fn finished(sign: i32, ply: usize) -> Self {
        Self(sign * (Self::WIN.0 - ply as i32))
    }

    /// A static value, rounded to points and kept below every win. Not-a-number counts as 0.
    #[inline]
    pub(super) fn judged(value: f32, resolution: f32) -> Self {
        let points = value * resolution;
        // A conversion to integer truncates (and saturates), so this rounds halves away from zero.
        let rounded = (points + 0.5f32.copysign(points)) as i32;
        Self(rounded.clamp(1 - Self::LEAST_WIN.0, Self::LEAST_WIN.0 - 1))
    }

    /// The value in the unit of the evaluation.
    pub(super) fn in_units(self, resolution: f32) -> f64 {
        f64::from(self.0) / f64::from(resolution)
    }

    /// Whether a side is known to win.
    #[inline]
    pub(super) fn is_decided(self) -> bool {
        self.0.abs() >= Self::LEAST_WIN.0
    }

    /// The half-moves from the root to the win of the side to move, if it is known to win.
    pub(super) fn plies_to_win(self) -> Option<u32> {
        (self >= Self::LEAST_WIN).then(|| (Self::WIN.0 - self.0).unsigned_abs())
    }

    /// The value as the node at `ply` sees it: wins counted from there instead of from the root.
    #[inline]
    pub(super) fn seen_from_node(self, ply: usize) -> Self {
        self.shifted(ply as i32)
    }

    /// The inverse of [`Self::seen_from_node`].
    #[inline]
    pub(super) fn seen_from_root(self, ply: usize) -> Self {
        self.shifted(-(ply as i32))
    }

    #[inline]
    fn shifted(self, plies: i32) -> Self {
        if self.0 >= Self::LEAST_WIN.0 {
            Self(self.0 + plies)
        } else if self.0 <= -Self::LEAST_WIN.0 {
            Self(self.0 - plies)
        } else {
            self
        }
    }

    /// The points as a number.
    #[inline]
    pub(super) fn points(self) -> i32 {
        self.0
    }

    /// The value with this many points.
    #[inline]
    pub(super) fn from_points(points: i32) -> Self {
        Self(points)
    }
}

const _: () = assert!(Score::INFINITY.0 < 1 << (Score::BITS - 1), "every value fits its bits");

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, points: i32) -> Self {
        Self(self.0.saturating_add(points))
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, points: i32) -> Self {
        Self(self.0.saturating_sub(points))
    }
}

/// The open interval in which a value is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// What the side to move has already.
    pub(super) alpha: Score,
    /// What the opponent will not let pass.
    pub(super) beta: Score,
}

impl Bounds {
    /// Every value is of interest.
    pub(super) const OPEN: Self = Self { alpha: Score(-Score::INFINITY.0), beta: Score::INFINITY };

    /// The interval as the opponent sees it.
    #[inline]
    pub(super) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Only the question whether the value is above alpha.
    #[inline]
    pub(super) fn above_alpha(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// Only the question whether the value reaches beta.
    #[inline]
    pub(super) fn reaches_beta(self) -> Self {
        Self { alpha: self.beta - 1, beta: self.beta }
    }

    /// Whether there is no value in between: the search only asks a question.
    #[inline]
    pub(super) fn is_question(self) -> bool {
        self.beta.0 - self.alpha.0 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_is_rounded_and_never_a_win() {
        assert_eq!(Score::judged(1.5, 16.0), Score(24));
        assert_eq!(Score::judged(-0.03125, 16.0), Score(-1));
        assert_eq!(Score::judged(0.03, 16.0), Score(0));
        assert_eq!(Score::judged(f32::NAN, 16.0), Score(0));
        assert!(!Score::judged(f32::INFINITY, 16.0).is_decided());
        assert!(!Score::judged(f32::NEG_INFINITY, 16.0).is_decided());
    }

    #[test]
    fn a_sooner_win_and_a_later_loss_are_better() {
        assert!(Score::finished(1, 3) > Score::finished(1, 5));
        assert!(Score::finished(-1, 5) > Score::finished(-1, 3));
        assert_eq!(Score::finished(1, 3).plies_to_win(), Some(3));
        assert_eq!(Score::finished(-1, 3).plies_to_win(), None);
    }

    #[test]
    fn a_win_seen_from_a_node_is_counted_from_there() {
        for score in [Score::finished(1, 9), Score::finished(-1, 9), Score(77)] {
            assert_eq!(score.seen_from_node(4).seen_from_root(4), score);
        }
        assert_eq!(Score::finished(1, 9).seen_from_node(4), Score::finished(1, 5));
    }
}
