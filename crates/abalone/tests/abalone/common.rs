//! Positions for the tests to look at.

use afterstate_abalone::{Layout, Move, Position};
use afterstate_game::{Dice, Position as _};
use proptest::prelude::*;

/// Every layout.
pub(crate) fn starts() -> Vec<Position> {
    Layout::ALL.map(Layout::position).to_vec()
}

/// A move that is half the time of the best class: random games alone hardly ever push a marble off.
pub(crate) fn lively_move(position: &Position, dice: &mut Dice) -> Option<Move> {
    let moves = position.moves();
    if dice.chance(0.5) {
        return position.random_move(dice);
    }
    let best = moves.iter().map(|mv| mv.class()).min()?;
    let candidates: Vec<Move> = moves.into_iter().filter(|mv| mv.class() == best).collect();
    candidates.get(dice.below(candidates.len() as u32) as usize).copied()
}

/// The positions of a lively game, the start included.
pub(crate) fn lively_game(start: Position, seed: u64, plies: u32) -> Vec<Position> {
    let mut dice = Dice::seeded(seed);
    let mut game = vec![start];
    for _ in 0..plies {
        let position = game[game.len() - 1];
        let Some(mv) = lively_move(&position, &mut dice) else { break };
        game.push(position.play_unchecked(mv).afterstate.0);
    }
    game
}

/// A position that a game can reach.
pub(crate) fn reachable() -> impl Strategy<Value = Position> {
    (0..Layout::ALL.len(), any::<u64>(), 0..200u32).prop_map(|(layout, seed, plies)| {
        let game = lively_game(Layout::ALL[layout].position(), seed, plies);
        game[game.len() - 1]
    })
}
