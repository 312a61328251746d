//! Random play to the end of the game.

use afterstate_game::{Afterstate, Dice};

use crate::{Slid, State};

/// What a random game came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The last position, in which no move is legal.
    pub end: State,
    /// The points earned.
    pub score: u32,
    /// The moves played.
    pub moves: u32,
}

/// Plays uniformly random legal moves from `state` to the end of the game. The same as
/// [`random_move`](afterstate_game::Position::random_move) and [`draw`](Afterstate::draw) in turn, with the same dice.
#[must_use]
pub fn playout(state: State, dice: &mut Dice) -> Playout {
    let mut end = state;
    let mut score = 0;
    let mut moves = 0;
    while let Some((_, slide)) = end.random_slide(dice) {
        score += slide.reward;
        moves += 1;
        end = Slid(slide.board).draw(dice);
    }
    Playout { end, score, moves }
}
