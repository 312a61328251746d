//! Evaluations by look-up: a value for every possible line, computed once.

use std::hint::select_unpredictable;
use std::sync::Arc;

use afterstate_game::{Afterstate, Evaluation};

use crate::line::{Line, lines, packed, slid_both_ways};
use crate::symmetry::transpose;
use crate::{Board, Slid, State};

/// An evaluation made of judgements of rows and columns. Its weights are numbers of such a size that no board is worth
/// infinitely much: minus infinity says that there is no slide.
///
/// ```
/// use afterstate_game::{Evaluation, Notation};
/// use afterstate_twenty48::State;
/// use afterstate_twenty48::eval::{ByLines, Tabled};
///
/// /// The number of neighbours that can merge.
/// struct Pairs;
///
/// impl ByLines for Pairs {
///     type Judgement = f32;
///     const KINDS: usize = 1;
///     const ROWS: [usize; 4] = [0; 4];
///     const COLUMNS: [usize; 4] = [0; 4];
///
///     fn judge(&self, _kind: usize, line: [u8; 4]) -> f32 {
///         line.windows(2).filter(|pair| pair[0] != 0 && pair[0] == pair[1]).count() as f32
///     }
///
///     fn combine(&self, rows: [f32; 4], columns: [f32; 4]) -> f32 {
///         rows.iter().chain(&columns).sum()
///     }
/// }
///
/// let state = State::parse("2 2 0 0/2 4 4 0/0 0 0 0/0 0 0 65536")?;
/// assert_eq!(Tabled::new(Pairs).position(&state), 3.0);
/// # Ok::<(), afterstate_twenty48::TextError>(())
/// ```
pub trait ByLines: Send + Sync + 'static {
    /// What is known about one line.
    type Judgement: Copy + Send + Sync;

    /// How many kinds of lines are judged differently.
    const KINDS: usize;
    /// The kind of each row from the top, below [`Self::KINDS`].
    const ROWS: [usize; 4];
    /// The kind of each column from the left, below [`Self::KINDS`].
    const COLUMNS: [usize; 4];

    /// Judges a line by the exponents of its tiles, 0 for empty cells: rows from the left, columns from the top.
    fn judge(&self, kind: usize, line: [u8; 4]) -> Self::Judgement;

    /// The value of a board whose lines are judged so.
    fn combine(&self, rows: [Self::Judgement; 4], columns: [Self::Judgement; 4]) -> f32;
}

/// An evaluation whose judgements of lines lie in tables, one of 65,536 entries for each kind of line.
///
/// Lines with tiles from 65536 on are judged directly, so the value never depends on the tables.
#[derive(Clone, Debug)]
pub struct Tabled<E: ByLines> {
    evaluation: E,
    tables: Arc<[[E::Judgement; LINES]]>,
}

const LINES: usize = 1 << 16;

impl<E: ByLines> Tabled<E> {
    /// Computes the tables, which takes some milliseconds for each kind of line.
    #[must_use]
    pub fn new(evaluation: E) -> Self {
        let kinds = 0..E::KINDS;
        let judgements = kinds.flat_map(|kind| all_lines().map(move |line| (kind, line)));
        let judgements: Vec<_> = judgements.map(|(kind, line)| evaluation.judge(kind, line)).collect();
        let (tables, _) = judgements.as_chunks();
        Self { tables: tables.into(), evaluation }
    }

