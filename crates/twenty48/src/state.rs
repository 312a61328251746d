//! The two moments of the game: the player's turn and the spawn.

use std::fmt;

use afterstate_game::{Afterstate, Dice, Outcome, Played, Position, Side};

use crate::board::{count_places, places_before};
use crate::slide::Slide;
use crate::{Board, Direction};

/// The player's turn: a direction has to be chosen. Its text is [`afterstate_game::Notation`], or that of the board.
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
    const CANDIDATES: u32 = 4;

    #[inline]
    fn side_to_move(&self) -> Side {
        Side::First
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.0.can_slide_somewhere() { None } else { Some(Outcome::Over) }
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Direction)) {
        // Written out so that the direction is a constant: a visitor that plays the move shares the slide's look-ups.
        if self.is_legal(Direction::Up) {
            visit(Direction::Up);
        }
        if self.is_legal(Direction::Right) {
            visit(Direction::Right);
        }
        if self.is_legal(Direction::Down) {
            visit(Direction::Down);
        }
        if self.is_legal(Direction::Left) {
            visit(Direction::Left);
        }
    }

    #[inline]
    fn play_unchecked(&self, mv: Direction) -> Played<Self> {
        let Slide { board, reward } = self.0.slide(mv);
        Played { afterstate: Slid(board), reward }
    }

    #[inline(always)]
    fn for_each_play(&self, mut visit: impl FnMut(Direction, Played<Self>)) {
        for (direction, Slide { board, reward }) in Direction::ALL.into_iter().zip(self.0.slides()) {
            if board != self.0 {
                visit(direction, Played { afterstate: Slid(board), reward });
            }
        }
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

/// The number of 32-bit rolls that stand for a four: a tenth of them.
const FOUR_ROLLS: u32 = (1u64 << 32).div_ceil(10) as u32;

/// The place (one bit at the bottom of a nibble) of an empty cell drawn uniformly by a 32-bit roll, given the mask of
/// empty cells; 0 if there is none.
///
/// No loop and no branch, because both would be mispredicted in random play.
#[inline]
const fn random_place(empty: u64, roll: u64) -> u64 {
    const BYTES: u64 = 0x0101_0101_0101_0101;
    const LOW_NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let before = places_before(empty);
    let nth = (roll * count_places(empty) as u64) >> 32;
    // The cells with at most `nth` empty ones before them end with the one we look for. They are counted in two halves,
    // even and odd, where each byte has room for the borrow that tells.
    let nths = (nth * BYTES) | (BYTES << 7);
    let even = (nths - (before & LOW_NIBBLES)) >> 7 & BYTES;
    let odd = (nths - (before >> 4 & LOW_NIBBLES)) >> 7 & BYTES;
    let up_to = (even + odd).wrapping_mul(BYTES) >> 56;
    empty & 1 << (4 * (up_to - 1))
}

impl Afterstate for Slid {
    type Position = State;
    const HAS_CHANCE: bool = true;

    /// Cell by cell, the two before the four. A full board, which no legal slide leaves, has no answer.
    #[inline]
    fn for_each_answer(&self, mut visit: impl FnMut(State, f32)) {
        let mut mask = self.0.empty_mask();
        let share = 1.0 / count_places(mask) as f32;
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
        // One roll for both: the upper half chooses the cell, the lower half the tile.
        let roll = dice.bits();
        let place = random_place(self.0.empty_mask(), roll >> 32);
        let four = u32::from((roll as u32) < FOUR_ROLLS);
        State(Board::from_parts(self.0.nibbles() | place << four, self.0.high_bits()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::spread;

    #[test]
    fn every_roll_finds_its_empty_cell() {
        for bits in 0..=u16::MAX {
            let empty = spread(bits);
            let count = u64::from(bits.count_ones());
            let mut rest = empty;
            for nth in 0..count {
                let place = rest & rest.wrapping_neg();
                rest ^= place;
                // The first and the last roll that stand for this cell.
                assert_eq!(random_place(empty, (nth << 32).div_ceil(count)), place);
                assert_eq!(random_place(empty, (((nth + 1) << 32) - 1) / count), place);
            }
        }
        assert_eq!(random_place(0, 12345), 0);
    }

    #[test]
    fn a_tenth_of_the_new_tiles_are_fours_and_every_cell_gets_its_share() {
        let mut dice = Dice::seeded(1);
        let mut fours = 0;
        let mut cells = [0; 16];
        for _ in 0..16_000 {
            let State(board) = Slid(Board::EMPTY).draw(&mut dice);
            fours += u32::from(board.sum() == 4);
            cells[board.exponents().iter().position(|&exponent| exponent != 0).unwrap()] += 1;
        }
        assert!((1500..1700).contains(&fours), "{fours}");
        assert!(cells.iter().all(|count| (880..1120).contains(count)), "{cells:?}");
    }

    #[test]
    fn random_moves_are_uniform_among_the_legal_ones() {
        let state = State(Board::from_nibbles(0x0000_0000_0000_0321));
        let mut counts = [0; 4];
        let mut dice = Dice::seeded(1);
        for _ in 0..2000 {
            counts[state.random_move(&mut dice).unwrap() as usize] += 1;
        }
        let [up, right, down, left] = counts;
        assert_eq!((up, left), (0, 0));
        assert!((900..1100).contains(&right) && right + down == 2000, "{counts:?}");
    }
}
