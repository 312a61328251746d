//! The leaves: a static value, after the loud moves have been played out.

use afterstate_game::{Evaluation, Settled, Tactics};

use super::MAX_PLY;
use super::ordering::Ranked;
use super::score::Bounds;
use super::settings::Quiescence;
use super::worker::{Ask, Searched, Worker};

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> Worker<'_, P, E> {
    /// The value of a position at the horizon.
    #[inline]
    pub(super) fn horizon(&mut self, position: &P, ask: Ask) -> Searched {
        let is_followed = match self.settings.quiescence {
            Quiescence::Off => false,
            Quiescence::AfterLoud => ask.after_loud,
            Quiescence::Always => true,
        };
        if is_followed { self.quiet(position, ask.bounds, ask.ply) } else { Ok(self.judge(position)) }
    }

    /// The best of stopping here and of every loud move.
    fn quiet(&mut self, position: &P, mut bounds: Bounds, ply: usize) -> Searched {
        let mut best = self.judge(position);
        if best >= bounds.beta || ply >= MAX_PLY {
            return Ok(best);
        }
        bounds.alpha = bounds.alpha.max(best);
        let start = self.moves.len();
        let moves = &mut self.moves;
        position.for_each_loud_move(|mv| moves.push(Ranked { mv, rank: 0, class: 0 }));
        for index in start..self.moves.len() {
            let value = self.try_loud(position, self.moves[index].mv, bounds, ply)?;
            best = best.max(value);
            if best >= bounds.beta {
                break;
            }
            bounds.alpha = bounds.alpha.max(best);
        }
        self.moves.truncate(start);
        Ok(best)
    }

    fn try_loud(&mut self, position: &P, mv: P::Move, bounds: Bounds, ply: usize) -> Searched {
        self.spend()?;
        self.effort.moves_tried += 1;
        let child = position.play_unchecked(mv).afterstate.0;
        let mark = self.path.forward(position, mv);
        let value = match self.finished(&child, ply + 1) {
            Some(value) => value,
            None => self.quiet(&child, bounds.flipped(), ply + 1)?,
        };
        self.path.back(mark);
        Ok(-value)
    }
}
