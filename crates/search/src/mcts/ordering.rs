//! Which moves look promising before they are searched.

use afterstate_game::{Dice, Evaluation, History, Position, Tactics};

/// A judgement of moves without search. It decides which moves a reduction keeps, what a simulation policy prefers,
/// and gives the priors and the progressive bias.
pub trait MoveOrdering<P: Position>: Send + Sync {
    /// Called before each decision, as [`Evaluation::prepare`] is.
    fn prepare(&mut self, _history: &History<P>) -> bool {
        false
    }

    /// Appends a number for each of the legal moves, larger ones for more promising moves. All at once, because a
    /// learned policy judges a position, not a move.
    fn promises(&self, position: &P, moves: &[P::Move], promises: &mut Vec<f32>);
}

/// An ordering that is only known at run time.
impl<P: Position, O: MoveOrdering<P> + ?Sized> MoveOrdering<P> for Box<O> {
    fn prepare(&mut self, history: &History<P>) -> bool {
        (**self).prepare(history)
    }

    fn promises(&self, position: &P, moves: &[P::Move], promises: &mut Vec<f32>) {
        (**self).promises(position, moves, promises);
    }
}

/// All moves alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unordered;

impl<P: Position> MoveOrdering<P> for Unordered {
    fn promises(&self, _position: &P, moves: &[P::Move], promises: &mut Vec<f32>) {
        promises.extend(moves.iter().map(|_| 0.0));
    }
}

/// By the game's own classes of moves: the promise is 0 for the best class and falls by 1 from class to class.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByClass;

impl<P: Tactics> MoveOrdering<P> for ByClass {
    fn promises(&self, position: &P, moves: &[P::Move], promises: &mut Vec<f32>) {
        promises.extend(moves.iter().map(|&mv| -f32::from(position.move_class(mv))));
    }
}

/// By the value of what a move leads to.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByEvaluation<E>(pub E);

impl<P: Position, E: Evaluation<P>> MoveOrdering<P> for ByEvaluation<E> {
    fn prepare(&mut self, history: &History<P>) -> bool {
        self.0.prepare(history)
    }

    fn promises(&self, position: &P, moves: &[P::Move], promises: &mut Vec<f32>) {
        promises.extend(moves.iter().map(|&mv| self.0.played(&position.play_unchecked(mv))));
    }
}

/// Moves the most promising `best` of the moves to the front (in no particular order), a random selection of
/// `random` others behind them, and drops the rest.
pub(super) fn keep<M: Copy>(ranked: &mut Vec<(M, f32)>, (best, random): (usize, usize), dice: &mut Dice) {
    // Equally promising moves are kept by chance, not by the order of generation.
    dice.shuffle(ranked);
    front(ranked, best);
    for place in best..(best + random).min(ranked.len()) {
        let rest = (ranked.len() - place) as u32;
        ranked.swap(place, place + dice.below(rest) as usize);
    }
    ranked.truncate(best + random);
}

/// Moves the most promising `best` to the front.
pub(super) fn front<M>(ranked: &mut [(M, f32)], best: usize) {
    if (1..ranked.len()).contains(&best) {
        ranked.select_nth_unstable_by(best - 1, |a, b| b.1.total_cmp(&a.1));
    }
}
