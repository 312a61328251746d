//! What a network learns from a game: boards, and of each what the search said, tied to the points that followed.

use afterstate_game::Position;
use afterstate_twenty48::{Board, State};
use serde::{Deserialize, Serialize};

use super::games::Game;
use super::settings::ValueSettings;

/// Which boards of a game are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boards {
    /// Those before a slide: what a search of an even number of half-moves asks for.
    #[default]
    Positions,
    /// Those after the slide that was played: what one of an odd number asks for.
    Afterstates,
    /// Those after every slide, so that the network also learns how bad the others are.
    Slides,
}

/// The boards of a game of this iteration and their targets. Afterstates are found from the position that followed, and the
/// points of the slide no longer count; one that two slides may have led to is left out, and so are boards without a target.
pub(super) fn lessons(game: &Game, iteration: u32, settings: &ValueSettings) -> Vec<(Board, f32)> {
    if settings.boards == Boards::Slides {
        return game.slides.clone();
    }
    let targets = targets(game, settings.points, settings.lambda_of(iteration), settings.discount);
    let before = game.positions.iter().map(|&(board, _)| board);
    if settings.boards == Boards::Positions {
        return before.zip(targets).filter_map(|(board, target)| Some((board, target?))).collect();
    }
    let after = before.clone().skip(1).chain([game.end]);
    let earned = |before, after| if settings.points { points(before, after) } else { 0.0 };
    let slid = |((before, after), target): ((Board, Board), Option<f32>)| {
        Some((slid(before, after)?, target? - earned(before, after)))
    };
    before.zip(after).zip(targets).filter_map(slid).collect()
}

/// One target for each position of a game, by TD(lambda): the last one first, each the search's value by the share
/// `1 - lambda`, and by the share `lambda` the points of its slide and the discounted target of the position after it. After
/// the end no points come. 0 is the search's value alone, 1 the points that were still to come in this game.
///
/// Where the search says nothing of a position, lambda is 1 for it; where values are no points, it has no target.
fn targets(game: &Game, are_points: bool, lambda: f32, discount: f32) -> Vec<Option<f32>> {
    if !are_points {
        return game.positions.iter().map(|&(_, value)| value).collect();
    }
    let mut targets = vec![None; game.positions.len()];
    let (mut next, mut after) = (game.end, 0.0);
    for (target, &(board, value)) in targets.iter_mut().zip(&game.positions).rev() {
        let followed = || points(board, next) + discount * after;
        after = match value {
            Some(value) if lambda > 0.0 => (1.0 - lambda) * value + lambda * followed(),
            Some(value) => value,
            None => followed(),
        };
        (*target, next) = (Some(after), board);
    }
    targets
}

/// The board between two positions of a game, if only one slide can have been played.
fn slid(before: Board, after: Board) -> Option<Board> {
    let is_one_tile_less = |slid: &Board| {
        let differs = |(slid, after): &(u8, u8)| slid != after;
        let (slid, after) = (slid.exponents(), after.exponents());
        let mut different = slid.into_iter().zip(after).filter(differs);
        matches!((different.next(), different.next()), (Some((0, 1 | 2)), None))
    };
    let state = State(before);
    let slides = state.moves().into_iter().map(|mv| state.play_unchecked(mv).afterstate.0);
    let mut possible = slides.filter(is_one_tile_less);
    let slid = possible.next()?;
    possible.all(|other| other == slid).then_some(slid)
}

/// The points of the slide between two positions of a game. A slide keeps the sum of the tiles, so the sums tell which tile
/// appeared; what else the worth of the board has grown by was earned.
fn points(before: Board, after: Board) -> f32 {
    let spawned = i64::from(after.sum()) - i64::from(before.sum());
    (worth(after) - worth(before) - if spawned == 4 { 4 } else { 0 }) as f32
}

/// The points of making all tiles of a board from twos.
fn worth(board: Board) -> i64 {
    board.exponents().iter().map(|&exponent| i64::from(exponent.saturating_sub(1)) << exponent).sum()
}

#[cfg(test)]
mod tests {
    use afterstate_game::{Afterstate, Dice};
    use proptest::prelude::*;

    use super::*;

    fn game(positions: &[(u64, f32)], end: u64) -> Game {
        let positions = positions.iter().map(|&(cells, value)| (Board::from_nibbles(cells), Some(value))).collect();
        let (raised, slides) = (Vec::new(), vec![(Board::from_nibbles(0x2), 90.0)]);
        Game { number: 0, score: 0, seconds: 0.0, end: Board::from_nibbles(end), positions, raised, slides }
    }

