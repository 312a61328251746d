//! Any text is a position of Abalone or an error; a position is written as it is read, and can be played.
#![no_main]

use afterstate_abalone::Position;
use afterstate_game::{Notation, Position as _};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(position) = Position::parse(text) else { return };
    assert_eq!(Position::parse(&position.to_text()), Ok(position));
    assert_eq!(position.moves().is_empty(), position.outcome().is_some());
    assert_eq!(position.moves().len(), position.count_moves());
    position.for_each_move(|mv| assert_ne!(position.play_unchecked(mv).afterstate.0, position));
});
