//! Any text is a legal move in either notation or an error; a move is read back from what is written. The first byte
//! chooses how far into a game the move is tried.
#![no_main]

use afterstate_abalone::Layout;
use afterstate_abalone::text::MoveNotation;
use afterstate_game::{Dice, Position as _};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (plies, text) = input;
    let mut dice = Dice::seeded(u64::from(plies));
    let mut position = Layout::BelgianDaisy.position();
    for _ in 0..plies {
        let Some(mv) = position.random_move(&mut dice) else { break };
        position = position.play_unchecked(mv).afterstate.0;
    }
    for notation in MoveNotation::ALL {
        let Ok(mv) = notation.read(&position, text) else { continue };
        assert!(position.is_legal(mv));
        assert_eq!(notation.read(&position, &notation.write(mv)), Ok(mv));
    }
});
