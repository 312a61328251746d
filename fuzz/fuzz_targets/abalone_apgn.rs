//! Any bytes are games or errors; the games that are read are written so that they are read back.
#![no_main]

use afterstate_abalone::text::apgn::{Game, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for game in Reader::new(bytes).flatten() {
        let Ok(text) = game.to_text() else { panic!("a game that was read can be replayed") };
        let read: Vec<Game> = Reader::new(text.as_bytes()).flatten().collect();
        assert_eq!(read.len(), 1, "{text}");
        assert_eq!((&read[0].start, &read[0].moves, read[0].outcome), (&game.start, &game.moves, game.outcome));
    }
});
