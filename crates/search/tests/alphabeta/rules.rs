//! Draws by repetition, the ply limit and the distance of a win are seen inside the search.

use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{
    AtPlyLimit, DrawRules, History, Limits, NoLegalMove, Outcome, Player as _, Position as _, Settled, Side,
};
use afterstate_search::alphabeta::{AlphaBeta, Quiescence, Settings};

use crate::minimax::{after, in_points, minimax};
use crate::toys::tictactoe::Board;
use crate::toys::tictactoe::{OpenLines, reachable};
use crate::values::{COMBINATIONS, settings};
use crate::{Simple, decide_at, random_positions};

/// The bit of the table among the combinations.
const TABLE: u32 = 1 << 1;

/// A game in which both sides move a marble to and fro, so that the position repeats; `None` where nobody can.
fn shuffle(position: Abalone, rules: DrawRules, plies: u32) -> Option<History<Abalone>> {
    let mut history = History::with_rules(position, rules);
    let mut earlier = Vec::new();
    for ply in 0..plies {
        let now = *history.position();
        // Every second move of a side takes back its last one.
        let wanted = (ply % 4 >= 2).then(|| earlier[ply as usize - 2]);
        let side = now.side_to_move();
        let mv = now.moves().into_iter().find(|&mv| {
            let Settled(next) = now.play_unchecked(mv).afterstate;
            let is_quiet = next.marbles(!side) == now.marbles(!side);
            is_quiet && wanted.is_none_or(|marbles| next.marbles(side) == marbles)
        })?;
        earlier.push(now.marbles(side));
        history = after(&history, mv);
    }
    Some(history)
}

#[test]
fn a_repetition_is_a_draw_as_the_rule_says() {
    let rules = DrawRules { repetitions: Some(3), ..DrawRules::default() };
    let mut drawn_lines = 0;
    for (index, position) in random_positions(2, 160).into_iter().enumerate() {
        let Some(history) = shuffle(position, rules, 7) else { continue };
        // What the table remembers does not know the way, so that exactly is too much to ask of it.
        let combination = (index as u32).wrapping_mul(0x9e37_79b1) >> 7 & (COMBINATIONS - 1) & !TABLE;
        let decision = decide_at(&settings(combination, Quiescence::Off), Simple, &history, 1 + index as u32 % 2);
        let expected = minimax(&history, decision.depth, &Simple, Quiescence::Off);
        assert_eq!(decision.moves[0].value.map(in_points), Some(expected), "{position:?}");
        drawn_lines += u32::from(after(&history, decision.best).outcome().is_some());
    }
    assert!(drawn_lines > 0, "some side behind must have saved itself");
}

#[test]
fn the_ply_limit_is_seen_in_the_search_with_a_table_too() {
    let starts: Vec<Abalone> = random_positions(2, 160);
    for (index, &position) in starts.iter().enumerate().filter(|(_, position)| position.outcome().is_none()) {
        let at_limit = [AtPlyLimit::Draw, AtPlyLimit::LeaderWins][index % 2];
        let rules = DrawRules { max_plies: Some(1 + index as u32 % 4), at_limit, ..DrawRules::default() };
        let history = History::with_rules(position, rules);
        let combination = (index as u32).wrapping_mul(0x9e37_79b1) >> 7 & (COMBINATIONS - 1) | TABLE;
        let decision = decide_at(&settings(combination, Quiescence::Off), Simple, &history, 2);
        let expected = minimax(&history, decision.depth, &Simple, Quiescence::Off);
        assert_eq!(decision.moves[0].value.map(in_points), Some(expected), "{position:?} {rules:?}");
    }
}

#[test]
fn a_game_past_its_limit_still_gets_a_legal_move() {
    let rules = DrawRules { max_plies: Some(0), ..DrawRules::default() };
    let history = History::with_rules(Layout::BelgianDaisy.position(), rules);
    let decision = decide_at(&Settings::classic(), Simple, &history, 3);
    assert!(history.position().is_legal(decision.best));
    assert_eq!(decision.moves[0].value, Some(0.0));
}

#[test]
fn a_win_is_worth_a_million_less_its_distance_and_the_fastest_is_chosen() {
    let mut wins = 0;
    let mut player = AlphaBeta::new(Settings::classic(), OpenLines).unwrap();
    for board in reachable().into_iter().filter(|board| board.outcome().is_none()) {
        let history = History::new(board);
        let expected = minimax(&history, 9, &OpenLines, Quiescence::Off);
        let decision = player.decide_within(&history, Limits { depth: Some(9), ..Limits::NONE }).unwrap();
        let value = decision.moves[0].value.map(in_points);
        assert_eq!(value, Some(expected));
        if expected > 0 {
            wins += 1;
            assert_eq!(decision.line.len() as i64, 16_000_000 - expected, "the line leads to the win");
        }
    }
    assert!(wins > 1000);
}

#[test]
fn a_won_game_has_no_move_to_decide() {
    let won = Board { marks: [0o007, 0o030] };
    assert_eq!(won.outcome(), Some(Outcome::Won(Side::First)));
    let mut player = AlphaBeta::new(Settings::classic(), OpenLines).unwrap();
    assert_eq!(player.decide_within(&History::new(won), Limits::NONE), Err(NoLegalMove));
}
