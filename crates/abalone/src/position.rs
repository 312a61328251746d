//! The position: marbles, turn, losses and key.

use afterstate_game::{self as game, Dice, Outcome, Played, Settled, Side};

use crate::effect::Effect;
use crate::generate::Board;
use crate::{Cells, LOST_TO_LOSE, Move, Setup, zobrist};

/// A moment of the game. Positions are equal if the same marbles are on the same cells, the same side is to move and
/// the same numbers are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Marbles of the side to move and of its opponent. Kept by turn and not by colour because every rule and every
    /// evaluation asks from the mover's point of view.
    own: Cells,
    other: Cells,
    key: u64,
    own_lost: u8,
    other_lost: u8,
    turn: Side,
}

const _: () = assert!(size_of::<Position>() == 32);

impl Position {
    /// The position of parts that fit together (see [`Setup::position`]).
    pub(crate) fn from_setup(setup: &Setup) -> Self {
        let turn = setup.turn;
        Self {
            own: setup.marbles[turn],
            other: setup.marbles[!turn],
            key: zobrist::key(setup),
            own_lost: setup.lost[turn],
            other_lost: setup.lost[!turn],
            turn,
        }
    }

    /// The marbles of the side to move.
    #[inline(always)]
    #[must_use]
    pub fn own(&self) -> Cells {
        self.own
    }

    /// The marbles of the opponent of the side to move.
    #[inline(always)]
    #[must_use]
    pub fn other(&self) -> Cells {
        self.other
    }

    /// The marbles of one side; black is [`Side::First`].
    #[inline]
    #[must_use]
    pub fn marbles(&self, side: Side) -> Cells {
        if side == self.turn { self.own } else { self.other }
    }

    /// The marbles that one side has lost.
    #[inline]
    #[must_use]
    pub fn lost(&self, side: Side) -> u8 {
        if side == self.turn { self.own_lost } else { self.other_lost }
    }

    #[inline(always)]
    pub(crate) fn board(&self) -> Board {
        Board { own: self.own, other: self.other }
    }

    /// Whether a side has lost the game.
    #[inline(always)]
    pub(crate) fn is_decided(&self) -> bool {
        self.own_lost.max(self.other_lost) >= LOST_TO_LOSE
    }

    /// The position after a legal move, for callers that need no [`Played`].
    #[inline(always)]
    #[must_use]
    pub(crate) fn after(&self, mv: Move) -> Self {
        let effect = Effect::of(mv);
        Self {
            own: self.other ^ effect.opponent,
            other: self.own ^ effect.mover,
            key: self.key ^ effect.keys[self.turn as usize],
            own_lost: self.other_lost + u8::from(mv.ejects()),
            other_lost: self.own_lost,
            turn: !self.turn,
        }
    }

    /// The same marbles with the other side to move.
    #[inline]
    pub(crate) fn passed(&self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            key: self.key ^ zobrist::TURN,
            own_lost: self.other_lost,
            other_lost: self.own_lost,
            turn: !self.turn,
        }
    }
}

impl game::Position for Position {
    type Move = Move;
    type Afterstate = Settled<Self>;
    const SIDES: u8 = 2;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.turn
    }

    /// Who has pushed six marbles off the board has won. The rules say nothing about a side that cannot move (it takes
    /// a row of marbles shut in along the edge); as nobody has won then, the game is drawn.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.is_decided() {
            return Some(Outcome::Won(if self.own_lost >= LOST_TO_LOSE { !self.turn } else { self.turn }));
        }
        (!self.board().has_move()).then_some(Outcome::Drawn)
    }

    /// Visits every legal move once, in the order of the classes of [`Move::class`].
    #[inline]
    fn for_each_move(&self, visit: impl FnMut(Move)) {
        if !self.is_decided() {
            self.board().for_each(visit);
        }
    }

    #[inline]
    fn play_unchecked(&self, mv: Move) -> Played<Self> {
        Played { afterstate: Settled(self.after(mv)), reward: 0 }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        mv.ejects()
    }

    /// The side that has lost fewer marbles.
    #[inline]
    fn leader(&self) -> Option<Side> {
        match self.own_lost.cmp(&self.other_lost) {
            std::cmp::Ordering::Less => Some(self.turn),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(!self.turn),
        }
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        !self.is_decided() && self.board().allows(mv)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.is_decided() { 0 } else { self.board().count() as usize }
    }

    #[inline]
    fn random_move(&self, dice: &mut Dice) -> Option<Move> {
        if self.is_decided() { None } else { self.board().random(dice) }
    }
}
