//! Abalone on the page.

use afterstate_abalone::{Cell, Direction, Layout, Manner, Move, Position};
use afterstate_game::{AtPlyLimit, DrawRules, Notation, Position as _};
use serde::Serialize;

use super::{Level, WebGame};

/// What a move does.
#[derive(Debug, Serialize)]
pub(crate) struct Effect {
    /// The position after it.
    afterstate: String,
    /// The own marbles that move, at their cells before the move; the rearmost first if they move along their line.
    marbles: Vec<String>,
    /// `e`, `ne`, `nw`, `w`, `sw` or `se`.
    direction: &'static str,
    /// The opponent's marbles that are pushed, at their cells before the move, the nearest first.
    pushed: Vec<String>,
    /// Whether the last of them leaves the board.
    ejects: bool,
}

impl WebGame for Position {
    const QUICK: &'static str = "one-ply(eval=hauff)";
    const RULES: DrawRules = DrawRules { repetitions: Some(3), max_plies: None, at_limit: AtPlyLimit::Draw };
    type Effect = Effect;

    fn levels() -> &'static [Level] {
        &[
            Level { name: "level1", about: "aboutOnePly", spec: "one-ply(eval=hauff)" },
            Level { name: "level2", about: "aboutTwoPlies", spec: "alphabeta(depth=2)" },
            Level { name: "level3", about: "aboutThreePlies", spec: "alphabeta(depth=3, quiescence=always)" },
            Level { name: "level4", about: "aboutStrongBriefly", spec: "abalone/strong(time=100ms)" },
            Level { name: "level5", about: "aboutStrong", spec: "abalone/strong(time=1s)" },
        ]
    }

    fn layouts() -> Vec<&'static str> {
        Layout::ALL.map(Layout::name).to_vec()
    }

    fn start(_seed: u64, layout: Option<&str>) -> Result<Self, String> {
        let layout = layout.map_or(Ok(Layout::Standard), str::parse::<Layout>);
        layout.map(Layout::position).map_err(|error| error.to_string())
    }

    fn effect(&self, mv: Move) -> Effect {
        let (first, last) = mv.ends();
        let mut marbles: Vec<Cell> = mv.marbles().collect();
        // Along the line from one end to the other.
        marbles.sort_by_key(|marble| first.distance(*marble));
        let front = if mv.manner() == Manner::Broadside { None } else { last.neighbour(mv.direction()) };
        let pushed = std::iter::successors(front, |cell| cell.neighbour(mv.direction()));
        Effect {
            afterstate: self.play_unchecked(mv).afterstate.0.to_text(),
            marbles: marbles.iter().map(Cell::to_string).collect(),
            direction: direction_name(mv.direction()),
            pushed: pushed.take(usize::from(mv.pushed())).map(|cell| cell.to_string()).collect(),
            ejects: mv.ejects(),
        }
    }
}

fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::East => "e",
        Direction::NorthEast => "ne",
        Direction::NorthWest => "nw",
        Direction::West => "w",
        Direction::SouthWest => "sw",
        Direction::SouthEast => "se",
    }
}
