//! Random numbers whose exclusive-or is the key of a position.

use afterstate_game::Side;

use crate::{Cell, Cells, MARBLES, Setup};

/// One number for each marble colour on each cell (976 bytes, always in the cache).
const NUMBERS: [[u64; Cell::COUNT]; 2] = {
    let mut numbers = [[0; Cell::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Cell::COUNT {
        numbers[i / Cell::COUNT][i % Cell::COUNT] = random(2 + i as u64);
        i += 1;
    }
    numbers
};

/// In the key when [`Side::Second`] is to move; a change of turn flips it.
pub(crate) const TURN: u64 = random(0);

/// In the key of a game that began with fewer marbles than usual.
const FEWER_MARBLES: u64 = random(1);

/// The number `i` of a `SplitMix64` stream (Steele, Lea, Flood 2014).
const fn random(i: u64) -> u64 {
    let mut z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x6162_616c_6f6e_6531;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The numbers of a set of marbles together.
pub(crate) const fn sum(side: Side, marbles: Cells) -> u64 {
    let mut rest = marbles.bits();
    let mut sum = 0;
    while rest != 0 {
        sum ^= NUMBERS[side as usize][rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    sum
}

/// The key of a position from scratch. The marbles lost need no numbers of their own: they follow from those on the
/// board once it is known how many the game began with, which never changes.
pub(crate) fn key(setup: &Setup) -> u64 {
    let marbles = Side::BOTH.map(|side| sum(side, setup.marbles[side]));
    let turn = if setup.turn == Side::Second { TURN } else { 0 };
    let began_with = if setup.began_with(Side::First) == u32::from(MARBLES) { 0 } else { FEWER_MARBLES };
    marbles[0] ^ marbles[1] ^ turn ^ began_with
}
