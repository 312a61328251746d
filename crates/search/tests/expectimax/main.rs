//! The expectimax search against plain references, on a small game and on 2048.

mod batches;
mod behaviour;
mod boards;
mod games;
mod limits;
mod presets;
mod reference;
mod table;
mod threads;
mod variants;
mod walk;

use afterstate_game::{Decision, Evaluation, History, Limits, Player, Position, Stop, Task};
use afterstate_search::expectimax::{Expectimax, Settings};

/// What a fresh player decides.
fn decide<P: Position, E: Evaluation<P>>(settings: Settings<P>, evaluation: E, root: &P) -> Decision<P::Move> {
    let mut player = Expectimax::new(settings, evaluation).expect("the settings make sense");
    player.decide_position(root).expect("the root has a move")
}

/// A decision within limits, with all the decisions that were shown on the way.
fn decide_within<P: Position>(
    player: &mut impl Player<P>,
    root: P,
    limits: Limits,
    stop: &Stop,
) -> (Decision<P::Move>, Vec<Decision<P::Move>>) {
    let history = History::new(root);
    let mut shown = Vec::new();
    let mut observer = |decision: &Decision<P::Move>| shown.push(decision.clone());
    let decision = player.decide(Task { history: &history, limits, stop, observer: &mut observer });
    (decision.expect("the root has a move"), shown)
}

/// The value of every move, in the order of generation.
fn values_of<P: Position>(decision: &Decision<P::Move>, root: &P) -> Vec<(P::Move, f32)> {
    let known = |mv| decision.moves.iter().find(|known| known.mv == mv).and_then(|known| known.value);
    root.moves().into_iter().map(|mv| (mv, known(mv).expect("every move has a value") as f32)).collect()
}
