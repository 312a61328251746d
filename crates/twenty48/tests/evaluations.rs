//! Every evaluation against straight loops over tile values, as the documents describe them.

mod common;

use afterstate_game::{Evaluation, Position};
use afterstate_twenty48::eval::{
    ByLines, Dietenberger, Empty, Greedy, Jordal, Maqsood, Score, Tabled, Xiao, ZHAW_WEIGHTS, ZhawMatrix, ZhawSearch,
};
use afterstate_twenty48::{Board, Cell, Direction, Slid, State, Tile};
use common::boards;
use proptest::prelude::*;
use std::sync::LazyLock;

/// The numbers on the tiles, 0 for empty cells.
type Grid = [[f64; 4]; 4];

fn grid(board: Board) -> Grid {
    let mut grid = [[0.0; 4]; 4];
    for cell in Cell::all() {
        grid[cell.row()][cell.column()] = f64::from(board.get(cell).map_or(0, Tile::value));
    }
    grid
}

fn columns(grid: &Grid) -> Grid {
    std::array::from_fn(|column| std::array::from_fn(|row| grid[row][column]))
}

fn rows_and_columns(grid: &Grid) -> impl Iterator<Item = [f64; 4]> {
    grid.iter().copied().chain(columns(grid))
}

fn count_empty(grid: &Grid) -> f64 {
    grid.iter().flatten().filter(|&&tile| tile == 0.0).count() as f64
}

fn largest(grid: &Grid) -> f64 {
    grid.iter().flatten().fold(0.0, |largest, &tile| tile.max(largest))
}

fn differences(grid: &Grid) -> f64 {
    let mut sum = 0.0;
    for line in rows_and_columns(grid) {
        for j in 0..3 {
            sum += (line[j] - line[j + 1]).abs();
        }
    }
    sum
}

fn maqsood(grid: &Grid) -> f64 {
    let (mut left_to_right, mut right_to_left, mut top_to_bottom, mut bottom_to_top) = (0, 0, 0, 0);
    for (row, column) in grid.iter().zip(columns(grid)) {
        for j in 0..3 {
            left_to_right += i32::from(row[j] >= row[j + 1]);
            right_to_left += i32::from(row[j] <= row[j + 1]);
            top_to_bottom += i32::from(column[j] >= column[j + 1]);
            bottom_to_top += i32::from(column[j] <= column[j + 1]);
        }
    }
    let corners = [
        left_to_right + bottom_to_top,
        right_to_left + bottom_to_top,
        right_to_left + top_to_bottom,
        left_to_right + top_to_bottom,
    ];
    let monotonicity = f64::from(corners.into_iter().fold(0, i32::max));
    let smoothness = if largest(grid) == 0.0 { 0.0 } else { -differences(grid) / largest(grid).log2() };
    0.5 * monotonicity + smoothness + 10.0 * count_empty(grid)
}

fn jordal(grid: &Grid) -> f64 {
    let gradient = |weight: fn(usize, usize) -> usize| -> f64 {
        let cells = (0..4).flat_map(|row| (0..4).map(move |column| (row, column)));
        cells.map(|(row, column)| grid[row][column].powf(1.3) * weight(row, column) as f64).sum()
    };
    let gradients = [
        gradient(|row, _| 4 - row),
        gradient(|row, _| row + 1),
        gradient(|_, column| 4 - column),
        gradient(|_, column| column + 1),
    ];
    let log2 = |tile: f64| if tile == 0.0 { 0.0 } else { tile.log2() };
    let (mut smoothness, mut monotonicity) = (0.0, 0.0);
    for line in rows_and_columns(grid) {
        let mut ordered = 0.0;
        for k in 1..4 {
            let (a, b) = (line[k], line[k - 1]);
            let step = (a + b) / ((log2(a) - log2(b)).abs() + 1.0);
            if a == b {
                smoothness += b.min(4.0);
            } else {
                ordered += if a > b { step } else { -step };
            }
        }
        monotonicity += ordered.abs();
    }
    let max = largest(grid);
    let in_corner = [grid[0][0], grid[0][3], grid[3][0], grid[3][3]].contains(&max);
    gradients.into_iter().fold(0.0, f64::max)
        + 0.05 * max * count_empty(grid) * count_empty(grid)
        + 0.5 * smoothness
        + monotonicity
        + max
        + if in_corner { 0.2 * max } else { 0.0 }
}

fn zhaw_matrix(grid: &Grid) -> f64 {
    let cells = grid.iter().flatten().zip(ZHAW_WEIGHTS.iter().flatten());
    cells.map(|(tile, &weight)| tile * f64::from(weight)).sum()
}

fn zhaw_search(grid: &Grid) -> f64 {
    zhaw_matrix(grid) - differences(grid)
}

fn dietenberger(grid: &Grid) -> f64 {
    let middle = grid[1][1] + grid[1][2] + grid[2][1] + grid[2][2];
    4096.0 * count_empty(grid) - 10.0 * differences(grid) - 10.0 * middle
}

fn xiao(grid: &Grid) -> f64 {
    rows_and_columns(grid)
        .map(|line| {
            let ranks = line.map(|tile| if tile == 0.0 { 0.0 } else { tile.log2() });
            let (mut sum, mut empty, mut merges) = (0.0, 0.0, 0.0);
            let (mut previous, mut equal) = (0.0, 0.0);
            for rank in ranks {
                sum += rank.powf(3.5);
                if rank == 0.0 {
                    empty += 1.0;
                    continue;
                }
                if rank == previous {
                    equal += 1.0;
                } else if equal > 0.0 {
                    merges += 1.0 + equal;
                    equal = 0.0;
                }
                previous = rank;
            }
            if equal > 0.0 {
                merges += 1.0 + equal;
            }
            let (mut left, mut right) = (0.0, 0.0);
            for i in 1..4 {
                let (a, b) = (ranks[i - 1].powi(4), ranks[i].powi(4));
                if a > b {
                    left += a - b;
                } else {
                    right += b - a;
                }
            }
            200_000.0 + 270.0 * empty + 700.0 * merges - 47.0 * f64::min(left, right) - 11.0 * sum
        })
        .sum()
}

