//! Judging a leaf by a full-width search of a few moves, instead of a simulation.
//!
//! The last moves are judged by what they lead to, so that one move costs no more than an evaluation of each. Between
//! moves the mean over all answers of chance is taken; where there is no chance, moves that cannot matter are cut off
//! (alpha-beta).

use afterstate_game::{Afterstate, Evaluation, Outcome, Position};

use super::settings::Payoff;

/// The values between which it matters what a position is worth, for the side to move.
#[derive(Clone, Copy)]
pub(super) struct Window {
    alpha: f64,
    beta: f64,
}

impl Window {
    pub(super) const OPEN: Self = Self { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };

    fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The look-ahead of one leaf.
pub(super) struct LookAhead<'a, E> {
    pub(super) evaluation: &'a E,
    pub(super) payoff: &'a Payoff,
    /// Evaluations so far.
    pub(super) evaluations: u64,
}

impl<E> LookAhead<'_, E> {
    /// The value of a position for the side to move, in the unit of the evaluation, after at most this many moves.
    pub(super) fn value<P: Position>(&mut self, position: &P, moves: u32, window: Window) -> f64
    where
        E: Evaluation<P>,
    {
        if moves == 0 {
            return match position.outcome() {
                Some(outcome) => self.finished(position, outcome),
                None => self.judged(position),
            };
        }
        if moves == 1 && P::Afterstate::HAS_CHANCE {
            self.evaluations += 1;
            let best = self.evaluation.best_afterstate(position);
            return best.map_or_else(|| self.without_moves(position), f64::from);
        }
        let mut best: Option<f64> = None;
        let mut open = window;
        position.for_each_move(|mv| {
            if open.alpha >= open.beta {
                return;
            }
            let played = position.play_unchecked(mv);
            let reward = if E::COUNTS_REWARDS { f64::from(played.reward) } else { 0.0 };
            let value = reward + self.after::<P>(&played.afterstate, moves - 1, open);
            best = Some(best.map_or(value, |best| best.max(value)));
            // Beside chance every value matters: it is part of a mean.
            if !P::Afterstate::HAS_CHANCE {
                open.alpha = open.alpha.max(value);
            }
        });
        best.unwrap_or_else(|| self.without_moves(position))
    }

    /// The value of an afterstate for the side that moved.
    fn after<P: Position>(&mut self, afterstate: &P::Afterstate, moves: u32, window: Window) -> f64
    where
        E: Evaluation<P>,
    {
        if moves == 0 && P::Afterstate::HAS_CHANCE {
            self.evaluations += 1;
            return f64::from(self.evaluation.afterstate(afterstate));
        }
        let mut mean = 0.0;
        afterstate.for_each_answer(|next, probability| {
            let value = match P::SIDES {
                2 => -self.value(&next, moves, window.flipped()),
                _ => self.value(&next, moves, window),
            };
            mean += f64::from(probability) * value;
        });
        mean
    }

    fn judged<P: Position>(&mut self, position: &P) -> f64
    where
        E: Evaluation<P>,
    {
        self.evaluations += 1;
        f64::from(self.evaluation.position(position))
    }

    fn finished<P: Position>(&mut self, position: &P, outcome: Outcome) -> f64
    where
        E: Evaluation<P>,
    {
        self.payoff.of_outcome(outcome, position.side_to_move(), || f64::from(self.evaluation.position(position)))
    }

    fn without_moves<P: Position>(&mut self, position: &P) -> f64
    where
        E: Evaluation<P>,
    {
        self.finished(position, position.outcome().unwrap_or(Outcome::Drawn))
    }
}
