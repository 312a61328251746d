//! Finding moves with whole sets of marbles at once.
//!
//! For one direction, a marble is a *head* if something can move with it in front. Which heads can move, alone or with
//! the marbles behind them, and what they push, are a few steps and intersections of sets; every bit of a result is a
//! legal move. Counting moves is counting bits.

use crate::moves::Kind;
use crate::{Cell, Cells, Direction, Move};

/// The marbles of the side to move, of its opponent, and the free cells.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) own: Cells,
    pub(crate) other: Cells,
}

/// The heads in one direction, by what they have in front and behind.
#[derive(Clone, Copy)]
struct Heads {
    /// Own marbles with a free cell in front.
    free: Cells,
    /// Own marbles with an own marble behind.
    backed: Cells,
    /// Own marbles with two own marbles behind.
    backed_twice: Cells,
}

/// The cells in front of which one or two of the opponent's marbles can be pushed.
#[derive(Clone, Copy)]
struct Pushable {
    one: Cells,
    two: Cells,
}

impl Board {
    #[inline(always)]
    fn empty(self) -> Cells {
        !(self.own | self.other)
    }

    #[inline(always)]
    fn heads(self, direction: Direction) -> Heads {
        let backed = self.own & self.own.step(direction);
        Heads { free: self.own & self.empty().facing(direction), backed, backed_twice: backed & backed.step(direction) }
    }

    /// What can be pushed if the foremost of the opponent's marbles is in `yielding`.
    #[inline(always)]
    fn pushable(self, direction: Direction, yielding: Cells) -> Pushable {
        let one = (self.other & yielding).facing(direction);
        Pushable { one, two: (self.other & one).facing(direction) }
    }

    /// What can be pushed off the board.
    #[inline(always)]
    fn ejectable(self, direction: Direction) -> Pushable {
        self.pushable(direction, Cells::edge(direction))
    }

    /// The number of legal moves, while the game goes on.
    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        Direction::each(|direction| self.count_towards(direction)).iter().sum()
    }

    #[inline(always)]
    fn count_towards(self, direction: Direction) -> u32 {
        let heads = self.heads(direction);
        let free = self.empty().facing(direction);
        let pushable = self.pushable(direction, free | Cells::edge(direction));
        let two = heads.backed & (free | pushable.one);
        let three = heads.backed_twice & (free | pushable.one | pushable.two);
        let sideways = |turn| {
            let line = direction.turned(turn);
            let pairs = heads.free & heads.free.facing(line);
            pairs.len() + (pairs & pairs.facing(line)).len()
        };
        heads.free.len() + two.len() + three.len() + sideways(1) + sideways(2)
    }

    /// Visits every legal move once while the game goes on, in the order of the nine classes.
    #[inline(always)]
    pub(crate) fn for_each(self, mut visit: impl FnMut(Move)) {
        self.for_each_ejection(&mut visit);
        let heads = Direction::each(|direction| self.heads(direction));
        let pushable = Direction::each(|direction| self.pushable(direction, self.empty().facing(direction)));
        let three = |d: usize, one: bool| heads[d].backed_twice & if one { pushable[d].one } else { pushable[d].two };
        emit(Kind::ThreePushOne, |d| three(d as usize, true), &mut visit);
        emit(Kind::ThreePushTwo, |d| three(d as usize, false), &mut visit);
        emit(Kind::TwoPushOne, |d| heads[d as usize].backed & pushable[d as usize].one, &mut visit);
        emit(Kind::ThreeInline, |d| heads[d as usize].backed_twice & heads[d as usize].free, &mut visit);
        emit(Kind::TwoInline, |d| heads[d as usize].backed & heads[d as usize].free, &mut visit);
        let pairs = |d: Direction, turn| heads[d as usize].free & heads[d as usize].free.facing(d.turned(turn));
        let steep = Direction::each(|d| pairs(d, 1));
        let flat = Direction::each(|d| pairs(d, 2));
        emit(Kind::ThreeSteep, |d| steep[d as usize] & steep[d as usize].facing(d.turned(1)), &mut visit);
        emit(Kind::ThreeFlat, |d| flat[d as usize] & flat[d as usize].facing(d.turned(2)), &mut visit);
        emit(Kind::TwoSteep, |d| steep[d as usize], &mut visit);
        emit(Kind::TwoFlat, |d| flat[d as usize], &mut visit);
        emit(Kind::Single, |d| heads[d as usize].free, &mut visit);
    }

    /// Visits every legal move that pushes a marble off the board.
    #[inline(always)]
    pub(crate) fn for_each_ejection(self, mut visit: impl FnMut(Move)) {
        const EDGE: Cells = Cells::ring(4);
        if (self.other & EDGE).is_empty() {
            return;
        }
        let heads = Direction::each(|direction| self.heads(direction));
        let off = Direction::each(|direction| self.ejectable(direction));
        emit(Kind::ThreeEjectOne, |d| heads[d as usize].backed_twice & off[d as usize].one, &mut visit);
        emit(Kind::ThreeEjectTwo, |d| heads[d as usize].backed_twice & off[d as usize].two, &mut visit);
        emit(Kind::TwoEjectOne, |d| heads[d as usize].backed & off[d as usize].one, &mut visit);
    }

    /// Whether a move can be played here, while the game goes on.
    pub(crate) fn allows(self, mv: Move) -> bool {
        let shape = mv.shape();
        if shape.broadside { self.allows_broadside(mv) } else { self.allows_inline(mv) }
    }

    fn allows_broadside(self, mv: Move) -> bool {
        let shape = mv.shape();
        let free = self.empty();
        let mut cell = Some(mv.cell());
        for _ in 0..shape.count {
            let Some(marble) = cell else { return false };
            let to = marble.neighbour(shape.direction);
            if !self.own.contains(marble) || !to.is_some_and(|to| free.contains(to)) {
                return false;
            }
            cell = marble.neighbour(shape.line);
        }
        true
    }

    fn allows_inline(self, mv: Move) -> bool {
        let shape = mv.shape();
        let holds = |cells: Cells, cell: Option<Cell>| cell.is_some_and(|cell| cells.contains(cell));
        let mut cell = Some(mv.cell());
        for _ in 0..shape.count {
            if !holds(self.own, cell) {
                return false;
            }
            cell = cell.and_then(|cell| cell.neighbour(shape.line));
        }
        let mut front = mv.cell().neighbour(shape.direction);
        for _ in 0..shape.pushed {
            if !holds(self.other, front) {
                return false;
            }
            front = front.and_then(|cell| cell.neighbour(shape.direction));
        }
        if shape.ejects { front.is_none() } else { holds(self.empty(), front) }
    }
}

/// Visits the moves of one kind: those whose cell is in the set of their direction.
#[inline(always)]
fn emit(kind: Kind, cells: impl Fn(Direction) -> Cells, visit: &mut impl FnMut(Move)) {
    Direction::each(|direction| {
        for cell in cells(direction) {
            visit(Move::new(kind, direction, cell));
        }
    });
}
