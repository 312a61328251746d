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
    ThreeLeft,
    /// The line of marbles runs 120 degrees to the left of the direction of the move.
    ThreeRight,
    TwoLeft,
    TwoRight,
    Single,
}

use Kind::{
    Single, ThreeEjectOne, ThreeEjectTwo, ThreeInline, ThreeLeft, ThreePushOne, ThreePushTwo, ThreeRight, TwoEjectOne,
    TwoInline, TwoLeft, TwoPushOne, TwoRight,
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
        ThreeLeft,
        ThreeRight,
        TwoLeft,
        TwoRight,
        Single,
    ];

    /// The marbles that the mover takes.
    const fn count(self) -> u8 {
        match self {
            Single => 1,
            TwoEjectOne | TwoPushOne | TwoInline | TwoLeft | TwoRight => 2,
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
            ThreeLeft | ThreeRight => 6,
            TwoLeft | TwoRight => 7,
            Single => 8,
        }
    }

    /// The turn from the direction of the move to the line of marbles, for a broadside move.
    const fn turn(self) -> Option<u8> {
        match self {
            ThreeLeft | TwoLeft => Some(1),
            ThreeRight | TwoRight => Some(2),
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

/// All shapes, by index.
pub(crate) static SHAPES: [Shape; Shape::COUNT] = {
    let mut shapes = [Shape::new(Single, Direction::East); Shape::COUNT];
    let mut k = 0;
    while k < Kind::ALL.len() {
        let mut d = 0;
        while d < Direction::COUNT {
            let (kind, direction) = (Kind::ALL[k], Direction::ALL[d]);
            shapes[Shape::index(kind, direction)] = Shape::new(kind, direction);
            d += 1;
        }
        k += 1;
    }
    shapes
};

impl Shape {
    pub(crate) const COUNT: usize = Kind::ALL.len() * Direction::COUNT;

    /// The place of a shape in [`SHAPES`].
    #[inline(always)]
    pub(crate) const fn index(kind: Kind, direction: Direction) -> usize {
        kind as usize * Direction::COUNT + direction as usize
    }

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
}

impl Shape {
    /// The index of the shape that takes and pushes as many marbles in another direction, its line running in this
    /// direction from the move's cell, if moves are written so.
    pub(crate) fn with(&self, direction: Direction, line: Direction) -> Option<usize> {
        SHAPES.iter().position(|shape| {
            (shape.direction, shape.line) == (direction, line)
                && (shape.broadside, shape.count, shape.pushed, shape.ejects)
                    == (self.broadside, self.count, self.pushed, self.ejects)
        })
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
    pub const fn ejects(self) -> bool {
        // Ejections are the first kinds.
        self.code() < (1 + Shape::index(ThreePushOne, Direction::East)) << 6
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

    /// Where a marble of the move goes.
    #[inline]
    #[must_use]
    pub(crate) fn destination(self, marble: Cell) -> Cell {
        marble.plus(self.shape().to_front)
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
        let to = first.plus(self.shape().to_front);
        if self.shape().broadside { write!(f, "{first}{last}{to}") } else { write!(f, "{first}{to}") }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.shape().kind)
    }
}
