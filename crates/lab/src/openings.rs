//! Neutral early positions: openings from which neither side has an advantage yet.

use std::collections::HashSet;

use afterstate_game::{Dice, History, Limits, NoLegalMove, Player, derive_seed};

use crate::{DuelGame, Opening};

/// What makes an early position neutral: reached from a layout by random moves without a loss, and judged by a player
/// to be worth about nothing for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neutrality {
    /// Random half-moves from the layout; an even number leaves the first side to move.
    pub plies: u32,
    /// The largest value, for either side, in the unit of the judge's evaluation.
    pub within: f64,
}

/// How many random games are tried for each opening that is wanted, before giving up.
const TRIES: u64 = 10_000;

/// Finds `count` neutral positions, taking the layouts in turn. Fewer come back only where hardly any are neutral.
pub fn neutral_openings<P: DuelGame>(
    layouts: &[Opening<P>],
    count: usize,
    rule: Neutrality,
    judge: &mut dyn Player<P>,
    seed: u64,
) -> Vec<Opening<P>> {
    let mut openings: Vec<Opening<P>> = Vec::new();
    let mut seen = HashSet::new();
    for attempt in 0..TRIES.saturating_mul(count as u64) {
        if openings.len() == count || layouts.is_empty() {
            break;
        }
        let layout = &layouts[openings.len() % layouts.len()];
        let mut dice = Dice::seeded(derive_seed(seed, &[attempt]));
        let Some(history) = wander(layout.position.clone(), rule.plies, &mut dice) else { continue };
        if seen.insert(history.position().key()) && is_neutral(&history, rule, judge) {
            let number = openings.len() / layouts.len() + 1;
            let name = format!("{} {number}", layout.name);
            openings.push(Opening { name, position: history.position().clone() });
        }
    }
    openings
}

/// Random moves from a layout; `None` if a marble was lost or the game ended.
fn wander<P: DuelGame>(start: P, plies: u32, dice: &mut Dice) -> Option<History<P>> {
    let mut history = History::new(start);
    for _ in 0..plies {
        let mv = history.position().random_move(dice)?;
        if history.position().is_irreversible(mv) {
            return None;
        }
        let next = afterstate_game::Afterstate::draw(&history.position().play_unchecked(mv).afterstate, dice);
        history.push(mv, next);
    }
    Some(history)
}

fn is_neutral<P: DuelGame>(history: &History<P>, rule: Neutrality, judge: &mut dyn Player<P>) -> bool {
    let value = |decision: afterstate_game::Decision<P::Move>| {
        decision.moves.iter().find(|known| known.mv == decision.best).and_then(|known| known.value)
    };
    match judge.decide_within(history, Limits::NONE).map(value) {
        Ok(Some(value)) => value.abs() <= rule.within,
        Ok(None) | Err(NoLegalMove) => false,
    }
}
