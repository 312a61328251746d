//! What the laboratory needs to know about each game.

use std::fmt::Write as _;

use afterstate_abalone::Position as Abalone;
use afterstate_game::{Dice, Notation, PerSide, Side};
use afterstate_twenty48::{State, Tile};

use crate::duel::{DuelGame, Headings};
use crate::play::Transcript;
use crate::solo::SoloGame;

impl SoloGame for State {
    fn start(dice: &mut Dice) -> Self {
        Self::start(dice)
    }

    fn largest_tile(&self) -> u32 {
        self.0.max_tile().map_or(0, Tile::value)
    }

    fn record(transcript: &Transcript<Self>) -> String {
        plain_record(transcript)
    }
}

impl DuelGame for Abalone {
    fn lost(&self) -> PerSide<u32> {
        PerSide(Side::BOTH.map(|side| u32::from(Self::lost(self, side))))
    }

    fn record(transcript: &Transcript<Self>, _headings: &Headings<'_>) -> String {
        plain_record(transcript)
    }
}

/// The start on a line of its own, then a line per half-move: the move, and the position after chance answered.
fn plain_record<P: Notation>(transcript: &Transcript<P>) -> String {
    let mut record = transcript.start.to_text();
    let mut before = &transcript.start;
    for (mv, after) in &transcript.plies {
        let _ = write!(record, "\n{} {}", before.move_to_text(*mv), after.to_text());
        before = after;
    }
    record
}
