//! Shapes of moves: how many marbles go which way and what they push, wherever they stand.

use crate::Direction;

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
    pub(crate) const fn count(self) -> u8 {
        match self {
            Single => 1,
            TwoEjectOne | TwoPushOne | TwoInline | TwoLeft | TwoRight => 2,
            _ => 3,
        }
    }

    /// The opponent's marbles that are pushed, the ejected one included.
    pub(crate) const fn pushed(self) -> u8 {
        match self {
            ThreeEjectTwo | ThreePushTwo => 2,
            ThreeEjectOne | TwoEjectOne | ThreePushOne | TwoPushOne => 1,
            _ => 0,
        }
    }

    pub(crate) const fn ejects(self) -> bool {
        matches!(self, ThreeEjectOne | ThreeEjectTwo | TwoEjectOne)
    }

    pub(crate) const fn class(self) -> u8 {
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
    pub(crate) const fn turn(self) -> Option<u8> {
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
        Self { kind, direction, line, broadside, count: kind.count(), pushed: kind.pushed(), ejects: kind.ejects() }
    }

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
