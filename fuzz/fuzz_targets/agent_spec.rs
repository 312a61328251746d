//! An agent spec never panics, and what is read is written and read back as itself.
#![no_main]

use afterstate_players::Spec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(spec) = Spec::parse(text) {
        let written = spec.to_string();
        assert_eq!(Spec::parse(&written), Ok(spec), "{written}");
    }
});
