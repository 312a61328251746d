//! Techniques that do not search everything: they trust the static value, the order of the moves, or a pass.
//!
//! All but the reductions work only where the search asks a yes-or-no question; the principal variation is searched in
//! full. Each is off unless its setting is there.

use afterstate_game::{Evaluation, Settled, Tactics};

use super::ordering::Ranked;
use super::score::Score;
use super::worker::{Ask, Interrupted, Worker};

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> Worker<'_, P, E> {
    /// A value for the whole node without trying its moves. `judged` is its static value.
    pub(super) fn prune(
        &mut self,
        position: &P,
        ask: Ask,
        judged: Option<Score>,
    ) -> Result<Option<Score>, Interrupted> {
        let Some(judged) = judged.filter(|_| !ask.bounds.beta.is_decided()) else { return Ok(None) };
        let margin = self.tuning.reverse_futility.and_then(|futility| futility.at(ask.depth));
        if margin.is_some_and(|margin| judged - margin >= ask.bounds.beta) {
            return Ok(Some(judged));
        }
        if judged < ask.bounds.beta {
            return Ok(None);
        }
        self.pass(position, ask)
    }

    /// A lower bound on the value by not moving at all, if that is good enough.
    fn pass(&mut self, position: &P, ask: Ask) -> Result<Option<Score>, Interrupted> {
        let Some(null_move) = self.settings.null_move else { return Ok(None) };
        if ask.after_pass || ask.depth < null_move.min_depth {
            return Ok(None);
        }
        let Some(passed) = position.pass() else { return Ok(None) };
        let less = ask.depth.checked_div(null_move.divisor).unwrap_or(0);
        let below = Ask {
            depth: ask.depth.saturating_sub(1 + less).saturating_sub(null_move.reduction),
            ply: ask.ply + 1,
            bounds: ask.bounds.reaches_beta().flipped(),
            after_loud: false,
            after_pass: true,
        };
        let mark = self.path.forward_by_pass(position);
        let value = -self.search(&passed, below)?;
        self.path.back(mark);
        if value < ask.bounds.beta {
            return Ok(None);
        }
        // A win after a pass is no proof of a win.
        Ok(Some(if value.is_decided() { ask.bounds.beta } else { value }))
    }

    /// Whether a quiet move, and every one after it, is not worth trying.
    #[inline]
    pub(super) fn is_hopeless(&self, class: u8, number: u32, ask: Ask, judged: Option<Score>, best: Score) -> bool {
        // Somebody who is about to lose tries everything.
        let may_skip = ask.bounds.is_question() && class >= self.settings.loud_classes && !best.is_decided();
        may_skip && (self.is_late(number, ask.depth) || self.is_futile(ask, judged))
    }

    #[inline]
    fn is_late(&self, number: u32, depth: u32) -> bool {
        self.settings.late_moves.is_some_and(|late| {
            // In 64 bits no setting is too large for the product.
            let tried = u64::from(late.base) + u64::from(late.factor) * u64::from(depth * depth);
            depth <= late.max_depth && u64::from(number) > tried
        })
    }

    #[inline]
    fn is_futile(&self, ask: Ask, judged: Option<Score>) -> bool {
        let margin = self.tuning.futility.and_then(|futility| futility.at(ask.depth));
        matches!((margin, judged), (Some(margin), Some(judged)) if judged + margin <= ask.bounds.alpha)
    }

    /// By how many half-moves less a late quiet move is searched at first.
    #[inline]
    pub(super) fn reduction(&self, next: Ranked<P::Move>, number: u32, ask: Ask) -> u32 {
        if next.class < self.settings.loud_classes {
            return 0;
        }
        self.tuning.reduction(ask.depth, number)
    }

    /// By how many half-moves less a node without a remembered best move is searched.
    #[inline]
    pub(super) fn internal_reduction(&self, ask: Ask, has_hash_move: bool) -> u32 {
        let applies = self.settings.internal_reduction.is_some_and(|from| ask.depth >= from.max(2));
        u32::from(applies && !has_hash_move)
    }
}
