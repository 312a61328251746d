//! Judging a position without looking ahead.

use std::sync::Arc;

use crate::{Afterstate, History, Played, Position};

/// A static judgement of positions, used by every search at its leaves.
///
/// Values are from the point of view of the side to move; in a game for one player larger is better for that player. Their
/// unit is the evaluation's own. In a game of two sides without chance, the value of an afterstate is minus that of its
/// position.
///
/// An evaluation does not judge finished games: the search does, by its own settings.
pub trait Evaluation<P: Position>: Send + Sync {
    /// Whether a value stands for points still to come, so that a search must add the rewards earned on the way.
    /// Judgements of the shape of a board say no.
    const COUNTS_REWARDS: bool = false;

    /// Whether judging many boards together is much cheaper than one after the other, as with a neural network. A search that
    /// can then collects its leaves and asks for their values by [`Self::positions`] and [`Self::afterstates`].
    const IN_BATCHES: bool = false;

    /// How many boards are well judged together, where that is cheaper. A search hands in no more at a time, and looks for
    /// that many only as far as its memory allows.
    fn batch(&self) -> usize {
        512
    }

    /// Called by a search before each decision. An evaluation that depends on the game so far (whose decision it is, how
    /// many half-moves were played) takes it in here, once for the whole search, so that equal positions within a search
    /// have equal values. Says whether it judges otherwise than before: what a search remembers of its values is of no use
    /// then.
    fn prepare(&mut self, _history: &History<P>) -> bool {
        false
    }

    /// The value of a position, for the side to move.
    fn position(&self, position: &P) -> f32;

    /// The value of an afterstate, for the side that made the move.
    fn afterstate(&self, afterstate: &P::Afterstate) -> f32;

    /// Appends the values of many positions: those of [`Self::position`] to the last bit.
    fn positions(&self, positions: &[P], values: &mut Vec<f32>) {
        values.extend(positions.iter().map(|position| self.position(position)));
    }

    /// Appends the values of many afterstates: those of [`Self::afterstate`] to the last bit.
    fn afterstates(&self, afterstates: &[P::Afterstate], values: &mut Vec<f32>) {
        values.extend(afterstates.iter().map(|afterstate| self.afterstate(afterstate)));
    }

    /// The best value among the afterstates that the legal moves lead to (rewards added where they count), or `None`
    /// without a legal move. This is where a search spends its time: evaluations that can judge all moves at once
    /// override it, and must return the same value to the last bit.
    #[inline]
    fn best_afterstate(&self, position: &P) -> Option<f32> {
        self.best_one_by_one(position)
    }

    /// [`Self::best_afterstate`] without a short cut, for evaluations that have one which does not serve every position.
    #[inline]
    fn best_one_by_one(&self, position: &P) -> Option<f32> {
        let mut best: Option<f32> = None;
        position.for_each_play(|_, played| {
            let value = self.played(&played);
            best = Some(best.map_or(value, |best| best.max(value)));
        });
        best
    }

    /// Visits every answer of chance to an afterstate, in the order of [`Afterstate::for_each_answer`], with its
    /// probability and with what [`Self::best_afterstate`] says of it. The answers have most of the board in common, so an
    /// evaluation that can share work among them overrides this, and must visit the same values to the last bit.
    #[inline]
    fn best_after_answers(&self, afterstate: &P::Afterstate, visit: impl FnMut(&P, f32, Option<f32>)) {
        self.answers_one_by_one(afterstate, visit);
    }

    /// [`Self::best_after_answers`] without sharing any work.
    #[inline]
    fn answers_one_by_one(&self, afterstate: &P::Afterstate, mut visit: impl FnMut(&P, f32, Option<f32>)) {
        afterstate.for_each_answer(|position, probability| {
            visit(&position, probability, self.best_afterstate(&position));
        });
    }

    /// The value of a move's result: the afterstate, and the reward where it counts.
    #[inline]
    fn played(&self, played: &Played<P>) -> f32 {
        let value = self.afterstate(&played.afterstate);
        if Self::COUNTS_REWARDS { value + played.reward as f32 } else { value }
    }

    /// The value of an afterstate as the mean over all answers of chance; what [`Self::afterstate`] may fall back to
    /// when only positions can be judged.
    fn mean_over_answers(&self, afterstate: &P::Afterstate) -> f32 {
        let mut mean = 0.0;
        afterstate.for_each_answer(|position, probability| mean += probability * self.position(&position));
        mean
    }
}

/// An evaluation that several players share, such as a learned network of a gigabyte. It is the same for every decision:
/// what is shared takes in no history.
impl<P: Position, E: Evaluation<P>> Evaluation<P> for Arc<E> {
    const COUNTS_REWARDS: bool = E::COUNTS_REWARDS;
    const IN_BATCHES: bool = E::IN_BATCHES;

    fn batch(&self) -> usize {
        (**self).batch()
    }

    #[inline]
    fn position(&self, position: &P) -> f32 {
        (**self).position(position)
    }

    #[inline]
    fn afterstate(&self, afterstate: &P::Afterstate) -> f32 {
        (**self).afterstate(afterstate)
    }

    fn positions(&self, positions: &[P], values: &mut Vec<f32>) {
        (**self).positions(positions, values);
    }

    fn afterstates(&self, afterstates: &[P::Afterstate], values: &mut Vec<f32>) {
        (**self).afterstates(afterstates, values);
    }

    #[inline]
    fn best_afterstate(&self, position: &P) -> Option<f32> {
        (**self).best_afterstate(position)
    }

    #[inline]
    fn best_after_answers(&self, afterstate: &P::Afterstate, visit: impl FnMut(&P, f32, Option<f32>)) {
        (**self).best_after_answers(afterstate, visit);
    }
}