    /// The evaluation with its weights.
    #[must_use]
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    #[cfg(test)]
    pub(super) fn shares_tables_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tables, &other.tables)
    }

    /// The value of a board.
    #[inline]
    #[must_use]
    pub fn board(&self, board: Board) -> f32 {
        if board.high_bits() != 0 {
            return self.board_with_large_tiles(board);
        }
        self.lines(lines(board.nibbles()), lines(transpose(board.nibbles())))
    }

    #[cold]
    fn board_with_large_tiles(&self, board: Board) -> f32 {
        let judge = |kinds: [usize; 4], lines: Board| {
            std::array::from_fn(|i| {
                let line @ Line { nibbles, high } = lines.row(i);
                let kind = kinds[i];
                if high == 0 {
                    self.tables[kind][usize::from(nibbles)]
                } else {
                    self.evaluation.judge(kind, line.exponents())
                }
            })
        };
        self.evaluation.combine(judge(E::ROWS, board), judge(E::COLUMNS, board.transposed()))
    }

    /// The judgement of a line of this kind.
    #[inline(always)]
    pub(super) fn judged(&self, kind: usize, line: u16) -> E::Judgement {
        self.tables[kind][usize::from(line)]
    }

    #[inline(always)]
    pub(super) fn look_up(&self, kinds: [usize; 4], [a, b, c, d]: [u16; 4]) -> [E::Judgement; 4] {
        [self.judged(kinds[0], a), self.judged(kinds[1], b), self.judged(kinds[2], c), self.judged(kinds[3], d)]
    }

    /// The value of the board with these rows and columns.
    #[inline(always)]
    fn lines(&self, rows: [u16; 4], columns: [u16; 4]) -> f32 {
        self.evaluation.combine(self.look_up(E::ROWS, rows), self.look_up(E::COLUMNS, columns))
    }

    /// The value of a board slid along its rows, or minus infinity if nothing has moved.
    #[inline(always)]
    fn slid_rows(&self, before: u64, rows: [u16; 4]) -> f32 {
        let cells = packed(rows);
        let value = self.lines(rows, lines(transpose(cells)));
        select_unpredictable(cells == before, f32::NEG_INFINITY, value)
    }

    /// The same along its columns.
    #[inline(always)]
    fn slid_columns(&self, before: u64, columns: [u16; 4]) -> f32 {
        let cells = packed(columns);
        let value = self.lines(lines(transpose(cells)), columns);
        select_unpredictable(cells == before, f32::NEG_INFINITY, value)
    }

    /// The best slide of a board one by one, for boards whose slides may leave the tables.
    #[cold]
    fn best_slide_exactly(&self, state: &State) -> Option<f32> {
        self.best_one_by_one(state)
    }
}

/// The lines without large tiles, in the order of the tables.
fn all_lines() -> impl Iterator<Item = [u8; 4]> {
    (0..=u16::MAX).map(|nibbles| Line { nibbles, high: 0 }.exponents())
}

impl<E: ByLines + Default> Default for Tabled<E> {
    fn default() -> Self {
        Self::new(E::default())
    }
}

impl<E: ByLines> Evaluation<State> for Tabled<E> {
    #[inline]
    fn position(&self, position: &State) -> f32 {
        self.board(position.0)
    }

    #[inline]
    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.board(afterstate.0)
    }

    /// Slides and judges all four ways at once, about twice as fast as one by one: both slides of a line come from one
    /// look-up, the lines along a slide are known before the board is put together, and no branch asks which slides are
    /// legal. Judging the slid line by a second look-up costs 5% more than a table of slid judgements would, and needs
    /// half the memory.
    ///
    /// What it calls is inlined by force: the compiler's own choice varies with the caller, and costs a factor of two.
    #[inline]
    fn best_afterstate(&self, position: &State) -> Option<f32> {
        if position.0.may_exceed_nibbles() {
            return self.best_slide_exactly(position);
        }
        let rows = position.0.nibbles();
        let columns = transpose(rows);
        let [slid_up, slid_down] = slid_both_ways(columns);
        let [slid_left, slid_right] = slid_both_ways(rows);
        let up = self.slid_columns(columns, slid_up);
        let right = self.slid_rows(rows, slid_right);
        let down = self.slid_columns(columns, slid_down);
        let left = self.slid_rows(rows, slid_left);
        // In the order in which moves are generated, so that even zeros of different sign compare alike.
        let best = up.max(right).max(down).max(left);
        (best != f32::NEG_INFINITY).then_some(best)
    }

    /// Slides what the answers have in common once: 1.7 times as fast as judging them one by one.
    #[inline]
    fn best_after_answers(&self, afterstate: &Slid, mut visit: impl FnMut(&State, f32, Option<f32>)) {
        if afterstate.0.may_exceed_nibbles() {
            return afterstate.for_each_answer(|state, probability| {
                visit(&state, probability, self.best_slide_exactly(&state));
            });
        }
        let cells = afterstate.0.nibbles();
        let best = self.best_after_spawns(cells);
        afterstate.for_each_answer(|state, probability| {
            // The one bit that the spawn set: its nibble is the cell, its place in the nibble the tile.
            let bit = (state.0.nibbles() ^ cells).trailing_zeros() as usize & 63;
            let best = best[bit / 4][bit & 1];
            visit(&state, probability, (best != f32::NEG_INFINITY).then_some(best));
        });
    }
}
