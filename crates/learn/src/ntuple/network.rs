//! The network: tables of weights, and the value of a board as the sum of its features.

use std::sync::atomic::AtomicU32;

use afterstate_game::Evaluation;
use afterstate_twenty48::{Board, Direction, Slid, State};

use super::design::Design;
use super::index::{Packing, Portable, Tuple, images, sum};
use super::memory::{Floats, OutOfMemory, load};

/// An n-tuple network. The value of an afterstate is the number of points expected from there on.
///
/// A network can be shared by threads that read and learn at the same time.
#[derive(Debug)]
pub struct Network {
    design: Design,
    pub(crate) tuples: Vec<Tuple>,
    pub(crate) values: Floats,
    instructions: Instructions,
}

/// The fastest instructions that this processor has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Bmi2(super::index::Bmi2),
}

/// The best move of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub direction: Direction,
    /// The board after it.
    pub afterstate: Board,
    /// The points it earns at once.
    pub reward: u32,
    /// The points expected after that.
    pub value: f32,
}

impl Network {
    /// A network whose every board is worth `initial` points. A large value makes learning explore: what was not tried
    /// yet looks good.
    pub fn new(design: &Design, initial: f32) -> Result<Self, OutOfMemory> {
        let values = Floats::zeroed(design.weights_per_stage() * design.stage_count())?;
        if initial != 0.0 {
            values.fill(initial / design.features() as f32);
        }
        Ok(Self { tuples: Tuple::all(design), values, instructions: Instructions::detect(), design: design.clone() })
    }

    /// What the network looks like.
    #[must_use]
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The points expected after an afterstate.
    #[inline]
    #[must_use]
    pub fn value(&self, afterstate: Board) -> f32 {
        let board = downgraded(afterstate);
        let view = self.view(board);
        let board = view.lowering.lower(board);
        let table = self.stage_table(view.stage);
        match self.instructions {
            Instructions::Portable => value(Portable, &self.tuples, table, board),
            #[cfg(target_arch = "x86_64")]
            Instructions::Bmi2(bmi2) => with_bmi2::value(bmi2, &self.tuples, table, board),
        }
    }

    /// The best move by reward and value; the first of equal ones. `None` if the game is over.
    #[inline]
    #[must_use]
    pub fn best(&self, board: Board) -> Option<Choice> {
        self.best_in(board, self.view(board.nibbles()))
    }

    /// [`Self::best`] for a caller that knows how the network looks at boards with this tile sum.
    #[inline]
    pub(crate) fn best_in(&self, board: Board, view: View) -> Option<Choice> {
        if board.high_bits() != 0 {
            return self.best_of_huge(board);
        }
        let table = self.stage_table(view.stage);
        match self.instructions {
            Instructions::Portable => best(Portable, &self.tuples, table, board, view.lowering),
            #[cfg(target_arch = "x86_64")]
            Instructions::Bmi2(bmi2) => with_bmi2::best(bmi2, &self.tuples, table, board, view.lowering),
        }
    }

    /// [`Self::best`] on boards with tiles from 65536 on.
    #[cold]
    fn best_of_huge(&self, board: Board) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        for direction in Direction::ALL {
            let slide = board.slide(direction);
            if slide.board != board {
                let value = self.value(slide.board);
                let choice = Choice { direction, afterstate: slide.board, reward: slide.reward, value };
                best = better(best, choice);
            }
        }
        best
    }

    /// How the network looks at a board without tiles above 32768.
    #[inline]
    pub(crate) fn view(&self, board: u64) -> View {
        if self.has_one_view() { View::default() } else { self.view_of_sum(tile_sum(board)) }
    }

    /// Whether all boards are looked at in the same way.
    #[inline]
    pub(crate) fn has_one_view(&self) -> bool {
        self.design.stages().is_empty() && self.design.ceiling().is_none()
    }

    /// How the network looks at boards with this tile sum.
    #[inline]
    pub(crate) fn view_of_sum(&self, sum: u32) -> View {
        let (lowering, less) = Lowering::of_sum(self.design.ceiling(), sum);
        View { stage: self.design.stage_of_sum(sum - less), lowering }
    }

    /// The weights of a stage.
    #[inline]
    pub(crate) fn stage_table(&self, stage: usize) -> &[AtomicU32] {
        let size = self.values.len() / self.design.stage_count();
        &self.values.words()[stage * size..][..size]
    }

    #[inline]
    pub(crate) fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// The same network without special instructions.
    #[cfg(test)]
    pub(crate) fn portable(mut self) -> Self {
        self.instructions = Instructions::Portable;
        self
    }
}

impl Instructions {
    fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = super::index::Bmi2::detect() {
            return Self::Bmi2(bmi2);
        }
        Self::Portable
    }
}

#[inline(always)]
fn better(best: Option<Choice>, choice: Choice) -> Option<Choice> {
    let total = |choice: Choice| choice.reward as f32 + choice.value;
    match best {
        Some(best) if total(best) >= total(choice) => Some(best),
        _ => Some(choice),
    }
}