/// The evaluation without its shortcuts: what the trait does on its own.
struct OneByOne<'a, E>(&'a E);

impl<E: Evaluation<State>> Evaluation<State> for OneByOne<'_, E> {
    const COUNTS_REWARDS: bool = E::COUNTS_REWARDS;

    fn position(&self, position: &State) -> f32 {
        self.0.position(position)
    }

    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.0.afterstate(afterstate)
    }
}

/// Checks an evaluation on one board. Rounding may cost a millionth of the largest intermediate number, which grows with
/// the tiles.
fn check<E: ByLines>(
    evaluation: &Tabled<E>,
    reference: fn(&Grid) -> f64,
    board: Board,
    offset: f64,
) -> Result<(), TestCaseError> {
    let expected = reference(&grid(board));
    let tolerance = 1e-6 * (expected.abs() + 50.0 * f64::from(board.sum()) + offset);
    let value = f64::from(evaluation.position(&State(board)));
    prop_assert!((value - expected).abs() <= tolerance, "{board}: {value} instead of {expected}");
    prop_assert_eq!(evaluation.position(&State(board)).to_bits(), evaluation.afterstate(&Slid(board)).to_bits());
    let best = evaluation.best_afterstate(&State(board));
    let one_by_one = OneByOne(evaluation).best_afterstate(&State(board));
    prop_assert_eq!(best.map(f32::to_bits), one_by_one.map(f32::to_bits), "{}: {:?}, {:?}", board, best, one_by_one);
    prop_assert_eq!(answers(evaluation, board), answers(&OneByOne(evaluation), board), "{}", board);
    Ok(())
}

/// Every answer to a slid board, with the best slide after it.
fn answers(evaluation: &impl Evaluation<State>, board: Board) -> Vec<(State, u32, Option<u32>)> {
    let mut answers = Vec::new();
    evaluation.best_after_answers(&Slid(board), |state, probability, best| {
        answers.push((*state, probability.to_bits(), best.map(f32::to_bits)));
    });
    answers
}

fn check_all(board: Board) -> Result<(), TestCaseError> {
    static MAQSOOD: LazyLock<Tabled<Maqsood>> = LazyLock::new(Tabled::default);
    static JORDAL: LazyLock<Tabled<Jordal>> = LazyLock::new(Tabled::default);
    static ZHAW_MATRIX: LazyLock<Tabled<ZhawMatrix>> = LazyLock::new(Tabled::default);
    static ZHAW_SEARCH: LazyLock<Tabled<ZhawSearch>> = LazyLock::new(Tabled::default);
    static DIETENBERGER: LazyLock<Tabled<Dietenberger>> = LazyLock::new(Tabled::default);
    static XIAO: LazyLock<Tabled<Xiao>> = LazyLock::new(Tabled::default);
    check(&MAQSOOD, maqsood, board, 0.0)?;
    check(&JORDAL, jordal, board, 0.0)?;
    check(&ZHAW_MATRIX, zhaw_matrix, board, 0.0)?;
    check(&ZHAW_SEARCH, zhaw_search, board, 0.0)?;
    check(&DIETENBERGER, dietenberger, board, 0.0)?;
    check(&XIAO, xiao, board, 2e6)?;
    let empty = count_empty(&grid(board)) as f32;
    prop_assert_eq!((Empty.position(&State(board)), Empty.afterstate(&Slid(board))), (empty, empty));
    let rewards = Direction::ALL.map(|direction| board.slide(direction).reward);
    let best = rewards.into_iter().fold(0, u32::max) as f32;
    prop_assert_eq!((Greedy.position(&State(board)), Greedy.afterstate(&Slid(board))), (best, best));
    let earned = board.can_slide_somewhere().then_some(best);
    prop_assert_eq!(Score.best_afterstate(&State(board)), earned);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn evaluations_of_ordinary_boards_follow_their_documents(board in boards(11)) {
        check_all(board)?;
    }

    #[test]
    fn evaluations_of_large_tiles_follow_their_documents(board in boards(17)) {
        check_all(board)?;
    }
}

#[test]
fn the_empty_board_is_judged_too() {
    check_all(Board::EMPTY).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Tabled::<Maqsood>::default().best_afterstate(&State(Board::EMPTY)), None);
}

/// One board worked out by hand: a person can follow every term.
#[test]
fn a_board_worked_out_by_hand() {
    let board: Board = "4 2 0 0/2 2 0 0/0 0 0 0/0 0 0 0".parse().expect("a board");
    // Rows: 3 + 3 + 3 + 3 pairs fall or are equal; columns the same. Differences 2+2 and 0+2, both ways: 12. Largest 4.
    assert_eq!(Tabled::<Maqsood>::default().board(board), 0.5 * 24.0 - 12.0 / 2.0 + 10.0 * 12.0);
    assert_eq!(Tabled::<ZhawMatrix>::default().board(board), 24.0 + 10.0 + 10.0 + 8.0);
    assert_eq!(Tabled::<ZhawSearch>::default().board(board), 52.0 - 12.0);
    assert_eq!(Tabled::<Dietenberger>::default().board(board), 4096.0 * 12.0 - 120.0 - 20.0);
    assert_eq!(State(board).moves().len(), 4);
}
