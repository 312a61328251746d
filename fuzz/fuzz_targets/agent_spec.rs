//! An agent spec never panics, and what is read is written and read back as itself. What a stranger's spec is made into
//! asks for no more than he may have, so it is admitted as it is.
#![no_main]

use std::time::Duration;

use afterstate_abalone::Position as Abalone;
use afterstate_players::{Allowance, Playable, Spec};
use afterstate_twenty48::State;
use libfuzzer_sys::fuzz_target;

const ALLOWANCE: Allowance =
    Allowance { depth: 60, iterations: 2_000_000, threads: 1, memory: 32 << 20, time: Duration::from_secs(60) };

fn check_admitted<P: Playable>(spec: &Spec) {
    if let Ok(admitted) = ALLOWANCE.admit::<P>(spec) {
        assert_eq!(ALLOWANCE.admit::<P>(&admitted), Ok(admitted));
    }
}

fuzz_target!(|text: &str| {
    if let Ok(spec) = Spec::parse(text) {
        let written = spec.to_string();
        check_admitted::<State>(&spec);
        check_admitted::<Abalone>(&spec);
        assert_eq!(Spec::parse(&written), Ok(spec), "{written}");
    }
});