    #[test]
    fn targets_are_search_values_observed_points_and_mixtures_of_both() {
        // 2 2 becomes 4 and a 4 appears beside it; both become 8 and a 2 appears; the 8 goes aside and a 2 appears.
        let game = game(&[(0x11, 100.0), (0x22, 200.0), (0x1003, 40.0)], 0x3101);
        let points = |lambda, discount| targets(&game, true, lambda, discount);
        assert_eq!(points(0.0, 0.5), [100.0, 200.0, 40.0].map(Some));
        assert_eq!(points(1.0, 1.0), [12.0, 8.0, 0.0].map(Some));
        assert_eq!(points(1.0, 0.5), [8.0, 8.0, 0.0].map(Some));
        let last = 0.5 * 40.0;
        let middle = 0.5 * 200.0 + 0.5 * (8.0 + last);
        assert_eq!(points(0.5, 1.0), [0.5 * 100.0 + 0.5 * (4.0 + middle), middle, last].map(Some));
    }

    #[test]
    fn a_position_without_a_value_is_worth_what_followed_if_that_is_points() {
        let mut game = game(&[(0x11, 100.0), (0x22, 200.0), (0x1003, 40.0)], 0x3101);
        game.positions[1].1 = None;
        assert_eq!(targets(&game, true, 0.0, 1.0), [100.0, 48.0, 40.0].map(Some));
        assert_eq!(targets(&game, true, 0.5, 1.0), [0.5 * 100.0 + 0.5 * (4.0 + 28.0), 28.0, 20.0].map(Some));
        assert_eq!(targets(&game, false, 0.0, 1.0), [Some(100.0), None, Some(40.0)]);
        let learned = lessons(&game, 0, &ValueSettings::default());
        assert_eq!(learned, [(0x11, 100.0), (0x1003, 40.0)].map(|(cells, value)| (Board::from_nibbles(cells), value)));
    }

    #[test]
    fn a_slide_is_told_by_the_next_position_unless_two_may_have_been_played() {
        let board = Board::from_nibbles;
        // A row of 2 2, slid to either side; the tile beside the new 4 is the one that appeared.
        assert_eq!(slid(board(0x0011), board(0x0022)), Some(board(0x0002)));
        assert_eq!(slid(board(0x0011), board(0x2001)), Some(board(0x2000)));
        assert_eq!(slid(board(0x0011), board(0x0031)), None);
        // A 2 in a corner, and two of them in others: either is the one that moved.
        assert_eq!(slid(board(0x1), board(0x0001_0000_0000_1000)), None);
        let game = game(&[(0x11, 100.0), (0x22, 200.0)], 0x1003);
        let learned = |boards, points, lambda| {
            lessons(&game, 0, &ValueSettings { boards, points, lambda: vec![lambda], ..ValueSettings::default() })
        };
        assert_eq!(learned(Boards::Positions, true, 0.0), [(board(0x11), 100.0), (board(0x22), 200.0)]);
        assert_eq!(learned(Boards::Afterstates, false, 0.0), [(board(0x2), 100.0), (board(0x3), 200.0)]);
        assert_eq!(learned(Boards::Afterstates, true, 0.0), [(board(0x2), 96.0), (board(0x3), 192.0)]);
        assert_eq!(learned(Boards::Afterstates, true, 1.0), [(board(0x2), 8.0), (board(0x3), 0.0)]);
        assert_eq!(learned(Boards::Slides, true, 0.0), [(board(0x2), 90.0)]);
    }

    proptest! {
        #[test]
        fn observed_points_and_afterstates_are_those_of_the_game(seed in any::<u64>()) {
            let mut dice = Dice::seeded(seed);
            let mut state = State::start(&mut dice);
            let (mut positions, mut scores, mut slides, mut score) = (Vec::new(), Vec::new(), Vec::new(), 0);
            while !state.moves().is_empty() {
                let mv = state.moves()[dice.below(state.moves().len() as u32) as usize];
                let played = state.play_unchecked(mv);
                positions.push((state.0, Some(7.0)));
                scores.push(score);
                score += u64::from(played.reward);
                slides.push((played.afterstate.0, score));
                state = played.afterstate.draw(&mut dice);
            }
            let (raised, others) = (Vec::new(), Vec::new());
            let game = Game { number: 0, score, seconds: 0.0, end: state.0, positions, raised, slides: others };
            let expected: Vec<Option<f32>> = scores.iter().map(|before| Some((score - before) as f32)).collect();
            prop_assert_eq!(targets(&game, true, 1.0, 1.0), expected);
            let settings = ValueSettings { boards: Boards::Afterstates, points: true, lambda: vec![1.0], ..ValueSettings::default() };
            let lessons = lessons(&game, 0, &settings);
            prop_assert!(lessons.len() + 10 > slides.len());
            let mut slides = slides.into_iter().map(|(board, before)| (board, (score - before) as f32));
            prop_assert!(lessons.iter().all(|lesson| slides.any(|slide| slide == *lesson)));
        }
    }
}
