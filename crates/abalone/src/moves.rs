//! Moves: sixteen bits that say which marbles go where and what they push.

use std::fmt;
use std::num::NonZeroU16;

use crate::{Cell, Cells, Direction};

/// A move: one to three marbles in a line, one step in a direction, with what they push.
///
/// What is pushed belongs to the move, so that its class, its ejection and its effect are known without the position.
/// Written by itself it is in Aba-Pro notation, which leaves that part out.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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

/// What kind of move it is, apart from where: in the order of the nine classes of the thesis, most promising first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    ThreeEjectOne,
    ThreeEjectTwo,
    TwoEjectOne,
    ThreePushOne,
    ThreePushTwo,
    TwoPushOne,
    ThreeInline,
    TwoInline,
    /// The line of marbles runs 60 degrees to the left of the direction of the move.
    ThreeSteep,
    /// The line of marbles runs 120 degrees to the left of the direction of the move.
    ThreeFlat,
    TwoSteep,
    TwoFlat,
    Single,
}

use Kind::{
    Single, ThreeEjectOne, ThreeEjectTwo, ThreeFlat, ThreeInline, ThreePushOne, ThreePushTwo, ThreeSteep, TwoEjectOne,
    TwoFlat, TwoInline, TwoPushOne, TwoSteep,
};

impl Kind {
    pub(crate) const ALL: [Self; 13] = [
        ThreeEjectOne,
        ThreeEjectTwo,
        TwoEjectOne,
        ThreePushOne,
        ThreePushTwo,
        TwoPushOne,
        ThreeInline,
        TwoInline,
        ThreeSteep,
        ThreeFlat,
        TwoSteep,
        TwoFlat,
        Single,
    ];

    /// The marbles that the mover takes.
    const fn count(self) -> u8 {
        match self {
            Single => 1,
            TwoEjectOne | TwoPushOne | TwoInline | TwoSteep | TwoFlat => 2,
            _ => 3,
        }
    }

    /// The opponent's marbles that are pushed, the ejected one included.
    const fn pushed(self) -> u8 {
        match self {
            ThreeEjectTwo | ThreePushTwo => 2,
            ThreeEjectOne | TwoEjectOne | ThreePushOne | TwoPushOne => 1,
            _ => 0,
        }
    }

    const fn ejects(self) -> bool {
        matches!(self, ThreeEjectOne | ThreeEjectTwo | TwoEjectOne)
    }

    const fn class(self) -> u8 {
        match self {
            ThreeEjectOne | ThreeEjectTwo => 0,
            TwoEjectOne => 1,
            ThreePushOne | ThreePushTwo => 2,
            TwoPushOne => 3,
            ThreeInline => 4,
            TwoInline => 5,
            ThreeSteep | ThreeFlat => 6,
            TwoSteep | TwoFlat => 7,
            Single => 8,
        }
    }

    /// The turn from the direction of the move to the line of marbles, for a broadside move.
    const fn turn(self) -> Option<u8> {
        match self {
            ThreeSteep | TwoSteep => Some(1),
            ThreeFlat | TwoFlat => Some(2),
            _ => None,
        }
    }
}

/// Everything about a move except its cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    pub(crate) direction: Direction,
    /// From the move's cell on, the other marbles are found in this direction: backwards for an inline move, whose cell
    /// is the foremost marble.
    pub(crate) line: Direction,
    pub(crate) broadside: bool,
    pub(crate) count: u8,
    pub(crate) pushed: u8,
    pub(crate) ejects: bool,
    /// What to add to the move's cell, modulo 61, to find: the last marble of the line; ...
    pub(crate) to_last: u8,
    /// ... the cell in front of the move's cell, where the first marble goes; ...
    pub(crate) to_front: u8,
    /// ... and the cell behind the pushed marbles, where the foremost goes unless it is ejected.
    pub(crate) to_landing: u8,
}

/// All shapes; number 0 stays unused, so that a move is never 0.
pub(crate) const SHAPES: [Shape; 1 + Kind::ALL.len() * Direction::COUNT] = {
    let mut shapes = [Shape::new(Single, Direction::East); 1 + Kind::ALL.len() * Direction::COUNT];
    let mut k = 0;
    while k < Kind::ALL.len() {
        let mut d = 0;
        while d < Direction::COUNT {
            let shape = Shape::new(Kind::ALL[k], Direction::ALL[d]);
            shapes[shape.number()] = shape;
            d += 1;
        }
        k += 1;
    }
    shapes
};

impl Shape {
    const fn new(kind: Kind, direction: Direction) -> Self {
        let (line, broadside) = match kind.turn() {
            Some(sixths) => (direction.turned(sixths), true),
            None => (direction.opposite(), false),
        };
        Self {
            kind,
            direction,
            line,
            broadside,
            count: kind.count(),
            pushed: kind.pushed(),
            ejects: kind.ejects(),
            to_last: steps(line, kind.count() - 1),
            to_front: steps(direction, 1),
            to_landing: steps(direction, 1 + kind.pushed()),
        }
    }

    const fn number(&self) -> usize {
        1 + self.kind as usize * Direction::COUNT + self.direction as usize
    }
}

/// The change of index that `count` steps make, modulo 61.
pub(crate) const fn steps(direction: Direction, count: u8) -> u8 {
    let one: u16 = match direction {
        Direction::East => 1,
        Direction::NorthEast => 14,
        Direction::NorthWest => 13,
        Direction::West => 60,
        Direction::SouthWest => 47,
        Direction::SouthEast => 48,
    };
    (one * count as u16 % Cell::COUNT as u16) as u8
}

impl Move {
    /// One more than the largest [`Self::code`].
    pub const CODES: usize = SHAPES.len() * 64;

    #[inline(always)]
    pub(crate) const fn new(kind: Kind, direction: Direction, cell: Cell) -> Self {
        let shape = 1 + kind as u16 * Direction::COUNT as u16 + direction as u16;
        match NonZeroU16::new(shape << 6 | cell.index() as u16) {
            Some(code) => Self(code),
            // Shapes count from 1.
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
    pub(crate) fn shape(self) -> &'static Shape {
        &SHAPES[self.code() >> 6]
    }

    /// The foremost marble of an inline move, one end of a broadside one.
    #[inline(always)]
    pub(crate) fn cell(self) -> Cell {
        // The low six bits of a move are the index of a cell by construction.
        Cell::from_index(self.code() & 63).unwrap_or(Cell::CENTRE)
    }

    /// How the marbles move.
    #[must_use]
    pub fn manner(self) -> Manner {
        match self.shape() {
            Shape { kind: Single, .. } => Manner::Single,
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
    pub fn ejects(self) -> bool {
        self.shape().ejects
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
        let last = cell.plus(shape.to_last);
        if shape.broadside { (cell, last) } else { (last, cell) }
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
        let to = first.plus(self.shape().to_front);
        if self.shape().broadside { write!(f, "{first}{last}{to}") } else { write!(f, "{first}{to}") }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.shape().kind)
    }
}
