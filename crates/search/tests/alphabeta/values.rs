//! Techniques that must not change the value do not change it, alone or together.

use afterstate_abalone::Position as Abalone;
use afterstate_game::{Bound, Dice, Evaluation, History, Position as _, Settled, Tactics};
use afterstate_search::alphabeta::{
    AfterMiss, Lifetime, Memory, Ordering, Quiescence, Replacement, Reuse, Settings, Window,
};

use crate::minimax::{in_points, minimax_of_moves};
use crate::toys::tictactoe::{OpenLines, reachable};
use crate::{Simple, decide_at, random_positions};

/// Switches: each bit of `combination` is one of nine techniques that keep the value.
pub(crate) const COMBINATIONS: u32 = 1 << 9;

/// The settings with these techniques on.
pub(crate) fn settings(combination: u32, quiescence: Quiescence) -> Settings {
    let has = |bit: u32| combination >> bit & 1 == 1;
    let table = Memory {
        bytes: 1 << 14,
        replacement: Replacement::Shallowest,
        lifetime: Lifetime::Search,
        reuse: Reuse::SameDepth,
    };
    Settings {
        iterative_deepening: has(0),
        table: has(1).then_some(table),
        ordering: Ordering {
            classes: has(2),
            history: has(3),
            evaluated_levels: if has(4) { 3 } else { 0 },
            killers: has(5),
            hash_move: has(6),
        },
        window: has(7)
            .then_some(Window { width: 2.0, after_miss: if has(0) { AfterMiss::Open } else { AfterMiss::Double } }),
        principal_variation_search: has(8),
        loud_classes: if quiescence == Quiescence::AfterLoud { 2 } else { 0 },
        quiescence,
        ..Settings::plain()
    }
}

/// The value of the decision is that of minimax, the chosen move has it, and what is said of the others is true.
fn check<P, E>(settings: &Settings, evaluation: &E, position: &P, depth: u32)
where
    P: Tactics<Afterstate = Settled<P>>,
    E: Evaluation<P> + Clone + 'static,
{
    let history = History::new(position.clone());
    let decision = decide_at(settings, evaluation.clone(), &history, depth);
    let truths = minimax_of_moves(&history, decision.depth, evaluation, settings.quiescence);
    let best = truths.iter().map(|&(_, value)| value).max();
    let place = || format!("{position:?} at depth {depth} with {settings:#?}: {decision:#?}");
    // A win ends the search before the last depth.
    assert!(decision.depth == depth || best > Some(15_000_000), "{}", place());
    assert_eq!(decision.best, decision.moves[0].mv, "{}", place());
    assert_eq!(decision.line[0], decision.best, "{}", place());
    assert_eq!(decision.moves[0].value.map(in_points), best, "{}", place());
    assert_eq!(decision.moves.len(), truths.len(), "{}", place());
    for (mv, truth) in truths {
        let known = decision.moves.iter().find(|known| known.mv == mv).expect("every move is reported");
        let claimed = in_points(known.value.expect("every move was searched"));
        let holds = match known.bound {
            Bound::Exact => claimed == truth,
            Bound::Upper => claimed >= truth,
            Bound::Lower => claimed <= truth,
        };
        assert!(holds, "{mv} is said to be {:?} {claimed} and is {truth}: {}", known.bound, place());
    }
}

#[test]
fn every_combination_has_the_value_of_minimax_on_the_toy() {
    let boards: Vec<_> = reachable().into_iter().filter(|board| !board.moves().is_empty()).collect();
    let mut dice = Dice::seeded(1);
    for combination in 0..COMBINATIONS {
        for _ in 0..6 {
            let board = &boards[dice.below(boards.len() as u32) as usize];
            let quiescence = [Quiescence::Off, Quiescence::Always][dice.below(2) as usize];
            check(&settings(combination, quiescence), &OpenLines, board, 1 + dice.below(5));
        }
    }
}

#[test]
fn every_combination_has_the_value_of_minimax_in_abalone() {
    let positions: Vec<Abalone> = random_positions(12, 160);
    assert!(positions.len() > 1000);
    let mut dice = Dice::seeded(2);
    for (index, position) in positions.iter().enumerate().filter(|(_, position)| !position.moves().is_empty()) {
        let combination = (index as u32).wrapping_mul(0x9e37_79b1) >> 7 & (COMBINATIONS - 1);
        let quiescence = [Quiescence::Off, Quiescence::AfterLoud, Quiescence::Always][dice.below(3) as usize];
        check(&settings(combination, quiescence), &Simple, position, 1 + u32::from(index % 8 != 0));
    }
    for combination in (0..COMBINATIONS).step_by(73) {
        let position = &positions[dice.below(positions.len() as u32) as usize];
        check(&settings(combination, Quiescence::Off), &Simple, position, 3);
    }
}
