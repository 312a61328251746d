//! The part of the game that is learned: all of it, or from given boards up to a tile sum.

use afterstate_game::{Dice, Position};
use afterstate_twenty48::{Board, State};
use serde::{Deserialize, Serialize};

/// Where games start, and where they end before they are lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stretch {
    /// The boards that games start from; the empty board, where there are none.
    #[serde(with = "as_text", skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<Board>,
    /// The tile sum at which a game ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
    /// The points that it is worth to come there, beside those on the way: what the game would still bring. A game that comes
    /// there without the tile that the sum stands for is worth nothing.
    #[serde(skip_serializing_if = "is_zero")]
    pub worth: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A board that no game can start from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StretchError {
    /// No move is left.
    #[error("no move is left on the board {0}")]
    Over(Board),
    /// The game ends before it starts.
    #[error("the tiles of the board {board} add up to {sum}, and games end at {until}")]
    Beyond {
        /// The board.
        board: Board,
        /// The sum of its tiles.
        sum: u32,
        /// The sum at which games end.
        until: u32,
    },
    /// Nowhere to come to.
    #[error("the end of the games is worth {0} points, and no sum is named at which they end")]
    NoEnd(u32),
    /// The same where games start from the empty board.
    #[error("games end at the sum {0}, which the first two tiles may have: it must be above {FIRST}")]
    AtOnce(u32),
}

/// The largest sum of the tiles that a game starts with.
const FIRST: u32 = 8;

impl Stretch {
    /// Whether this is the whole game.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a game can start from every board.
    pub fn check(&self) -> Result<(), StretchError> {
        if self.worth > 0 && self.until.is_none() {
            return Err(StretchError::NoEnd(self.worth));
        }
        if let Some(until) = self.until.filter(|&until| self.starts.is_empty() && until <= FIRST) {
            return Err(StretchError::AtOnce(until));
        }
        for &board in &self.starts {
            if State(board).outcome().is_some() {
                return Err(StretchError::Over(board));
            }
            if let Some(until) = self.until.filter(|&until| board.sum() >= until) {
                return Err(StretchError::Beyond { board, sum: board.sum(), until });
            }
        }
        Ok(())
    }

    /// Where the next game starts.
    pub(crate) fn start(&self, dice: &mut Dice) -> State {
        match self.starts.as_slice() {
            [] => State::start(dice),
            starts => State(starts[dice.below(starts.len() as u32) as usize]),
        }
    }

    /// Whether a game is at its end though moves are left.
    #[inline(always)]
    pub(crate) fn is_through(&self, state: State) -> bool {
        self.until.is_some_and(|until| state.0.sum() >= until)
    }

    /// What a game that ended here would still bring.
    #[inline]
    pub(crate) fn rest(&self, end: State) -> f32 {
        let has_tile = |until: u32| end.0.max_tile().is_some_and(|tile| tile.value() >= 1 << until.ilog2());
        let is_won = self.until.is_some_and(|until| self.is_through(end) && has_tile(until));
        if is_won { self.worth as f32 } else { 0.0 }
    }
}

/// Boards as people write them.
mod as_text {
    use afterstate_twenty48::Board;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(boards: &[Board], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(boards.iter().map(ToString::to_string))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Board>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let board =
            |text: String| text.parse().map_err(|error| de::Error::custom(format!("the board {text}: {error}")));
        texts.into_iter().map(board).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_start_from_the_boards_and_end_at_the_sum() {
        let board: Board = "64 32 0 0/2 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap();
        let stretch = Stretch { starts: vec![board], until: Some(100), worth: 0 };
        assert_eq!(stretch.start(&mut Dice::seeded(1)), State(board));
        assert!(!stretch.is_through(State(board)));
        assert!(stretch.is_through(State("64 32 2 2/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap())));
        assert!(!Stretch::default().is_through(State(board)));
        assert_eq!(Stretch::default().start(&mut Dice::seeded(1)).0.sum() & !7, 0);
    }

    #[test]
    fn the_end_is_worth_something_with_its_tile_alone() {
        let stretch = Stretch { starts: Vec::new(), until: Some(100), worth: 500 };
        let rest = |text: &str| stretch.rest(State(text.parse().unwrap()));
        assert_eq!(rest("64 32 4 0/0 0 0 0/0 0 0 0/0 0 0 0"), 500.0);
        assert_eq!(rest("64 32 2 0/0 0 0 0/0 0 0 0/0 0 0 0"), 0.0, "not there yet");
        assert_eq!(rest("32 32 32 8/0 0 0 0/0 0 0 0/0 0 0 0"), 0.0, "there without a 64");
        let error = Stretch { worth: 7, ..Stretch::default() }.check().unwrap_err().to_string();
        assert!(error.contains("worth 7 points, and no sum is named"), "{error}");
    }

    #[test]
    fn a_stretch_survives_writing_and_wrong_boards_are_named() {
        let text = "starts = [\"64 32 0 0/2 0 0 0/0 0 0 0/0 0 0 0\"]\nuntil = 100\nworth = 500\n";
        let stretch: Stretch = toml::from_str(text).unwrap();
        assert_eq!(toml::to_string(&stretch).unwrap(), text);
        assert_eq!(stretch.check(), Ok(()));
        let error = Stretch { until: Some(98), ..stretch.clone() }.check().unwrap_err().to_string();
        assert!(error.contains("add up to 98, and games end at 98"), "{error}");
        let from_empty = |until| Stretch { until: Some(until), ..Stretch::default() }.check();
        assert_eq!([4, 8, 10].map(from_empty), [Err(StretchError::AtOnce(4)), Err(StretchError::AtOnce(8)), Ok(())]);
        let over = "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2".parse().unwrap();
        let error = Stretch { starts: vec![over], ..Stretch::default() }.check().unwrap_err().to_string();
        assert!(error.contains("no move is left on the board 2 4 2 4/"), "{error}");
        let error = toml::from_str::<Stretch>("starts = [\"2 3\"]").unwrap_err().to_string();
        assert!(error.contains("the board 2 3: "), "{error}");
    }
}
