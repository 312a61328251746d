//! The recursion: one thread's search of the tree.

use afterstate_game::{Bound, Effort, Evaluation, Settled, Tactics};

use super::MAX_PLY;
use super::entry::Entry;
use super::line::Lines;
use super::memory::TableView;
use super::ordering::{Experience, Ranked};
use super::path::Path;
use super::picker::Picker;
use super::score::{Bounds, Score};
use super::settings::Settings;
use super::tuning::Tuning;
use crate::Budget;

/// A limit was reached in the middle of the tree: what is half done is worth nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interrupted;

/// The value of a node, for its side to move. At or above beta it is only known to be at least that, at or below alpha
/// only to be at most that.
pub(super) type Searched = Result<Score, Interrupted>;

/// One thread of a search.
pub(super) struct Worker<'a, P: Tactics, E> {
    pub(super) settings: &'a Settings,
    pub(super) tuning: &'a Tuning,
    pub(super) evaluation: &'a E,
    pub(super) table: Option<TableView<'a>>,
    pub(super) budget: Budget<'a>,
    pub(super) path: Path,
    pub(super) experience: &'a mut Experience<P::Move>,
    /// The moves of every node from the root to the current one.
    pub(super) moves: Vec<Ranked<P::Move>>,
    pub(super) lines: Lines<P::Move>,
    pub(super) effort: Effort,
}

/// What is asked of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    /// Half-moves to the horizon.
    pub(super) depth: u32,
    /// Half-moves from the root.
    pub(super) ply: usize,
    pub(super) bounds: Bounds,
    /// Whether the last move was loud.
    pub(super) after_loud: bool,
    /// Whether the last move was a pass.
    pub(super) after_pass: bool,
}

