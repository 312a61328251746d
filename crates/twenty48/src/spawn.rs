//! New tiles as values: where they appear and which they are.

use std::fmt;

use crate::notation::quoted;
use crate::{Cell, Slid, State, Tile};

/// A new tile: `a1=2` is a two on the top left cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spawn {
    /// Where it appears.
    pub cell: Cell,
    /// A two or a four.
    pub tile: Tile,
}

/// Why a tile cannot appear.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    /// The cell holds a tile.
    #[error("no tile can appear on {0}: the cell is not empty")]
    Occupied(Cell),
    /// Only twos and fours appear.
    #[error("the tile {0} cannot appear; expected 2 or 4")]
    Tile(Tile),
    /// Not the text of a new tile.
    #[error("{0:?} is no new tile; expected a cell from a1 to d4 and 2 or 4, such as a1=2")]
    Text(String),
}

impl Slid {
    /// The position after this tile appears.
    pub fn spawn(self, spawn: Spawn) -> Result<State, SpawnError> {
        let Spawn { cell, tile } = spawn;
        if tile > Tile::FOUR {
            return Err(SpawnError::Tile(tile));
        }
        if self.0.get(cell).is_some() {
            return Err(SpawnError::Occupied(cell));
        }
        Ok(State(self.0.with(cell, Some(tile))))
    }

    /// The tile whose appearance leads to `next`, or `None` if none does.
    #[must_use]
    pub fn spawn_before(self, next: State) -> Option<Spawn> {
        let cell = Cell::all().find(|&cell| self.0.get(cell) != next.0.get(cell))?;
        let spawn = Spawn { cell, tile: next.0.get(cell)? };
        (self.spawn(spawn) == Ok(next)).then_some(spawn)
    }
}

impl fmt::Display for Spawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.cell, self.tile)
    }
}

impl std::str::FromStr for Spawn {
    type Err = SpawnError;

    fn from_str(text: &str) -> Result<Self, SpawnError> {
        let read = |(cell, tile): (&str, &str)| {
            let tile = match tile {
                "2" => Tile::TWO,
                "4" => Tile::FOUR,
                _ => return None,
            };
            Some(Self { cell: Cell::from_name(cell)?, tile })
        };
        text.split_once('=').and_then(read).ok_or_else(|| SpawnError::Text(quoted(text)))
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::Afterstate;

    use super::*;

    #[test]
    fn every_answer_of_chance_is_a_spawn_that_can_be_written_and_read() {
        let slid = Slid("2 4 8 0/0 2 0 4/2 65536 0 131072/4 2 8 2".parse().unwrap());
        let mut count = 0;
        slid.for_each_answer(|next, _| {
            let spawn = slid.spawn_before(next).unwrap();
            assert_eq!(spawn.to_string().parse(), Ok(spawn));
            assert_eq!(slid.spawn(spawn), Ok(next));
            count += 1;
        });
        assert_eq!(count, 8);
    }

    #[test]
    fn other_boards_are_no_answers() {
        let slid = Slid("2 4 8 0/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap());
        for next in [
            "2 4 8 0/0 0 0 0/0 0 0 0/0 0 0 0",
            "2 4 8 8/0 0 0 0/0 0 0 0/0 0 0 0",
            "2 4 8 2/2 0 0 0/0 0 0 0/0 0 0 0",
            "4 4 8 0/0 0 0 0/0 0 0 0/0 0 0 0",
            "0 4 8 0/0 0 0 0/0 0 0 0/0 0 0 0",
        ] {
            assert_eq!(slid.spawn_before(State(next.parse().unwrap())), None, "{next}");
        }
    }

    #[test]
    fn impossible_spawns_are_refused() {
        let slid = Slid("2 4 8 0/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap());
        let cell = |name| Cell::from_name(name).unwrap();
        let occupied = slid.spawn(Spawn { cell: cell("b1"), tile: Tile::TWO }).unwrap_err();
        assert_eq!(occupied.to_string(), "no tile can appear on b1: the cell is not empty");
        let large = slid.spawn(Spawn { cell: cell("d1"), tile: Tile::MAX }).unwrap_err();
        assert_eq!(large.to_string(), "the tile 131072 cannot appear; expected 2 or 4");
        for text in ["", "a1", "a1=", "=2", "a1=8", "e1=2", "a1=2=2", "a1 =2", "a1=02"] {
            assert!(matches!(text.parse::<Spawn>(), Err(SpawnError::Text(_))), "{text}");
        }
    }
}
