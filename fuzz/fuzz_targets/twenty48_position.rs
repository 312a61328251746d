//! Any text is a position of 2048 or an error; a position is written as it is read, and can be played.
#![no_main]

use afterstate_game::{Notation, Position};
use afterstate_twenty48::State;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(state) = State::parse(text) else { return };
    assert_eq!(State::parse(&state.to_text()).as_ref(), Ok(&state));
    assert_eq!(state.moves().is_empty(), state.outcome().is_some());
    state.for_each_move(|mv| assert_ne!(state.play_unchecked(mv).afterstate.0, state.0));
});
