//! Counting the positions at the end of all lines of a given length: the test of every move generator.

use afterstate_game::Position as _;

use crate::Position;

/// The number of lines of `depth` half-moves. The last half-move is counted and not played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        _ => {
            let mut lines = 0;
            position.for_each_move(|mv| lines += perft(&position.after(mv), depth - 1));
            lines
        }
    }
}

/// The number of lines of `depth` half-moves, by playing every one of them as a search would.
#[must_use]
pub fn perft_plain(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lines = 0;
    position.for_each_move(|mv| lines += perft_plain(&position.play_unchecked(mv).afterstate.0, depth - 1));
    lines
}
