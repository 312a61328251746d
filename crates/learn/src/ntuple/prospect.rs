//! The moves of a position, looked up in two steps: first where all weights lie, so that they are on their way into the
//! cache, and later, when something else has been done in the meantime, what they say.

use afterstate_game::{Played, Position};
use afterstate_twenty48::{Board, Direction, State};
use arrayvec::ArrayVec;

use super::design::Design;
use super::index::{Packing, Tuple};
use super::network::Choice;
use super::view::{Lowering, downgraded};
use super::weights::Weights;

/// The most features of a board.
const FEATURES: usize = 8 * Design::MAX_TUPLES;

/// Where the features of a board lie.
pub(crate) type FeaturePlaces = ArrayVec<u32, FEATURES>;

/// The legal moves of a position and where the features of their results lie.
#[derive(Debug, Default)]
pub(crate) struct Prospect {
    moves: ArrayVec<(Direction, Board, u32), 4>,
    located: ArrayVec<u32, { 4 * FEATURES }>,
}

impl Prospect {
    /// Looks where the weights of all moves lie, and starts fetching them.
    #[inline(always)]
    pub(crate) fn look<P: Packing, W: Weights>(
        &mut self,
        packing: P,
        tuples: &[Tuple],
        weights: W,
        state: State,
        lowering: Lowering,
    ) {
        self.moves.clear();
        self.located.clear();
        state.for_each_play(|direction, Played { afterstate, reward }| {
            self.moves.push((direction, afterstate.0, reward));
        });
        // Not in the closure: that would be compiled without the instructions of the packing.
        for &(_, afterstate, _) in &self.moves {
            let board = lowering.lower(downgraded(afterstate));
            let images = packing.images(board);
            for tuple in tuples {
                let located = weights.find(packing, board, &images, tuple);
                located.iter().for_each(|&located| weights.prefetch(located));
                // There is room for the features of four moves.
                let _ = self.located.try_extend_from_slice(&located);
            }
        }
    }

    /// Where the features of all moves lie.
    #[inline(always)]
    pub(crate) fn located(&self) -> &[u32] {
        &self.located
    }

    /// The best move and where its features lie; the first of equal ones.
    #[inline(always)]
    pub(crate) fn best<W: Weights>(&self, weights: W) -> Option<(Choice, &[u32])> {
        let mut best: Option<(Choice, &[u32])> = None;
        let features = self.located.len() / self.moves.len().max(1);
        for (&(direction, afterstate, reward), located) in self.moves.iter().zip(self.located.chunks(features.max(1))) {
            let choice = Choice { direction, afterstate, reward, value: total(weights, located) };
            if best.is_none_or(|(best, _)| choice.total() > best.total()) {
                best = Some((choice, located));
            }
        }
        best
    }
}

/// The value of a board whose features lie here: eight independent sums, so that no addition waits for another.
#[inline(always)]
pub(crate) fn total<W: Weights>(weights: W, located: &[u32]) -> f32 {
    let mut lanes = [W::Sum::default(); 8];
    for of_tuple in located.as_chunks::<8>().0 {
        for (lane, &located) in lanes.iter_mut().zip(of_tuple) {
            *lane += weights.at(located);
        }
    }
    weights.value(lanes)
}
