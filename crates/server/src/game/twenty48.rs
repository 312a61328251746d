//! 2048 on the page.

use afterstate_game::{AtPlyLimit, DrawRules, Position};
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

impl WebGame for State {
    const ADVISER: &'static str = "xiao";
    const QUICK: &'static str = "one-ply(eval=xiao)";
    const LEVELS: &'static [Level] = &[
        Level { name: "level1", spec: "greedy" },
        Level { name: "level2", spec: "one-ply(eval=xiao)" },
        Level { name: "level3", spec: "maqsood/exp4" },
        Level { name: "level4", spec: "maqsood/exp6" },
        Level { name: "level5", spec: "xiao" },
    ];
    const RULES: DrawRules = DrawRules { repetitions: None, max_plies: None, at_limit: AtPlyLimit::Draw };
    type Effect = Effect;

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
