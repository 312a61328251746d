//! What the command line needs to know of a game beyond its rules: where it starts and how it is shown.

use afterstate_abalone::text::board;
use afterstate_abalone::{Layout, Position as Abalone};
use afterstate_game::{Dice, Notation, Position, Settled};
use afterstate_players::Playable;
use afterstate_twenty48::{Slid, Spawn, State};
use serde_json::{Value, json};

use crate::convert;
use crate::terminal::board2048;

/// A game on the command line.
pub(crate) trait CliGame: Playable {
    /// The agent that plays when none is named.
    const DEFAULT_AGENT: &'static str;

    /// The start of a game.
    fn start(seed: u64) -> Self;

    /// The position that a text describes in any of the forms that people write.
    fn from_any_text(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| error.to_string())
    }

    /// The position as a picture in plain text.
    fn render(&self) -> String;

    /// A legal move and where it leads, for `afterstate moves`.
    fn move_as_json(&self, mv: Self::Move) -> Value;

    /// The position after chance answered as the next words say. A game without chance takes no word.
    fn answered<'a>(afterstate: &Self::Afterstate, words: &mut impl Iterator<Item = &'a str>) -> Result<Self, String>;
}

impl CliGame for State {
    const DEFAULT_AGENT: &'static str = "xiao";

    fn start(seed: u64) -> Self {
        Self::start(&mut Dice::seeded(seed))
    }

    fn render(&self) -> String {
        board2048::plain(self.0)
    }

    fn move_as_json(&self, mv: Self::Move) -> Value {
        let played = self.play_unchecked(mv);
        json!({ "move": mv.name(), "afterstate": played.afterstate.0.to_string(), "reward": played.reward })
    }

    /// A spawn is written as in game records: `b3=2`.
    fn answered<'a>(slid: &Slid, words: &mut impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let word = words.next().ok_or("a spawn such as `b3=2` must follow every move")?;
        let spawn = word.parse::<Spawn>().map_err(|error| error.to_string())?;
        slid.spawn(spawn).map_err(|error| error.to_string())
    }
}

impl CliGame for Abalone {
    const DEFAULT_AGENT: &'static str = "abalone/strong";

    fn start(_seed: u64) -> Self {
        Layout::Standard.position()
    }

    fn from_any_text(text: &str) -> Result<Self, String> {
        convert::any_position(text)
    }

    fn render(&self) -> String {
        board::render(self)
    }

    fn move_as_json(&self, mv: Self::Move) -> Value {
        json!({ "move": self.move_to_text(mv), "position": self.play_unchecked(mv).afterstate.0.to_text() })
    }

    fn answered<'a>(settled: &Settled<Self>, _words: &mut impl Iterator<Item = &'a str>) -> Result<Self, String> {
        Ok(settled.0)
    }
}
