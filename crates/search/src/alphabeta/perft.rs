//! Counting positions through the search's own way of making moves, as a test of all that lies between the rules and
//! the recursion: remembered moves, killers, ranking, selection, and the path.

use afterstate_game::{Evaluation, Settled, Tactics};

use super::worker::Worker;

impl<P: Tactics<Afterstate = Settled<P>>, E: Evaluation<P>> Worker<'_, P, E> {
    /// The number of positions `depth` half-moves away; a finished game leads nowhere.
    pub(super) fn count_leaves(&mut self, position: &P, depth: u32, ply: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        let hash_move = self.remembered_move(position, ply);
        let mut picker = self.pick_from(hash_move);
        let mut leaves = 0;
        while let Some(next) = self.next_move(&mut picker, position, ply) {
            let mark = self.path.forward(position, next.mv);
            let child = position.play_unchecked(next.mv).afterstate.0;
            leaves += self.count_leaves(&child, depth - 1, ply + 1);
            self.path.back(mark);
        }
        self.drop_moves(&picker);
        leaves
    }

    fn remembered_move(&mut self, position: &P, ply: usize) -> Option<P::Move> {
        let entry = self.recall(position.key() ^ self.path.salt(ply));
        self.hash_move(position, entry)
    }
}
