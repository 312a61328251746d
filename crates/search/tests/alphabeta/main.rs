//! The laws of the alpha-beta search, on a toy and on Abalone.

mod behaviour;
mod limits;
mod minimax;
mod rules;
#[path = "../toys/mod.rs"]
mod toys;
mod values;

use afterstate_abalone::{Cells, Layout, Position as Abalone};
use afterstate_game::{Decision, Dice, Evaluation, History, Limits, Player, Position, Settled, Side, Tactics};
use afterstate_search::alphabeta::{AlphaBeta, Settings};

/// A judgement of Abalone for tests: losses, and how many marbles stand in the two innermost rings. It is cheap, and
/// coarse enough for many positions to be equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simple;

impl Evaluation<Abalone> for Simple {
    fn position(&self, position: &Abalone) -> f32 {
        let side = position.side_to_move();
        let worth = |side: Side| {
            let marbles = position.marbles(side);
            let inner = (0..=2).map(|distance| (marbles & Cells::ring(distance)).len()).sum::<u32>();
            -1000.0 * f32::from(position.lost(side)) + 12.5 * inner as f32
        };
        worth(side) - worth(!side)
    }

    fn afterstate(&self, afterstate: &Settled<Abalone>) -> f32 {
        -self.position(&afterstate.0)
    }
}

/// A decision to a fixed depth by a new player.
pub(crate) fn decide_at<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P> + Clone + 'static>(
    settings: &Settings,
    evaluation: E,
    history: &History<P>,
    depth: u32,
) -> Decision<P::Move> {
    let mut player = AlphaBeta::new(settings.clone(), evaluation).expect("the table is small");
    player.decide_within(history, Limits { depth: Some(depth), ..Limits::NONE }).expect("there is a legal move")
}

/// Positions of random games of Abalone from every layout.
pub(crate) fn random_positions(games: u64, plies: u32) -> Vec<Abalone> {
    let mut positions = Vec::new();
    for layout in Layout::ALL {
        for game in 0..games {
            let mut dice = Dice::seeded(game);
            let mut position = layout.position();
            for ply in 0..plies {
                let Some(mv) = position.random_move(&mut dice) else { break };
                position = position.play_unchecked(mv).afterstate.0;
                if ply % 16 == 15 {
                    positions.push(position);
                }
            }
        }
    }
    positions
}