/// The value of a board: eight independent sums, so that the loads need not wait for each other.
#[inline(always)]
pub(crate) fn value<P: Packing>(packing: P, tuples: &[Tuple], table: &[AtomicU32], board: u64) -> f32 {
    let images = images(board);
    let mut lanes = [0.0; 8];
    for tuple in tuples {
        for (lane, image) in lanes.iter_mut().zip(images) {
            *lane += load(&table[tuple.offset + packing.pack(image, tuple)]);
        }
    }
    sum(lanes)
}

#[inline(always)]
fn best<P: Packing>(
    packing: P,
    tuples: &[Tuple],
    table: &[AtomicU32],
    board: Board,
    lowering: Lowering,
) -> Option<Choice> {
    let mut best = None;
    for direction in Direction::ALL {
        let slide = board.slide(direction);
        if slide.board == board {
            continue;
        }
        let value = value(packing, tuples, table, lowering.lower(downgraded(slide.board)));
        best = better(best, Choice { direction, afterstate: slide.board, reward: slide.reward, value });
    }
    best
}

/// The same functions, compiled with the instructions that their first argument proves to exist.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "functions with target features can only be called where the features are known")]
mod with_bmi2 {
    use super::*;
    use crate::ntuple::index::Bmi2;

    #[inline]
    pub(super) fn value(bmi2: Bmi2, tuples: &[Tuple], table: &[AtomicU32], board: u64) -> f32 {
        #[target_feature(enable = "bmi2")]
        fn compiled(bmi2: Bmi2, tuples: &[Tuple], table: &[AtomicU32], board: u64) -> f32 {
            super::value(bmi2, tuples, table, board)
        }
        // SAFETY: a `Bmi2` exists only where the feature was detected.
        unsafe { compiled(bmi2, tuples, table, board) }
    }

    #[inline]
    pub(super) fn best(
        bmi2: Bmi2,
        tuples: &[Tuple],
        table: &[AtomicU32],
        board: Board,
        lowering: Lowering,
    ) -> Option<Choice> {
        #[target_feature(enable = "bmi2")]
        fn compiled(
            bmi2: Bmi2,
            tuples: &[Tuple],
            table: &[AtomicU32],
            board: Board,
            lowering: Lowering,
        ) -> Option<Choice> {
            super::best(bmi2, tuples, table, board, lowering)
        }
        // SAFETY: a `Bmi2` exists only where the feature was detected.
        unsafe { compiled(bmi2, tuples, table, board, lowering) }
    }
}

/// How a network looks at boards of one tile sum: all afterstates of a position have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) stage: usize,
    pub(crate) lowering: Lowering,
}

/// Which of the largest tiles count as half of what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lowering {
    /// The exponent of the largest lowered tile.
    largest: u8,
    /// How many tile sizes are lowered, from the largest down.
    count: u8,
}

impl Lowering {
    /// The lowering of boards with this tile sum, and what it takes from the sum. From the ceiling on the largest tile
    /// is there; one half of it above the ceiling the next one is there too, and so on.
    #[inline]
    fn of_sum(ceiling: Option<u32>, sum: u32) -> (Self, u32) {
        match ceiling {
            Some(ceiling) if sum >= ceiling => Self::above(ceiling, sum),
            _ => (Self::default(), 0),
        }
    }

    #[cold]
    fn above(ceiling: u32, sum: u32) -> (Self, u32) {
        let largest = ceiling.ilog2().min(15);
        let mut lowering = Self { largest: largest as u8, count: 0 };
        let (mut above, mut half, mut less) = (ceiling, (1 << largest) / 2, 0);
        while lowering.count < 3 && sum >= above {
            lowering.count += 1;
            less += half;
            above += half;
            half /= 2;
        }
        (lowering, less)
    }

    /// The board with the tiles lowered.
    #[inline(always)]
    pub(crate) fn lower(self, board: u64) -> u64 {
        if self.count == 0 { board } else { self.lower_some(board) }
    }

    #[cold]
    fn lower_some(self, board: u64) -> u64 {
        let ones = 0x1111_1111_1111_1111;
        let lowered = |exponent: u64| {
            let different = board ^ (exponent * ones);
            let different = different | different >> 2;
            !(different | different >> 1) & ones
        };
        (0..self.count).fold(board, |result, step| result - lowered(u64::from(self.largest - step)))
    }
}

/// The sum of the tiles of a packed board.
#[inline]
pub(crate) fn tile_sum(board: u64) -> u32 {
    (0..16).map(|cell| (1u32 << (board >> (4 * cell) & 15)) & !1).sum()
}

/// The packed board on which a network judges: itself, as long as no tile is above 32768.
///
/// Larger tiles are *downgraded*: with the largest tile size that is missing below the largest one taken as a gap, every
/// tile above the gap counts as half of what it is. What was learned with 32768 then serves for 65536.
#[inline(always)]
pub(crate) fn downgraded(board: Board) -> u64 {
    if board.high_bits() == 0 { board.nibbles() } else { downgrade(board.exponents()) }
}

