//! 2048 on the page.

use afterstate_game::{AtPlyLimit, DrawRules, Position};
use afterstate_players::has_shipped_network;
use afterstate_twenty48::State;
use serde::Serialize;

use super::{Level, WebGame, chance};

/// What a slide does.
#[derive(Debug, Serialize)]
pub(crate) struct Effect {
    /// The board before the new tile.
    afterstate: String,
    /// The points.
    reward: u32,
}

const FIRST: Level = Level { name: "level1", about: "aboutGreedy", spec: "greedy" };
const SECOND: Level = Level { name: "level2", about: "aboutLooking", spec: "one-ply(eval=xiao)" };
const THIRD: Level = Level { name: "level3", about: "aboutExp4", spec: "maqsood/exp4" };

/// With the shipped network, which is a file beside the program.
const WITH_NETWORK: [Level; 5] = [
    FIRST,
    SECOND,
    THIRD,
    Level { name: "level4", about: "aboutXiao", spec: "xiao" },
    Level { name: "level5", about: "aboutNetwork", spec: "2048/strong" },
];

/// With nothing but the program.
const WITHOUT_NETWORK: [Level; 5] = [
    FIRST,
    SECOND,
    THIRD,
    Level { name: "level4", about: "aboutExp6", spec: "maqsood/exp6" },
    Level { name: "level5", about: "aboutXiao", spec: "xiao" },
];

impl WebGame for State {
    const QUICK: &'static str = "one-ply(eval=xiao)";
    const RULES: DrawRules = DrawRules { repetitions: None, max_plies: None, at_limit: AtPlyLimit::Draw };
    type Effect = Effect;

    fn levels() -> &'static [Level] {
        if has_shipped_network() { &WITH_NETWORK } else { &WITHOUT_NETWORK }
    }

    fn layouts() -> Vec<&'static str> {
        Vec::new()
    }

    fn start(seed: u64, layout: Option<&str>) -> Result<Self, String> {
        match layout {
            None => Ok(Self::start(&mut chance(seed, 0))),
            Some(_) => Err("2048 has no layouts; leave `layout` out".to_owned()),
        }
    }

    fn effect(&self, mv: Self::Move) -> Effect {
        let played = self.play_unchecked(mv);
        Effect { afterstate: played.afterstate.0.to_string(), reward: played.reward }
    }
}
