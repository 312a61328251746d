//! Judging a leaf by a full-width search of a few moves, instead of a simulation.
//!
//! The last moves are judged by what they lead to, so that one move costs no more than an evaluation of each. Between
//! moves the mean over all answers of chance is taken; where there is no chance, moves that cannot matter are cut off
//! (alpha-beta, the most promising moves and those that refuted a sibling first).

use afterstate_game::{Afterstate, Evaluation, Outcome, Position};

use super::ordering::MoveOrdering;
use super::settings::Payoff;
use crate::Budget;

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

/// Room for the moves of a look-ahead, kept from leaf to leaf so that none allocates.
pub(super) struct Room<M> {
    /// The moves of every position from the leaf to the current one, with their promises.
    ranked: Vec<(M, f32)>,
    /// The moves of one position, and their promises.
    moves: Vec<M>,
    promises: Vec<f32>,
    /// By the moves that are left: the move that was last good enough to cut the others off.
    refutations: Vec<Option<M>>,
}

impl<M> Default for Room<M> {
    fn default() -> Self {
        Self { ranked: Vec::new(), moves: Vec::new(), promises: Vec::new(), refutations: Vec::new() }
    }
}

impl<M: Copy + Eq> Room<M> {
    fn refutation(&self, moves: u32) -> Option<M> {
        self.refutations.get(moves as usize).copied().flatten()
    }

    fn note_refutation(&mut self, moves: u32, mv: M) {
        let place = moves as usize;
        if self.refutations.len() <= place {
            self.refutations.resize(place + 1, None);
        }
        self.refutations[place] = Some(mv);
    }
}

/// The look-ahead of one leaf. Once its budget is exhausted, what it says means nothing.
pub(super) struct LookAhead<'a, 'b, M, E, O> {
    pub(super) evaluation: &'a E,
    pub(super) ordering: &'a O,
    pub(super) payoff: &'a Payoff,
    pub(super) room: &'a mut Room<M>,
    pub(super) budget: &'a mut Budget<'b>,
    /// Evaluations so far.
    pub(super) evaluations: u64,
}

impl<M: Copy + Eq, E, O> LookAhead<'_, '_, M, E, O> {
    /// The value of a position for the side to move, in the unit of the evaluation, after at most this many moves.
    pub(super) fn value<P: Position<Move = M>>(&mut self, position: &P, moves: u32, window: Window) -> f64
    where
        E: Evaluation<P>,
        O: MoveOrdering<P>,
    {
        if moves == 0 {
            return match position.outcome() {
                Some(outcome) => self.finished(position, outcome),
                None => self.judged(position),
            };
        }
        if !self.budget.spend_node() {
            return 0.0;
        }
        let best = if !P::Afterstate::HAS_CHANCE {
            self.best_within(position, moves, window)
        } else if moves == 1 {
            self.evaluations += 1;
            self.evaluation.best_afterstate(position).map(f64::from)
        } else {
            self.best_of_all(position, moves)
        };
        best.unwrap_or_else(|| self.without_moves(position))
    }

    /// The value of a move for the side that makes it, where at most this many moves count, itself included.
    pub(super) fn after<P: Position<Move = M>>(&mut self, position: &P, mv: M, moves: u32) -> f64
    where
        E: Evaluation<P>,
        O: MoveOrdering<P>,
    {
        if !P::Afterstate::HAS_CHANCE {
            return self.settled(position, mv, moves, Window::OPEN);
        }
        let played = position.play_unchecked(mv);
        if moves == 1 {
            self.evaluations += 1;
            return f64::from(self.evaluation.played(&played));
        }
        let reward = if E::COUNTS_REWARDS { f64::from(played.reward) } else { 0.0 };
        reward + self.expected::<P>(&played.afterstate, moves - 1)
    }