#[cold]
fn downgrade(mut exponents: [u8; 16]) -> u64 {
    while let Some(largest) = exponents.iter().copied().max().filter(|&largest| largest > 15) {
        let gap = (1..largest).rev().find(|size| !exponents.contains(size)).unwrap_or(0);
        for exponent in &mut exponents {
            *exponent -= u8::from(*exponent > gap);
        }
    }
    exponents.iter().rev().fold(0, |board, &exponent| board << 4 | u64::from(exponent))
}

impl Evaluation<State> for Network {
    const COUNTS_REWARDS: bool = true;

    /// What the best move will bring; 0 when the game is over.
    fn position(&self, position: &State) -> f32 {
        self.best_afterstate(position).unwrap_or(0.0)
    }

    #[inline]
    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.value(afterstate.0)
    }

    #[inline]
    fn best_afterstate(&self, position: &State) -> Option<f32> {
        self.best(position.0).map(|choice| choice.value + choice.reward as f32)
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::{Afterstate, Dice, Position, Symmetric};
    use proptest::prelude::*;

    use super::*;

    /// A network with random weights: the laws below do not depend on learning.
    fn random_network(stages: &[u32]) -> Network {
        let design = Design::built_in("4x4").unwrap().with_stages(stages).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        let mut dice = Dice::seeded(1);
        for index in 0..network.values.len() {
            network.values.set(index, dice.below(1000) as f32);
        }
        network
    }

    #[test]
    fn symmetric_boards_have_equal_values() {
        let network = random_network(&[100]);
        let mut dice = Dice::seeded(2);
        let mut state = State::start(&mut dice);
        while let Some(mv) = state.random_move(&mut dice) {
            let Slid(board) = state.play_unchecked(mv).afterstate;
            for symmetry in State::symmetries() {
                assert_eq!(network.value(board.transformed(symmetry)), network.value(board));
            }
            state = Slid(board).draw(&mut dice);
        }
    }

    #[test]
    fn the_fused_choice_is_the_best_afterstate_to_the_last_bit() {
        struct Plain<'a>(&'a Network);
        impl Evaluation<State> for Plain<'_> {
            const COUNTS_REWARDS: bool = true;
            fn position(&self, position: &State) -> f32 {
                self.0.position(position)
            }
            fn afterstate(&self, afterstate: &Slid) -> f32 {
                self.0.afterstate(afterstate)
            }
        }
        let (network, portable) = (random_network(&[100]), random_network(&[100]).portable());
        let mut dice = Dice::seeded(3);
        let mut state = State::start(&mut dice);
        while let Some(mv) = state.random_move(&mut dice) {
            assert_eq!(network.best_afterstate(&state), Plain(&network).best_afterstate(&state));
            assert_eq!(network.best(state.0), portable.best(state.0));
            state = state.play_unchecked(mv).afterstate.draw(&mut dice);
        }
        assert_eq!(network.best_afterstate(&state), None);
        assert_eq!(network.position(&state), 0.0);
    }

    #[test]
    fn an_optimistic_network_values_every_board_alike() {
        let network = Network::new(&Design::built_in("4x4").unwrap(), 320_000.0).unwrap();
        assert_eq!(network.value(Board::from_nibbles(0x0123_4567_89ab_cdef)), 320_000.0);
    }

    #[test]
    fn above_the_ceiling_the_largest_tiles_count_as_their_halves() {
        let check = |board: u64, lowered: u64, less: u32| {
            let (lowering, taken) = Lowering::of_sum(Some(32_832), tile_sum(board));
            assert_eq!((lowering.lower(board), taken), (lowered, less), "{board:x}");
        };
        check(0xed_cba9_8765, 0xed_cba9_8765, 0);
        check(0x50_0000_00f1, 0x50_0000_00f1, 0);
        check(0xf7, 0xe7, 16_384);
        check(0xfd_cba9, 0xed_cba9, 16_384);
        check(0xfe7, 0xed7, 24_576);
        check(0xfed7, 0xedc7, 28_672);
        assert_eq!(Lowering::of_sum(None, u32::MAX), (Lowering::default(), 0));
    }

    #[test]
    fn tiles_above_32768_are_downgraded_to_the_gap_below_them() {
        let check = |before: [u8; 4], after: [u8; 4]| {
            let widen = |row: [u8; 4]| {
                let mut exponents = [0; 16];
                exponents[..4].copy_from_slice(&row);
                exponents
            };
            let expected = after.iter().rev().fold(0, |board, &exponent| board << 4 | u64::from(exponent));
            assert_eq!(downgrade(widen(before)), expected, "{before:?}");
        };
        check([16, 14, 13, 1], [15, 14, 13, 1]);
        check([16, 15, 13, 1], [15, 14, 13, 1]);
        check([17, 16, 15, 1], [15, 14, 13, 1]);
        check([16, 16, 2, 2], [15, 15, 2, 2]);
        let full: [u8; 16] = std::array::from_fn(|i| 17 - i as u8);
        assert!(downgrade(full) != 0);
    }

    proptest! {
        #[test]
        fn the_sum_of_tiles_is_that_of_the_board(cells: u64) {
            prop_assert_eq!(tile_sum(cells), Board::from_nibbles(cells).sum());
        }
    }
}
