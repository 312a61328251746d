//! A board as a few numbers that players of 2048 look at, instead of one number for each cell and tile.
//!
//! Where weights are found by trying and not by slopes, 256 inputs are too many: most of them are seldom on, and nobody
//! notices what a single one is worth. These numbers are always on, they are the same for symmetric boards, and a few
//! hundred games tell what each is worth. Sums of tiles are shares of the sum of the board, which a slide does not change.

use afterstate_twenty48::{Board, Direction};

use super::pass::contents;

/// The numbers of [`features`].
pub(super) const FEATURES: usize = 12;
/// The numbers of one slide: those of the board after it, and its points.
const SLIDE: usize = FEATURES + 1;
/// The numbers of [`slides`].
pub(super) const SLIDES: usize = 4 * SLIDE;

/// The twelve numbers of a board, each about one in size; all zero for the empty board.
pub(super) fn features(board: Board) -> [f32; FEATURES] {
    let ranks = contents(board);
    let tiles = ranks.map(|rank| if rank == 0 { 0.0 } else { f32::from(1u16 << rank) });
    let sum: f32 = tiles.iter().sum();
    let largest = ranks.iter().copied().max().unwrap_or(0);
    if largest == 0 {
        return [0.0; FEATURES];
    }
    let [rows, columns] = [Lines::new(&ranks, &tiles, 4, 1), Lines::new(&ranks, &tiles, 1, 4)];
    let (stronger, weaker) = (rows.gradient.max(columns.gradient), rows.gradient.min(columns.gradient));
    let corner = [0, 3, 12, 15].into_iter().any(|cell| ranks[cell] == largest);
    let middle: f32 = [5, 6, 9, 10].into_iter().map(|cell| tiles[cell]).sum();
    [
        ranks.iter().filter(|&&rank| rank == 0).count() as f32 / 16.0,
        (rows.equal_pairs + columns.equal_pairs) / 8.0,
        (rows.equal_tiles + columns.equal_tiles) / sum,
        (rows.differences + columns.differences) / (4.0 * sum),
        (rows.steps + columns.steps) / 64.0,
        (rows.ordered + columns.ordered) / 24.0,
        (rows.disorder + columns.disorder) / 32.0,
        stronger / (3.0 * sum),
        weaker / (3.0 * sum),
        f32::from(u8::from(corner)),
        middle / sum,
        f32::from(largest) / 16.0,
    ]
}

/// Thirteen numbers for each slide: those of the board after it, and its points as a share of the board's sum; all zero for
/// a slide that is not possible.
pub(super) fn slides(board: Board) -> [f32; SLIDES] {
    let mut numbers = [0.0; SLIDES];
    for (direction, numbers) in Direction::ALL.into_iter().zip(numbers.chunks_exact_mut(SLIDE)) {
        let slide = board.slide(direction);
        if slide.board != board {
            numbers[..FEATURES].copy_from_slice(&features(slide.board));
            numbers[FEATURES] = slide.reward as f32 / slide.board.sum() as f32;
        }
    }
    numbers
}

/// What the four lines of one direction say. Empty cells are tiles of value 0, except where ranks are compared.
#[derive(Clone, Copy, Default)]
struct Lines {
    /// Pairs of equal neighbours, and their tiles.
    equal_pairs: f32,
    equal_tiles: f32,
    /// Differences of neighbouring tiles.
    differences: f32,
    /// Differences of the exponents of neighbouring tiles.
    steps: f32,
    /// Neighbours that fall, or that rise, whichever are more.
    ordered: f32,
    /// The exponents by which each line goes against its own direction.
    disorder: f32,
    /// The tiles, three times those of the outer line, twice those beside it, once those of the third.
    gradient: f32,
}

