//! The principal line: what the search expects if chance always gives its likeliest answer.

use afterstate_game::{Afterstate, Evaluation, Position};

use super::root::Root;
use crate::Budget;

/// The most nodes spent on a line. With a table most values are found again at once; without one the line may end early.
const MAX_NODES: u64 = 1000;

/// The line that begins with `best`, found by searching again behind the likeliest answers.
pub(super) fn read<P: Position, E: Evaluation<P>>(
    root: &Root<'_, P, E>,
    best: P::Move,
    plies: u32,
    budget: &Budget<'_>,
) -> Vec<P::Move> {
    let mut line = vec![best];
    let index = root.moves.iter().position(|&mv| mv == best).unwrap_or(0);
    let mut search = root.begin(index, MAX_NODES, budget);
    let mut afterstate = root.position.play_unchecked(best).afterstate;
    let (mut plies, mut reach) = (plies, 1.0);
    while plies >= 2 && reach >= root.settings.cutoff {
        let Some((position, probability)) = likeliest(&afterstate) else { break };
        reach *= probability;
        let mut best: Option<(P::Move, f32)> = None;
        position.for_each_move(|mv| {
            let value = search.after_move(&position, mv, plies - 2, reach);
            if best.is_none_or(|(_, highest)| value > highest) {
                best = Some((mv, value));
            }
        });
        let Some((mv, _)) = best.filter(|_| !search.budget.is_exhausted()) else { break };
        line.push(mv);
        afterstate = position.play_unchecked(mv).afterstate;
        plies -= 2;
    }
    line
}

/// The first of the answers with the highest probability.
fn likeliest<A: Afterstate>(afterstate: &A) -> Option<(A::Position, f32)> {
    let mut likeliest: Option<(A::Position, f32)> = None;
    afterstate.for_each_answer(|position, probability| {
        if likeliest.as_ref().is_none_or(|&(_, highest)| probability > highest) {
            likeliest = Some((position, probability));
        }
    });
    likeliest
}