    /// The value of the best move before chance answers. Every value matters: it is part of a mean.
    fn best_of_all<P: Position<Move = M>>(&mut self, position: &P, moves: u32) -> Option<f64>
    where
        E: Evaluation<P>,
        O: MoveOrdering<P>,
    {
        let mut best: Option<f64> = None;
        position.for_each_move(|mv| {
            let value = self.after(position, mv, moves);
            best = Some(best.map_or(value, |best| best.max(value)));
        });
        best
    }

    /// The mean value of an afterstate over all answers of chance.
    fn expected<P: Position<Move = M>>(&mut self, afterstate: &P::Afterstate, moves: u32) -> f64
    where
        E: Evaluation<P>,
        O: MoveOrdering<P>,
    {
        let mut mean = 0.0;
        if moves == 1 && P::SIDES == 1 {
            let evaluation = self.evaluation;
            evaluation.best_after_answers(afterstate, |next, probability, best| {
                self.evaluations += 1;
                mean += f64::from(probability) * best.map_or_else(|| self.without_moves(next), f64::from);
            });
            return mean;
        }
        afterstate.for_each_answer(|next, probability| {
            let value = self.value(&next, moves, Window::OPEN);
            mean += f64::from(probability) * if P::SIDES == 2 { -value } else { value };
        });
        mean
    }

    /// The value of the best move where nothing is left to chance, as far as it lies in the window.
    fn best_within<P: Position<Move = M>>(&mut self, position: &P, moves: u32, window: Window) -> Option<f64>
    where
        E: Evaluation<P>,
        O: MoveOrdering<P>,
    {
        let first = self.rank(position, moves);
        let mut best: Option<f64> = None;
        let mut open = window;
        for place in first..self.room.ranked.len() {
            let (mv, _) = self.room.ranked[place];
            let value = self.settled(position, mv, moves, open);
            best = Some(best.map_or(value, |best| best.max(value)));
            open.alpha = open.alpha.max(value);
            if open.alpha >= open.beta {
                self.room.note_refutation(moves, mv);
                break;
            }
        }
        self.room.ranked.truncate(first);
        best
    }

    /// The value of a move where nothing is left to chance.
    fn settled<P: Position<Move = M>>(&mut self, position: &P, mv: M, moves: u32, window: Window) -> f64
    where
        E: Evaluation<P>,
        O: MoveOrdering<P>,
    {
        let played = position.play_unchecked(mv);
        let reward = if E::COUNTS_REWARDS { f64::from(played.reward) } else { 0.0 };
        let mut value = reward;
        // One answer, with certainty.
        played.afterstate.for_each_answer(|next, _| {
            value += match P::SIDES {
                2 => -self.value(&next, moves - 1, window.flipped()),
                _ => self.value(&next, moves - 1, window),
            };
        });
        value
    }

    /// Puts the legal moves on top of `ranked` and says where they begin. The move that refuted a sibling of this
    /// position comes first. Where more than the last move is looked at the others are ordered by their promises; for
    /// the last, ordering costs more than it saves.
    fn rank<P: Position<Move = M>>(&mut self, position: &P, moves: u32) -> usize
    where
        O: MoveOrdering<P>,
    {
        let Room { ranked, moves: list, promises, .. } = &mut *self.room;
        let first = ranked.len();
        if moves == 1 {
            position.for_each_move(|mv| ranked.push((mv, 0.0)));
        } else {
            list.clear();
            promises.clear();
            position.for_each_move(|mv| list.push(mv));
            self.ordering.promises(position, list, promises);
            let promises = promises.iter().copied().chain(std::iter::repeat(f32::NEG_INFINITY));
            ranked.extend(list.iter().copied().zip(promises));
            ranked[first..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
        }
        if let Some(refutation) = self.room.refutation(moves) {
            let fresh = &mut self.room.ranked[first..];
            if let Some(place) = fresh.iter().position(|&(mv, _)| mv == refutation) {
                fresh[..=place].rotate_right(1);
            }
        }
        first
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
