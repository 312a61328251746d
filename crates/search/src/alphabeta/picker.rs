//! Which move comes next: the remembered one before any is generated, the others sorted only as far as they are tried.
//!
//! All moves of the current path lie on one growing stack, so that no node allocates.

use std::ops::Range;

use afterstate_game::{Evaluation, Settled, Tactics};

use super::ordering::Ranked;
use super::worker::Worker;

/// How far the moves of a node have been tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picker<M> {
    hash_move: Option<M>,
    stage: Stage,
    /// Where the node's moves begin on the stack.
    start: usize,
    /// The first that has not been tried.
    next: usize,
    /// Whether quiet moves are passed over from here on.
    only_loud: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    HashMove,
    Generation,
    Selection,
}

impl<M: Copy> Picker<M> {
    /// Passes over the quiet moves that are left.
    pub(super) fn skip_quiet(&mut self) {
        self.only_loud = true;
    }

    /// The remembered move, if it came before the current one.
    pub(super) fn hash_move_before(&self) -> Option<M> {
        if self.stage == Stage::Selection { self.hash_move } else { None }
    }

    /// Where the generated moves that came before the current one lie on the stack.
    pub(super) fn generated_before(&self) -> Range<usize> {
        self.start..self.next.saturating_sub(1).max(self.start)
    }
}

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> Worker<'_, P, E> {
    /// Begins with the moves of a node.
    #[inline]
    pub(super) fn pick_from(&self, hash_move: Option<P::Move>) -> Picker<P::Move> {
        let start = self.moves.len();
        Picker { hash_move, stage: Stage::HashMove, start, next: start, only_loud: false }
    }

    /// Gives the stack back.
    #[inline]
    pub(super) fn drop_moves(&mut self, picker: &Picker<P::Move>) {
        self.moves.truncate(picker.start);
    }

    /// The most promising move that is left.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        picker: &mut Picker<P::Move>,
        position: &P,
        ply: usize,
    ) -> Option<Ranked<P::Move>> {
        if picker.stage == Stage::HashMove {
            picker.stage = Stage::Generation;
            if let Some(mv) = picker.hash_move {
                return Some(Ranked { mv, rank: i32::MAX, class: self.class_of(position, mv) });
            }
        }
        if picker.stage == Stage::Generation {
            picker.stage = Stage::Selection;
            self.generate(position, picker.hash_move, ply);
        }
        self.select(picker)
    }

    /// Puts every legal move but `except` on the stack, ranked.
    fn generate(&mut self, position: &P, except: Option<P::Move>, ply: usize) {
        let side = position.side_to_move();
        let start = self.moves.len();
        let (moves, experience, settings) = (&mut self.moves, &*self.experience, self.settings);
        let needs_class = settings.needs_class();
        position.for_each_move(|mv| {
            if Some(mv) != except {
                let class = if needs_class { position.move_class(mv) } else { 0 };
                let rank = experience.rank::<P>(settings, side, ply, mv, class);
                moves.push(Ranked { mv, rank, class });
            }
        });
        if ply < self.settings.ordering.evaluated_levels as usize {
            self.rank_by_evaluation(position, start, ply);
        }
    }

    fn rank_by_evaluation(&mut self, position: &P, start: usize, ply: usize) {
        for index in start..self.moves.len() {
            let mv = self.moves[index].mv;
            let rank = self.experience.killer_rank(&self.settings.ordering, ply, mv).unwrap_or_else(|| {
                let child = position.play_unchecked(mv).afterstate.0;
                self.effort.evaluations += 1;
                -self.evaluation_points(&child)
            });
            self.moves[index].rank = rank;
        }
    }

    /// Takes the highest rank of the rest; the first of equal ones.
    fn select(&mut self, picker: &mut Picker<P::Move>) -> Option<Ranked<P::Move>> {
        let loud_classes = if picker.only_loud { self.settings.loud_classes } else { u8::MAX };
        let rest = &mut self.moves[picker.next..];
        let mut best: Option<(usize, i32)> = None;
        for (index, ranked) in rest.iter().enumerate() {
            let admitted = ranked.class < loud_classes;
            if admitted && best.is_none_or(|(_, rank)| ranked.rank > rank) {
                best = Some((index, ranked.rank));
            }
        }
        rest.swap(0, best?.0);
        picker.next += 1;
        rest.first().copied()
    }

    #[inline]
    fn class_of(&self, position: &P, mv: P::Move) -> u8 {
        if self.settings.needs_class() { position.move_class(mv) } else { 0 }
    }
}
