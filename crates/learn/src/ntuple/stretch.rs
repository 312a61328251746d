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
        let stretch = Stretch { starts: vec![board], until: Some(100) };
        assert_eq!(stretch.start(&mut Dice::seeded(1)), State(board));
        assert!(!stretch.is_through(State(board)));
        assert!(stretch.is_through(State("64 32 2 2/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap())));
        assert!(!Stretch::default().is_through(State(board)));
        assert_eq!(Stretch::default().start(&mut Dice::seeded(1)).0.sum() & !7, 0);
    }

    #[test]
    fn a_stretch_survives_writing_and_wrong_boards_are_named() {
        let text = "starts = [\"64 32 0 0/2 0 0 0/0 0 0 0/0 0 0 0\"]\nuntil = 100\n";
        let stretch: Stretch = toml::from_str(text).unwrap();
        assert_eq!(toml::to_string(&stretch).unwrap(), text);
        assert_eq!(stretch.check(), Ok(()));
        let error = Stretch { until: Some(98), ..stretch.clone() }.check().unwrap_err().to_string();
        assert!(error.contains("add up to 98, and games end at 98"), "{error}");
        let from_empty = |until| Stretch { starts: Vec::new(), until: Some(until) }.check();
        assert_eq!([4, 8, 10].map(from_empty), [Err(StretchError::AtOnce(4)), Err(StretchError::AtOnce(8)), Ok(())]);
        let over = "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2".parse().unwrap();
        let error = Stretch { starts: vec![over], until: None }.check().unwrap_err().to_string();
        assert!(error.contains("no move is left on the board 2 4 2 4/"), "{error}");
        let error = toml::from_str::<Stretch>("starts = [\"2 3\"]").unwrap_err().to_string();
        assert!(error.contains("the board 2 3: "), "{error}");
    }
}
