//! The settings as the search needs them: margins in points, reductions as a table.

use super::score::Score;
use super::settings::{Futility, Reductions, Settings};

/// Derived once from the [`Settings`].
#[derive(Clone, Debug)]
pub(super) struct Tuning {
    pub(super) reverse_futility: Option<Margin>,
    pub(super) futility: Option<Margin>,
    /// Half the width of the window.
    pub(super) half_window: Option<i32>,
    /// Whether any technique asks for a static value inside the tree.
    pub(super) needs_judgement: bool,
    /// By depth and number of the move.
    reductions: Vec<[u8; Self::NUMBERS]>,
}

/// A margin that grows with the depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margin {
    max_depth: u32,
    base: i32,
    per_ply: i32,
}

impl Margin {
    fn new(futility: Futility, resolution: f32) -> Self {
        let points = |value: f32| Score::judged(value, resolution).points();
        Self { max_depth: futility.max_depth, base: points(futility.base), per_ply: points(futility.per_ply) }
    }

    /// The margin, where the technique applies.
    #[inline]
    pub(super) fn at(self, depth: u32) -> Option<i32> {
        (depth <= self.max_depth).then(|| self.base + self.per_ply * depth as i32)
    }
}

impl Tuning {
    /// Depths and numbers from here on are reduced alike.
    const DEPTHS: usize = 64;
    const NUMBERS: usize = 64;

    pub(super) fn new(settings: &Settings) -> Self {
        let margin = |futility: Option<Futility>| futility.map(|futility| Margin::new(futility, settings.resolution));
        let reductions = settings.reductions;
        Self {
            reverse_futility: margin(settings.reverse_futility),
            futility: margin(settings.futility),
            half_window: settings
                .window
                .map(|window| Score::judged(window.width / 2.0, settings.resolution).points().max(1)),
            needs_judgement: settings.reverse_futility.is_some()
                || settings.futility.is_some()
                || settings.null_move.is_some(),
            reductions: (0..Self::DEPTHS)
                .map(|depth| reductions.map_or([0; Self::NUMBERS], |r| row(r, depth)))
                .collect(),
        }
    }

    /// By how much the `number`-th move of a node is reduced.
    #[inline]
    pub(super) fn reduction(&self, depth: u32, number: u32) -> u32 {
        let depth = (depth as usize).min(Self::DEPTHS - 1);
        let number = (number as usize).min(Self::NUMBERS - 1);
        u32::from(self.reductions[depth][number])
    }
}

fn row(reductions: Reductions, depth: usize) -> [u8; Tuning::NUMBERS] {
    std::array::from_fn(|number| {
        if depth < reductions.min_depth as usize || number < reductions.from_move as usize {
            return 0;
        }
        let logs = (depth.max(1) as f32).ln() * (number.max(1) as f32).ln();
        // A conversion to a small integer saturates: a nonsensical divisor gives nonsense, but no panic.
        (reductions.base + logs / reductions.divisor) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_begin_where_they_are_told_and_grow() {
        let reductions = Reductions { min_depth: 3, from_move: 4, base: 0.5, divisor: 2.0 };
        let tuning = Tuning::new(&Settings { reductions: Some(reductions), ..Settings::plain() });
        assert_eq!((tuning.reduction(2, 40), tuning.reduction(9, 3)), (0, 0));
        assert!(tuning.reduction(3, 4) <= tuning.reduction(6, 20));
        assert!(tuning.reduction(6, 20) >= 3);
        assert_eq!(tuning.reduction(500, 500), tuning.reduction(63, 63));
    }
}
