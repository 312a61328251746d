//! Judging all boards that one spawn can lead to, together.
//!
//! Boards after different spawns have three of their four rows and columns in common, and how these slide too. So for
//! each spawn one row and one column slide anew, and only the lines across them are looked up again.

use std::hint::select_unpredictable;

use super::tabled::{ByLines, Tabled};
use crate::line::{SLID, lines, slid_both_ways};
use crate::symmetry::transpose;

/// A value for every cell and both tiles that can appear there, the two first.
pub(super) type PerSpawn = [[f32; 2]; 16];

/// Lines along which tiles slide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Rows,
    Columns,
}

/// All lines of one direction before the spawn, slid one way.
#[derive(Clone, Copy)]
struct Slide<J> {
    /// An index into the entries of [`SLID`].
    sense: usize,
    judgements: [J; 4],
    /// The slid board as lines across.
    across: u64,
    /// Whether each line moved.
    moved: [bool; 4],
}

impl<E: ByLines> Tabled<E> {
    /// The best slide after every possible spawn, for a board whose slides stay within the tables: minus infinity where
    /// no slide is legal, and anything for cells that are not empty.
    #[inline]
    pub(super) fn best_after_spawns(&self, rows: u64) -> PerSpawn {
        let mut best = [[f32::NEG_INFINITY; 2]; 16];
        self.slide_all(Along::Rows, rows, &mut best);
        self.slide_all(Along::Columns, transpose(rows), &mut best);
        best
    }

    #[inline(always)]
    fn slide_all(&self, along: Along, cells: u64, best: &mut PerSpawn) {
        let before = lines(cells);
        let [forward, backward] = slid_both_ways(cells);
        let slides = [self.slide(along, 0, before, forward), self.slide(along, 1, before, backward)];
        self.spawn_in_line::<0>(along, before, slides, best);
        self.spawn_in_line::<1>(along, before, slides, best);
        self.spawn_in_line::<2>(along, before, slides, best);
        self.spawn_in_line::<3>(along, before, slides, best);
    }

    #[inline(always)]
    fn slide(&self, along: Along, sense: usize, before: [u16; 4], slid: [u16; 4]) -> Slide<E::Judgement> {
        let [a, b, c, d] = slid;
        Slide {
            sense,
            judgements: self.look_up(kinds::<E>(along), slid),
            across: spread(a) | spread(b) << 4 | spread(c) << 8 | spread(d) << 12,
            moved: [before[0] != a, before[1] != b, before[2] != c, before[3] != d],
        }
    }

    /// The spawns in line number `LINE`. A number known to the compiler keeps the judgements of the other lines in
    /// registers, which makes this twice as fast.
    #[inline(always)]
    fn spawn_in_line<const LINE: usize>(
        &self,
        along: Along,
        lines: [u16; 4],
        slides: [Slide<E::Judgement>; 2],
        best: &mut PerSpawn,
    ) {
        let line = lines[LINE];
        let taken = line | line >> 2;
        let mut empty = !(taken | taken >> 1) & 0x1111;
        while empty != 0 {
            let place = empty.trailing_zeros() as usize / 4;
            let cell = match along {
                Along::Rows => 4 * LINE + place,
                Along::Columns => 4 * place + LINE,
            };
            for tile in [0, 1] {
                let spawned = line | (empty & empty.wrapping_neg()) << tile;
                let forward = self.slid_value::<LINE>(along, &slides[0], spawned);
                let backward = self.slid_value::<LINE>(along, &slides[1], spawned);
                best[cell & 15][tile] = larger(best[cell & 15][tile], larger(forward, backward));
            }
            empty &= empty - 1;
        }
    }

    /// The value of a slide in which line number `LINE` is another one, or minus infinity if nothing moves.
    #[inline(always)]
    fn slid_value<const LINE: usize>(&self, along: Along, slide: &Slide<E::Judgement>, line: u16) -> f32 {
        let slid = SLID[usize::from(line)][slide.sense];
        let mut judgements = slide.judgements;
        judgements[LINE] = self.judged(kinds::<E>(along)[LINE], slid);
        let across = lines(slide.across & !(FIRST_CELLS << (4 * LINE)) | spread(slid) << (4 * LINE));
        let value = match along {
            Along::Rows => self.evaluation().combine(judgements, self.look_up(E::COLUMNS, across)),
            Along::Columns => self.evaluation().combine(self.look_up(E::ROWS, across), judgements),
        };
        let mut moved = slide.moved;
        moved[LINE] = line != slid;
        select_unpredictable(moved[0] | moved[1] | moved[2] | moved[3], value, f32::NEG_INFINITY)
    }
}

#[inline(always)]
fn kinds<E: ByLines>(along: Along) -> [usize; 4] {
    match along {
        Along::Rows => E::ROWS,
        Along::Columns => E::COLUMNS,
    }
}

/// The first cell of every line.
const FIRST_CELLS: u64 = 0x000f_000f_000f_000f;

/// The four cells of a line as the first cells of four lines. The products are copies side by side, which no sum
/// disturbs: first of both halves, then of both cells of each.
#[inline(always)]
fn spread(line: u16) -> u64 {
    let halves = (u64::from(line) * 0x100_0001) & 0x0000_00ff_0000_00ff;
    (halves * 0x1001) & FIRST_CELLS
}

/// The larger of two numbers: one instruction, where [`f32::max`] also takes care of what is not a number.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
