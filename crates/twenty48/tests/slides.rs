//! Slides against an implementation that knows nothing of bits.

mod common;

use afterstate_game::{Afterstate, Dice, Position};
use afterstate_twenty48::{Board, Cell, Direction, Slid, Slide, State, Tile, playout};
use common::boards;
use proptest::prelude::*;

/// The cells of each line, beginning at the side to which the tiles slide.
fn lines(direction: Direction) -> [[Cell; 4]; 4] {
    std::array::from_fn(|line| {
        std::array::from_fn(|step| {
            let (row, column) = match direction {
                Direction::Up => (step, line),
                Direction::Right => (line, 3 - step),
                Direction::Down => (3 - step, line),
                Direction::Left => (line, step),
            };
            Cell::at(row, column).expect("both are below 4")
        })
    })
}

fn naive_slide(board: Board, direction: Direction) -> Slide {
    let mut slid = Board::EMPTY;
    let mut reward = 0;
    for line in lines(direction) {
        let mut tiles = line.into_iter().filter_map(|cell| board.get(cell)).peekable();
        let mut free = line.into_iter();
        while let Some(tile) = tiles.next() {
            let merged = Tile::from_value(2 * tile.value()).filter(|_| tiles.peek() == Some(&tile));
            if let Some(merged) = merged {
                tiles.next();
                reward += merged.value();
            }
            slid = slid.with(free.next().expect("no more tiles than cells"), Some(merged.unwrap_or(tile)));
        }
    }
    Slide { board: slid, reward }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn slides_agree_with_the_naive_ones(board in boards(15)) {
        for direction in Direction::ALL {
            prop_assert_eq!(board.slide(direction), naive_slide(board, direction), "{}", direction);
        }
    }

    #[test]
    fn slides_of_large_tiles_agree_with_the_naive_ones(board in boards(17)) {
        for direction in Direction::ALL {
            prop_assert_eq!(board.slide(direction), naive_slide(board, direction), "{}", direction);
        }
    }

    #[test]
    fn a_slide_keeps_the_sum_of_the_tiles(board in boards(17)) {
        for direction in Direction::ALL {
            prop_assert_eq!(board.slide(direction).board.sum(), board.sum());
        }
    }

    #[test]
    fn the_game_is_over_when_nothing_slides(board in boards(17)) {
        let stuck = Direction::ALL.into_iter().all(|direction| naive_slide(board, direction).board == board);
        prop_assert_eq!(board.can_slide_somewhere(), !stuck);
        prop_assert_eq!(State(board).outcome().is_some(), stuck);
        prop_assert_eq!(State(board).count_moves() == 0, stuck);
    }

    #[test]
    fn keys_tell_boards_apart(a in boards(17), b in boards(17)) {
        prop_assert_eq!(a.key() == b.key(), a == b);
        prop_assert_ne!(State(a).key(), Slid(a).key());
    }
}

/// What a board is worth if every tile was merged from twos: the sum over tiles of `value * (exponent - 1)`.
fn worth(board: Board) -> u32 {
    Cell::all().filter_map(|cell| board.get(cell)).map(|tile| tile.value() * u32::from(tile.exponent() - 1)).sum()
}

#[test]
fn the_rewards_add_up_to_what_the_tiles_are_worth() {
    for seed in 0..200 {
        let mut dice = Dice::seeded(seed);
        let mut state = State::start(&mut dice);
        // A four that appears was never merged.
        let mut gifts = worth(state.0);
        let mut score = 0;
        while let Some(mv) = state.random_move(&mut dice) {
            let played = state.play_unchecked(mv);
            score += played.reward;
            state = played.afterstate.draw(&mut dice);
            gifts += 4 * u32::from(state.0.sum() - played.afterstate.0.sum() == 4);
            assert_eq!(score, worth(state.0) - gifts);
        }
    }
}

#[test]
fn a_playout_is_random_moves_and_draws_in_turn() {
    for seed in 0..50 {
        let mut dice = Dice::seeded(seed);
        let start = State::start(&mut dice);
        let game = playout(start, &mut dice.clone());
        let (mut state, mut score, mut moves) = (start, 0, 0);
        while let Some(mv) = state.random_move(&mut dice) {
            let played = state.play_unchecked(mv);
            (score, moves) = (score + played.reward, moves + 1);
            state = played.afterstate.draw(&mut dice);
        }
        assert_eq!((game.end, game.score, game.moves), (state, score, moves));
        assert_eq!(state.outcome(), Some(afterstate_game::Outcome::Over));
    }
}
