//! From raw parts to a position that can be played.

use afterstate_game::{PerSide, Side};

use crate::{Cell, Cells, FEWER_MARBLES, LOST_TO_LOSE, MARBLES, Position};

/// The parts of a position as they were read, before anybody has checked that they fit together.
///
/// ```
/// use afterstate_abalone::{Cell, Cells, Layout, Setup};
/// use afterstate_game::Side;
///
/// let mut setup = Setup::from(&Layout::Standard.position());
/// let i5 = Cell::from_name("i5").expect("a cell of the board");
/// setup.marbles[Side::Second] ^= Cells::of(i5);
/// let error = setup.position().unwrap_err();
/// assert!(error.to_string().starts_with("white has 13 marbles on the board and has lost 0"));
///
/// setup.lost[Side::Second] = 1;
/// setup.turn = Side::Second;
/// assert_eq!(setup.position()?.lost(Side::Second), 1);
/// # Ok::<(), afterstate_abalone::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The marbles on the board.
    pub marbles: PerSide<Cells>,
    /// The marbles lost.
    pub lost: PerSide<u8>,
    /// The side to move.
    pub turn: Side,
}

/// Why parts do not make a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Two marbles on one cell.
    #[error("{0} has a black and a white marble; a cell holds one")]
    Overlap(Cell),
    /// Marbles appeared or vanished.
    #[error("{side} has {on_board} marbles on the board and has lost {lost}; together they must be 14, or 12 for both sides", side = name(*side))]
    Marbles {
        /// Whose marbles.
        side: Side,
        /// How many are on the board.
        on_board: u32,
        /// How many are lost.
        lost: u8,
    },
    /// More lost than a game can cost.
    #[error("{side} has lost {lost} marbles; a game ends when 6 are lost", side = name(*side))]
    Lost {
        /// Whose marbles.
        side: Side,
        /// How many are lost.
        lost: u8,
    },
    /// Both sides have lost the game.
    #[error("both sides have lost 6 marbles; only one side can lose")]
    BothLost,
    /// A layout with lost marbles.
    #[error("a layout has 14 marbles of each colour (or 12 of each), but {side} has {on_board}", side = name(*side))]
    Layout {
        /// Whose marbles.
        side: Side,
        /// How many are on the board.
        on_board: u32,
    },
}

/// The colour of a side.
pub(crate) fn name(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl Setup {
    /// The marbles that a side began the game with.
    #[must_use]
    pub fn began_with(&self, side: Side) -> u32 {
        self.marbles[side].len() + u32::from(self.lost[side])
    }

    /// The position, if the parts fit together.
    pub fn position(&self) -> Result<Position, SetupError> {
        if let Some(cell) = (self.marbles[Side::First] & self.marbles[Side::Second]).next() {
            return Err(SetupError::Overlap(cell));
        }
        let small = Side::BOTH.iter().all(|&side| self.began_with(side) == u32::from(FEWER_MARBLES));
        let needed = u32::from(if small { FEWER_MARBLES } else { MARBLES });
        for side in Side::BOTH {
            let (on_board, lost) = (self.marbles[side].len(), self.lost[side]);
            if lost > LOST_TO_LOSE {
                return Err(SetupError::Lost { side, lost });
            }
            if self.began_with(side) != needed {
                return Err(SetupError::Marbles { side, on_board, lost });
            }
        }
        if Side::BOTH.iter().all(|&side| self.lost[side] == LOST_TO_LOSE) {
            return Err(SetupError::BothLost);
        }
        Ok(Position::from_setup(self))
    }

    /// The position, if it can begin a game: all marbles are on the board.
    pub fn layout(&self) -> Result<Position, SetupError> {
        for side in Side::BOTH {
            if self.lost[side] > 0 {
                return Err(SetupError::Layout { side, on_board: self.marbles[side].len() });
            }
        }
        self.position()
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        use afterstate_game::Position as _;
        Self {
            marbles: PerSide(Side::BOTH.map(|side| position.marbles(side))),
            lost: PerSide(Side::BOTH.map(|side| position.lost(side))),
            turn: position.side_to_move(),
        }
    }
}
