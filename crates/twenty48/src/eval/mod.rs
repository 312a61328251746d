//! Judging boards without looking ahead: the evaluations of the published players.
//!
//! Each is a plain struct whose fields are the weights, with the published ones as its `Default`. Those that look at rows
//! and columns implement [`ByLines`] and are used through [`Tabled`], which turns them into look-ups; [`Empty`],
//! [`Score`] and [`Greedy`] need no table.
//!
//! All of them judge the shape of a board, whether a tile is about to appear or a slide is. Larger values are better; the
//! unit is each one's own.

mod dietenberger;
mod jordal;
mod maqsood;
mod plain;
mod shared;
mod spawns;
mod tabled;
mod xiao;
mod zhaw;

pub use dietenberger::Dietenberger;
pub use jordal::{Jordal, JordalLine};
pub use maqsood::{Maqsood, MaqsoodLine};
pub use plain::{Empty, Greedy, Score};
pub use tabled::{ByLines, Tabled};
pub use xiao::Xiao;
pub use zhaw::{ZHAW_WEIGHTS, ZhawMatrix, ZhawSearch};

/// The number on a tile of this exponent, 0 for an empty cell.
fn value(exponent: u8) -> f32 {
    if exponent == 0 { 0.0 } else { (1u32 << exponent) as f32 }
}

/// The sum of the absolute differences of neighbouring values, empty cells counting as 0.
fn differences(line: [u8; 4]) -> f32 {
    line.array_windows().map(|&[a, b]| (value(a) - value(b)).abs()).sum()
}

/// The number of empty cells.
fn count_empty(line: [u8; 4]) -> u8 {
    line.into_iter().filter(|&exponent| exponent == 0).count() as u8
}

/// Sums four judgements as two pairs, which is one rounding shorter than a chain and keeps the order fixed.
#[inline]
fn sum([a, b, c, d]: [f32; 4]) -> f32 {
    (a + b) + (c + d)
}
