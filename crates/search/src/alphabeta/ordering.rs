//! What makes a move promising: its class, and what the search has learned about it.

use afterstate_game::{Side, Tactics};

use super::MAX_PLY;
use super::settings::{Ordering, Settings};

/// A move with its rank among its siblings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    pub(super) mv: M,
    /// The larger, the earlier it is tried.
    pub(super) rank: i32,
    /// The game's class of the move.
    pub(super) class: u8,
}

/// What earlier parts of the search taught about moves.
#[derive(Clone, Debug)]
pub(super) struct Experience<M> {
    killers: Vec<[Option<M>; 2]>,
    /// For each side and move code, how often it was good, from `-FULL` to `FULL`.
    history: Vec<i16>,
}

/// The most that history can say about a move.
const FULL: i32 = 1 << 14;

/// Ranks above everything that classes, history and evaluation can say.
const KILLER_RANKS: [i32; 2] = [i32::MAX, i32::MAX - 1];

/// What one class is worth beside history.
const CLASS_STEP: i32 = FULL / 2;

/// A rank below every loud move and above no quiet one, whatever history says.
const QUIET_RANK: i32 = -FULL - CLASS_STEP * 256;

impl<M: Copy + PartialEq> Experience<M> {
    pub(super) fn new<P: Tactics<Move = M>>() -> Self {
        Self { killers: vec![[None; 2]; MAX_PLY + 1], history: vec![0; 2 * P::MOVE_CODES] }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.fill(0);
    }

    #[inline]
    fn history_index<P: Tactics<Move = M>>(side: Side, mv: M) -> usize {
        side as usize * P::MOVE_CODES + P::move_code(mv)
    }

    /// What history says about a move.
    #[inline]
    pub(super) fn history<P: Tactics<Move = M>>(&self, side: Side, mv: M) -> i32 {
        i32::from(self.history[Self::history_index::<P>(side, mv)])
    }

    /// Learns that `mv` was too good at this level, and that the `tried` ones before it were not.
    pub(super) fn learn<P: Tactics<Move = M>>(
        &mut self,
        position: &P,
        ply: usize,
        depth: u32,
        mv: M,
        tried: impl Iterator<Item = M>,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let side = position.side_to_move();
        let bonus = (depth * depth * 16).min(FULL as u32 / 4) as i32;
        self.shift::<P>(side, mv, bonus);
        for other in tried {
            self.shift::<P>(side, other, -bonus);
        }
    }

    /// Moves an entry towards `±FULL`, the less the closer it is.
    #[inline]
    fn shift<P: Tactics<Move = M>>(&mut self, side: Side, mv: M, bonus: i32) {
        let entry = &mut self.history[Self::history_index::<P>(side, mv)];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / FULL) as i16;
    }

    /// The rank of a move without looking at where it leads.
    #[inline]
    pub(super) fn rank<P: Tactics<Move = M>>(
        &self,
        settings: &Settings,
        side: Side,
        ply: usize,
        mv: M,
        class: u8,
    ) -> i32 {
        if let Some(rank) = self.killer_rank(&settings.ordering, ply, mv) {
            return rank;
        }
        let by_history = if settings.ordering.history { self.history::<P>(side, mv) } else { 0 };
        if !settings.ordering.classes {
            return by_history + arbitrary_rank(P::move_code(mv));
        }
        let by_class = -CLASS_STEP * i32::from(class);
        if class < settings.loud_classes { by_class } else { QUIET_RANK + by_class + by_history }
    }

    /// The rank of a killer; `None` for other moves.
    #[inline]
    pub(super) fn killer_rank(&self, ordering: &Ordering, ply: usize, mv: M) -> Option<i32> {
        if !ordering.killers {
            return None;
        }
        let place = self.killers[ply].iter().position(|&killer| killer == Some(mv))?;
        Some(KILLER_RANKS[place])
    }
}

/// A small number that says nothing about the move. Games like to generate promising moves first; without this, "no
/// ordering" would silently be a good one.
#[inline]
fn arbitrary_rank(code: usize) -> i32 {
    i32::from((code as u16).wrapping_mul(0x9e37) >> 8)
}
