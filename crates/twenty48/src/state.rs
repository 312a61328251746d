//! The two moments of the game: the player's turn and the spawn.

use std::fmt;

use afterstate_game::{Afterstate, Dice, Outcome, Played, Position, Side};

use crate::slide::Slide;
use crate::{Board, Direction, Tile};

/// The player's turn: a direction has to be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State(pub Board);

/// The board after a slide: a tile is about to appear on an empty cell. Every legal slide leaves at least one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slid(pub Board);

/// How likely a new tile is a 4 and not a 2.
pub const FOUR_PROBABILITY: f32 = 0.1;

impl State {
    /// A new game: two tiles on random cells.
    #[must_use]
    pub fn start(dice: &mut Dice) -> Self {
        let Self(board) = Slid(Board::EMPTY).draw(dice);
        Slid(board).draw(dice)
    }
}

impl Position for State {
    type Move = Direction;
    type Afterstate = Slid;
    const SIDES: u8 = 1;

    #[inline]
    fn side_to_move(&self) -> Side {
        Side::First
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let can_move = Direction::ALL.into_iter().any(|direction| self.0.can_slide(direction));
        (!can_move).then_some(Outcome::Over)
    }

    #[inline]
    fn for_each_move(&self, visit: impl FnMut(Direction)) {
        Direction::ALL.into_iter().filter(|&direction| self.is_legal(direction)).for_each(visit);
    }

    #[inline]
    fn play_unchecked(&self, mv: Direction) -> Played<Self> {
        let Slide { board, reward } = self.0.slide(mv);
        Played { afterstate: Slid(board), reward }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// Every slide is followed by a new tile, and the sum of all tiles never falls.
    #[inline]
    fn is_irreversible(&self, _mv: Direction) -> bool {
        true
    }

    #[inline]
    fn leader(&self) -> Option<Side> {
        None
    }

    #[inline]
    fn is_legal(&self, mv: Direction) -> bool {
        self.0.can_slide(mv)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        Direction::ALL.into_iter().filter(|&direction| self.is_legal(direction)).count()
    }

    #[inline]
    fn random_move(&self, dice: &mut Dice) -> Option<Direction> {
        self.random_slide(dice).map(|(direction, _)| direction)
    }
}

impl State {
    /// A legal move drawn uniformly, together with where it leads.
    #[inline]
    pub(crate) fn random_slide(self, dice: &mut Dice) -> Option<(Direction, Slide)> {
        // The first legal direction of a random order is a random legal direction.
        let order = ORDERS[dice.below(ORDERS.len() as u32) as usize];
        order.into_iter().map(|direction| (direction, self.0.slide(direction))).find(|(_, slide)| slide.board != self.0)
    }
}

/// All orders of the four directions.
const ORDERS: [[Direction; 4]; 24] = {
    let mut orders = [[Direction::Up; 4]; 24];
    let mut count = 0;
    let mut code = 0;
    while code < 256 {
        let [a, b, c, d] = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        if (1 << a | 1 << b | 1 << c | 1 << d) == 15 {
            orders[count] = [Direction::ALL[a], Direction::ALL[b], Direction::ALL[c], Direction::ALL[d]];
            count += 1;
        }
        code += 1;
    }
    orders
};

impl Slid {
    /// The position after `tile` appears on the `nth` empty cell.
    #[inline]
    fn spawned(self, nth: u32, tile: Tile) -> State {
        let mut mask = self.0.empty_mask();
        for _ in 0..nth {
            mask &= mask.wrapping_sub(1);
        }
        let place = mask & mask.wrapping_neg();
        State(Board::from_parts(self.0.nibbles() | (place * u64::from(tile.exponent())), self.0.high_bits()))
    }
}

impl Afterstate for Slid {
    type Position = State;
    const HAS_CHANCE: bool = true;

    #[inline]
    fn for_each_answer(&self, mut visit: impl FnMut(State, f32)) {
        let mut mask = self.0.empty_mask();
        let share = 1.0 / mask.count_ones() as f32;
        while mask != 0 {
            let place = mask & mask.wrapping_neg();
            mask ^= place;
            let (cells, high) = (self.0.nibbles(), self.0.high_bits());
            visit(State(Board::from_parts(cells | place, high)), (1.0 - FOUR_PROBABILITY) * share);
            visit(State(Board::from_parts(cells | place << 1, high)), FOUR_PROBABILITY * share);
        }
    }

    /// A full board, which no legal slide leaves, stays as it is.
    #[inline]
    fn draw(&self, dice: &mut Dice) -> State {
        // One roll for both: ten faces per empty cell, one of them a four.
        let roll = dice.below(10 * self.0.count_empty());
        self.spawned(roll / 10, if roll.is_multiple_of(10) { Tile::FOUR } else { Tile::TWO })
    }

    #[inline]
    fn key(&self) -> u64 {
        // Differs from the key of the same tiles on the player's turn, so both may share a table.
        self.0.key() ^ 0xa5a5_5a5a_c3c3_3c3c
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({})", self.0)
    }
}

impl fmt::Debug for Slid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slid({})", self.0)
    }
}
