//! Any text is a posRef or an error; what makes a position is written so that it is read back.
#![no_main]

use afterstate_abalone::text::posref;
use afterstate_game::Side;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(setup) = posref::read(text, Side::Second) else { return };
    let Ok(position) = setup.position() else { return };
    assert_eq!(posref::read(&posref::write(&position), Side::Second), Ok(setup));
});
