//! What the page asks of a game beyond its rules: where it starts, how its moves look, who advises and who opposes.
//! Data, not rules: those are the game's own.

mod abalone;
mod twenty48;

use afterstate_game::{Dice, DrawRules};
use afterstate_lab::GameSeeds;
use afterstate_players::Playable;
use serde::Serialize;

/// A game on the page.
pub(crate) trait WebGame: Playable {
    /// The agent that values the moves of `moves` when none is named: fast enough to be asked thousands of times a second.
    const QUICK: &'static str;

    /// When a game that nobody wins ends.
    const RULES: DrawRules;

    /// What a move does, for a page that has to show it.
    type Effect: Serialize + Send + 'static;

    /// Players by strength, the weakest first. The strongest gives hints where nobody is named.
    fn levels() -> &'static [Level];

    /// The agent that gives hints where nobody is named.
    fn adviser() -> &'static str {
        Self::levels().last().map_or(Self::QUICK, |strongest| strongest.spec)
    }

    /// The names of the starting positions, the usual one first. A game that starts by chance has none.
    fn layouts() -> Vec<&'static str>;

    /// The start of a game.
    fn start(seed: u64, layout: Option<&str>) -> Result<Self, String>;

    /// What a legal move does.
    fn effect(&self, mv: Self::Move) -> Self::Effect;
}

/// A player of known strength. Its name and what is told about it are keys of the page's dictionary.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Level {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) spec: &'static str,
}

/// The dice for the start (`0`) and for the answer of chance to the n-th half-move (`n`): those of the first game that
/// the laboratory plays with this seed.
pub(crate) fn chance(seed: u64, n: u32) -> Dice {
    GameSeeds::new(seed, 0, 0).chance(n)
}
