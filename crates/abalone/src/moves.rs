//! Moves: sixteen bits that say which marbles go where and what they push.

use std::fmt;
use std::num::NonZeroU16;

use crate::shape::{Kind, SHAPES, Shape};
use crate::{Cell, Cells, Direction};

/// A move: one to three marbles in a line, one step in a direction, with what they push.
///
/// What is pushed belongs to the move, so that its class, its ejection and its effect are known without the position.
/// Written by itself it is in Aba-Pro notation, which leaves that part out. Moves are ordered by their codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// How marbles move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    /// One marble by itself.
    Single,
    /// Two or three marbles along their line.
    Inline,
    /// Two or three marbles sideways.
    Broadside,
}

impl Move {
    /// One more than the largest [`Self::code`].
    pub const CODES: usize = (1 + Shape::COUNT) * 64;

    #[inline(always)]
    pub(crate) const fn new(shape: usize, cell: Cell) -> Self {
        // Shapes count from 1 in a move, so that it is never 0.
        match NonZeroU16::new((1 + shape as u16) << 6 | cell.index() as u16) {
            Some(code) => Self(code),
            None => unreachable!(),
        }
    }

    /// A number below [`Self::CODES`], different for every move.
    #[inline(always)]
    #[must_use]
    pub const fn code(self) -> usize {
        self.0.get() as usize
    }

    /// The move with this code, if it is the code of a move.
    #[inline]
    pub(crate) const fn from_code(code: usize) -> Option<Self> {
        if code < 64 || code >= Self::CODES || code % 64 >= Cell::COUNT {
            return None;
        }
        match NonZeroU16::new(code as u16) {
            Some(code) => Some(Self(code)),
            None => None,
        }
    }

    #[inline(always)]
    pub(crate) const fn shape(self) -> &'static Shape {
        &SHAPES[(self.code() >> 6) - 1]
    }

    /// The foremost marble of an inline move, one end of a broadside one.
    #[inline(always)]
    pub(crate) const fn cell(self) -> Cell {
        Cell::from_low_bits(self.code())
    }

    /// How the marbles move.
    #[must_use]
    pub fn manner(self) -> Manner {
        match self.shape() {
            Shape { kind: Kind::Single, .. } => Manner::Single,
            Shape { broadside: true, .. } => Manner::Broadside,
            _ => Manner::Inline,
        }
    }

    /// Where the marbles go.
    #[inline]
    #[must_use]
    pub fn direction(self) -> Direction {
        self.shape().direction
    }

    /// How many own marbles move: 1 to 3.
    #[inline]
    #[must_use]
    pub fn count(self) -> u8 {
        self.shape().count
    }

    /// How many of the opponent's marbles are pushed, the ejected one included: 0 to 2.
    #[inline]
    #[must_use]
    pub fn pushed(self) -> u8 {
        self.shape().pushed
    }

    /// Whether a marble of the opponent is pushed off the board.
    #[inline]
    #[must_use]
    pub const fn ejects(self) -> bool {
        // Ejections are the first kinds.
        self.code() < (1 + Shape::index(Kind::ThreePushOne, Direction::East)) << 6
    }

    /// Class of the basic ordering (BS) of the thesis, 0 to 8: three push off, two push off, three attack, two attack,
    /// three inline, two inline, three broadside, two broadside, single.
    #[inline]
    #[must_use]
    pub fn class(self) -> u8 {
        self.shape().kind.class()
    }

    /// The two ends of the line of own marbles: the one at the back first if the move is inline. The same cell twice
    /// for a single marble.
    #[must_use]
    pub fn ends(self) -> (Cell, Cell) {
        let (cell, shape) = (self.cell(), self.shape());
        let last = cell.stepped(shape.line, shape.count - 1);
        if shape.broadside { (cell, last) } else { (last, cell) }
    }

    /// Where a marble of the move goes.
    #[inline]
    #[must_use]
    pub(crate) fn destination(self, marble: Cell) -> Cell {
        marble.stepped(self.shape().direction, 1)
    }

    /// Whether the move is a broadside one whose line, from the first to the second of its [`Self::ends`], runs 120
    /// degrees off its direction, and not 60.
    pub(crate) fn line_is_flat(self) -> bool {
        self.shape().kind.turn() == Some(2)
    }

    /// The own marbles that move, at their cells before the move.
    #[must_use]
    pub fn marbles(self) -> Cells {
        let shape = self.shape();
        let mut marbles = Cells::of(self.cell());
        for _ in 1..shape.count {
            marbles |= marbles.step(shape.line);
        }
        marbles
    }
}

impl fmt::Display for Move {
    /// Aba-Pro notation: see [`crate::text`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.ends();
        let to = self.destination(first);
        if self.shape().broadside { write!(f, "{first}{last}{to}") } else { write!(f, "{first}{to}") }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.shape().kind)
    }
}
