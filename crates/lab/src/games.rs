//! What the laboratory needs to know about each game.

use afterstate_abalone::Position as Abalone;
use afterstate_abalone::text::apgn;
use afterstate_game::{Dice, PerSide, Side};
use afterstate_twenty48::{Record, State, Tile};

use crate::duel::{DuelGame, Headings};
use crate::play::{GameSeeds, Transcript};
use crate::solo::SoloGame;

impl SoloGame for State {
    fn start(dice: &mut Dice) -> Self {
        Self::start(dice)
    }

    fn largest_tile(&self) -> u32 {
        self.0.max_tile().map_or(0, Tile::value)
    }

    fn record(transcript: &Transcript<Self>, agent: &str, seeds: GameSeeds) -> String {
        let mut record = Record::new(transcript.start).by(agent).seeded(seeds.seed());
        for &(mv, next) in &transcript.plies {
            // Every ply of a transcript was played by the rules, so the record accepts it.
            if record.push_answer(mv, next).is_err() {
                break;
            }
        }
        record.to_string()
    }
}

impl DuelGame for Abalone {
    fn lost(&self) -> PerSide<u32> {
        PerSide(Side::BOTH.map(|side| u32::from(Self::lost(self, side))))
    }

    fn record(transcript: &Transcript<Self>, headings: &Headings<'_>) -> String {
        let mut game = apgn::Game::new(transcript.start);
        game.moves = transcript.plies.iter().map(|(mv, _)| *mv).collect();
        game.outcome = Some(headings.outcome);
        let PerSide([black, white]) = headings.players;
        game.set_tag("Black", black);
        game.set_tag("White", white);
        game.set_tag("Round", (headings.game + 1).to_string());
        game.set_tag("Opening", headings.opening);
        // Every move of a transcript was played by the rules, so it can be written.
        game.to_text().unwrap_or_default()
    }
}