/// The best that a node's moves led to.
pub(super) struct Best<M> {
    pub(super) value: Score,
    /// The move that raised alpha, if one did.
    pub(super) mv: Option<M>,
}

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> Worker<'_, P, E> {
    /// The value of a position.
    pub(super) fn search(&mut self, position: &P, ask: Ask) -> Searched {
        self.spend()?;
        if !ask.bounds.is_question() {
            self.lines.clear(ask.ply);
        }
        if let Some(value) = self.finished(position, ask.ply) {
            return Ok(value);
        }
        if ask.depth == 0 || ask.ply >= MAX_PLY {
            return self.horizon(position, ask);
        }
        self.interior(position, ask)
    }

    /// Counts a node.
    #[inline]
    pub(super) fn spend(&mut self) -> Result<(), Interrupted> {
        if !self.budget.spend_node() {
            return Err(Interrupted);
        }
        self.effort.nodes += 1;
        Ok(())
    }

    /// The value of a finished game.
    #[inline]
    pub(super) fn finished(&self, position: &P, ply: usize) -> Option<Score> {
        let outcome = position.outcome().or_else(|| self.path.outcome(position, ply))?;
        match outcome.sign_for(position.side_to_move()) {
            0 => Some(Score::DRAW),
            sign => Some(Score::finished(sign, ply)),
        }
    }

    /// The static value of a position.
    #[inline]
    pub(super) fn judge(&mut self, position: &P) -> Score {
        self.effort.evaluations += 1;
        Score::from_points(self.evaluation_points(position))
    }

    #[inline]
    pub(super) fn evaluation_points(&self, position: &P) -> i32 {
        Score::judged(self.evaluation.position(position), self.settings.resolution).points()
    }

    fn interior(&mut self, position: &P, ask: Ask) -> Searched {
        let key = position.key() ^ self.path.salt(ask.ply);
        let entry = self.recall(key);
        if let Some(value) = entry.and_then(|entry| self.answer(&entry, ask)) {
            self.effort.table_hits += 1;
            return Ok(value);
        }
        let hash_move = self.hash_move(position, entry);
        let judged =
            if self.tuning.needs_judgement && ask.bounds.is_question() { Some(self.judge(position)) } else { None };
        if let Some(value) = self.prune(position, ask, judged)? {
            return Ok(value);
        }
        let ask = Ask { depth: ask.depth - self.internal_reduction(ask, hash_move.is_some()), ..ask };
        let best = self.best_of_moves(position, ask, hash_move, judged, |_, _, _| {})?;
        self.remember(key, ask, &best, hash_move);
        Ok(best.value)
    }

    /// Tries the moves of a node until one is too good. `note` hears of each move that was tried, with its value and
    /// the bounds within which it was asked for.
    pub(super) fn best_of_moves(
        &mut self,
        position: &P,
        ask: Ask,
        hash_move: Option<P::Move>,
        judged: Option<Score>,
        mut note: impl FnMut(P::Move, Score, Bounds),
    ) -> Result<Best<P::Move>, Interrupted> {
        let mut best = Best { value: -Score::INFINITY, mv: None };
        let mut bounds = ask.bounds;
        let mut picker = self.pick_from(hash_move);
        let mut number = 0;
        while let Some(next) = self.next_move(&mut picker, position, ask.ply) {
            number += 1;
            if number > 1 && self.is_hopeless(next.class, number, ask, judged, best.value) {
                picker.skip_quiet();
                continue;
            }
            let value = self.try_move(position, next, number, Ask { bounds, ..ask })?;
            note(next.mv, value, bounds);
            best.value = best.value.max(value);
            if value > bounds.alpha {
                best.mv = Some(next.mv);
                if value >= bounds.beta {
                    self.learn(position, ask, next.mv, &picker);
                    break;
                }
                bounds.alpha = value;
                self.lines.lead_with(ask.ply, next.mv);
            }
        }
        self.drop_moves(&picker);
        Ok(best)
    }

    /// Plays a move (the `number`-th of its node), searches what follows, and takes it back.
    fn try_move(&mut self, position: &P, next: Ranked<P::Move>, number: u32, ask: Ask) -> Searched {
        self.effort.moves_tried += 1;
        let child = position.play_unchecked(next.mv).afterstate.0;
        let mark = self.path.forward(position, next.mv);
        let value = self.search_child(&child, next, number, ask)?;
        self.path.back(mark);
        Ok(value)
    }

    /// Asks as little as possible first: shallowly whether a late move is any good, then in full depth whether it is
    /// better than the best, and only then for its value.
    fn search_child(&mut self, child: &P, next: Ranked<P::Move>, number: u32, ask: Ask) -> Searched {
        let below = Ask {
            depth: ask.depth - 1,
            ply: ask.ply + 1,
            bounds: ask.bounds.flipped(),
            after_loud: next.class < self.settings.loud_classes,
            after_pass: false,
        };
        let question = Ask { bounds: ask.bounds.above_alpha().flipped(), ..below };
        let reduction = self.reduction(next, number, ask);
        if reduction > 0 {
            let depth = below.depth.saturating_sub(reduction);
            let value = -self.search(child, Ask { depth, ..question })?;
            if value <= ask.bounds.alpha {
                return Ok(value);
            }
        }
        if self.settings.principal_variation_search && number > 1 {
            let value = -self.search(child, question)?;
            if value <= ask.bounds.alpha || value >= ask.bounds.beta {
                return Ok(value);
            }
        }
        Ok(-self.search(child, below)?)
    }

    #[inline]
    pub(super) fn recall(&mut self, key: u64) -> Option<Entry> {
        let table = self.table?;
        self.effort.table_probes += 1;
        table.get(key)
    }

    /// The remembered value, if it answers. On the principal variation, where few nodes lie, the search looks itself:
    /// it sees repetitions that the table cannot, and finds the whole line.
    #[inline]
    fn answer(&self, entry: &Entry, ask: Ask) -> Option<Score> {
        if self.settings.principal_variation_search && !ask.bounds.is_question() {
            return None;
        }
        entry.answer(ask.depth, ask.bounds, ask.ply, self.table?.settings.reuse)
    }

    #[inline]
    pub(super) fn hash_move(&self, position: &P, entry: Option<Entry>) -> Option<P::Move> {
        if !self.settings.ordering.hash_move {
            return None;
        }
        position.move_from_code(usize::from(entry?.best?))
    }

    pub(super) fn remember(&self, key: u64, ask: Ask, best: &Best<P::Move>, hash_move: Option<P::Move>) {
        let Some(table) = self.table else { return };
        let bound = if best.value >= ask.bounds.beta {
            Bound::Lower
        } else if best.value > ask.bounds.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let code = best.mv.or(hash_move).map(|mv| P::move_code(mv) as u16);
        table.put(key, best.value.seen_from_node(ask.ply), bound, ask.depth, code);
    }

    fn learn(&mut self, position: &P, ask: Ask, mv: P::Move, picker: &Picker<P::Move>) {
        let tried = &self.moves[picker.generated_before()];
        let tried = picker.hash_move_before().into_iter().chain(tried.iter().map(|ranked| ranked.mv));
        self.experience.learn(position, ask.ply, ask.depth, mv, tried);
    }
}