impl Lines {
    /// `across` cells lie between two lines, `along` between two cells of a line.
    fn new(ranks: &[u8; 16], tiles: &[f32; 16], across: usize, along: usize) -> Self {
        let mut lines = Self::default();
        let (mut falls, mut rises) = (0.0, 0.0);
        let mut sums = [0.0; 4];
        for (line, sum) in sums.iter_mut().enumerate() {
            let (mut down, mut up) = (0.0f32, 0.0f32);
            let cell = |place: usize| line * across + place * along;
            *sum = (0..4).map(|place| tiles[cell(place)]).sum();
            for (a, b) in [(cell(0), cell(1)), (cell(1), cell(2)), (cell(2), cell(3))] {
                let step = f32::from(ranks[a]) - f32::from(ranks[b]);
                (down, up) = (down + step.max(0.0), up - step.min(0.0));
                falls += f32::from(u8::from(step >= 0.0));
                rises += f32::from(u8::from(step <= 0.0));
                lines.differences += (tiles[a] - tiles[b]).abs();
                if ranks[a] != 0 && ranks[b] != 0 {
                    lines.steps += step.abs();
                    if ranks[a] == ranks[b] {
                        lines.equal_pairs += 1.0;
                        lines.equal_tiles += tiles[a];
                    }
                }
            }
            lines.disorder += down.min(up);
        }
        lines.ordered = falls.max(rises);
        let [a, b, c, d] = sums;
        lines.gradient = (3.0 * a + 2.0 * b + c).max(3.0 * d + 2.0 * c + b);
        lines
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::{Dice, Symmetric};
    use afterstate_twenty48::State;

    use super::*;

    #[test]
    fn the_numbers_of_a_board_are_those_counted_by_hand() {
        // Rows, the first one lowest in the number: 8 4 . . / 8 . . . / . 2 . . / . . . .
        let board = Board::from_nibbles(0x0000_0010_0003_0023);
        let sum = 22.0;
        let differences = (4.0 + 4.0) + 8.0 + (2.0 + 2.0) + (0.0 + 8.0) + (4.0 + 2.0 + 2.0);
        let expected = [
            12.0 / 16.0,
            1.0 / 8.0,
            8.0 / sum,
            differences / (4.0 * sum),
            1.0 / 64.0,
            // Along the rows eleven pairs fall or are equal, along the columns as many.
            22.0 / 24.0,
            // The third row goes up by 1 and down by 1, the second column down by 2 and up by 1.
            2.0 / 32.0,
            (3.0 * 16.0 + 2.0 * 6.0) / (3.0 * sum),
            (3.0 * 12.0 + 2.0 * 8.0 + 2.0) / (3.0 * sum),
            1.0,
            2.0 / sum,
            3.0 / 16.0,
        ];
        for (place, (found, expected)) in features(board).into_iter().zip(expected).enumerate() {
            assert!((found - expected).abs() < 1e-6, "number {place}: {found}, not {expected}");
        }
        assert_eq!(features(Board::EMPTY), [0.0; FEATURES]);
    }

    #[test]
    fn symmetric_boards_look_the_same() {
        let mut dice = Dice::seeded(3);
        for _ in 0..200 {
            let board = Board::from_nibbles(dice.bits() & dice.bits());
            for symmetry in State::symmetries() {
                let other = features(board.transformed(symmetry));
                let near = features(board).iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-5);
                assert!(near, "{board:?} {symmetry:?}");
            }
        }
    }

    #[test]
    fn a_slide_is_seen_by_what_it_leaves_and_earns() {
        let board = Board::from_nibbles(0x0000_0000_0000_0022);
        let numbers = slides(board);
        for (direction, numbers) in Direction::ALL.into_iter().zip(numbers.chunks_exact(SLIDE)) {
            let after = board.slide(direction);
            if after.board == board {
                assert_eq!(numbers, [0.0; SLIDE]);
            } else {
                assert_eq!(numbers[..FEATURES], features(after.board));
                assert_eq!(numbers[FEATURES], after.reward as f32 / 8.0);
            }
        }
        assert_eq!(numbers.iter().skip(FEATURES).step_by(SLIDE).filter(|&&points| points == 1.0).count(), 2);
    }
}
