//! Finding moves with whole sets of marbles at once.
//!
//! In one direction, a marble that has something to move into is the *head* of a move, alone or with the marbles behind
//! it. Which heads can move, with how many, and what they push are a few steps and intersections of sets, and every
//! cell of a result is a legal move. Counting moves is counting bits.

use afterstate_game::Dice;

use crate::direction::each_direction;
use crate::shape::{Kind, Shape};
use crate::{Cell, Cells, Direction, Move, machine};

/// The marbles of the side to move and of its opponent, in a game that nobody has won yet.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) own: Cells,
    pub(crate) other: Cells,
}

/// Own marbles, by what they have in front and behind in one direction.
#[derive(Clone, Copy)]
struct Heads {
    /// With a free cell in front.
    free: Cells,
    /// With an own marble behind.
    backed: Cells,
    /// With two own marbles behind.
    backed_twice: Cells,
}

/// Cells with marbles of the opponent in front that would give way to a push: exactly one, or exactly two.
#[derive(Clone, Copy)]
struct Pushable {
    one: Cells,
    two: Cells,
}

/// Heads that could push one marble, or two, or could push one off the board.
#[derive(Clone, Copy)]
pub(crate) struct Threatened {
    pub(crate) one: Cells,
    pub(crate) two: Cells,
    pub(crate) ejections: Cells,
}

/// Heads that can move sideways together with the marble, or the two marbles, next to them in a line.
#[derive(Clone, Copy)]
struct Sideways {
    two: Cells,
    three: Cells,
}

impl Heads {
    #[inline(always)]
    fn sideways(self, line: Direction) -> Sideways {
        let two = self.free & self.free.facing(line);
        Sideways { two, three: two & two.facing(line) }
    }
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

    /// What can be pushed if the foremost marble pushed must stand on one of the `last` cells.
    #[inline(always)]
    fn pushable(self, direction: Direction, last: Cells) -> Pushable {
        let one = (self.other & last).facing(direction);
        Pushable { one, two: (self.other & one).facing(direction) }
    }

    /// The heads that could push in one direction, by what they would push.
    #[inline(always)]
    pub(crate) fn threats(self, direction: Direction) -> Threatened {
        let heads = self.heads(direction);
        let on = self.pushable(direction, self.empty().facing(direction));
        let off = self.pushable(direction, Cells::edge(direction));
        Threatened {
            one: heads.backed & on.one,
            two: heads.backed_twice & on.two,
            ejections: (heads.backed & off.one) | (heads.backed_twice & off.two),
        }
    }

    /// The number of legal moves.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        machine::with_bit_counting(
            #[inline(always)]
            || each_direction!(|direction| self.count_towards(direction)).iter().sum(),
        )
    }

    /// Whether there is a legal move. Nearly always some marble can go east.
    #[inline(always)]
    pub(crate) fn has_move(self) -> bool {
        !(self.own & self.empty().facing(Direction::East)).is_empty() || self.count() > 0
    }

    #[inline(always)]
    fn count_towards(self, direction: Direction) -> u32 {
        let heads = self.heads(direction);
        let free = self.empty().facing(direction);
        let pushable = self.pushable(direction, free | Cells::edge(direction));
        let two = heads.backed & (free | pushable.one);
        let three = heads.backed_twice & (free | pushable.one | pushable.two);
        let left = heads.sideways(direction.turned(1));
        let right = heads.sideways(direction.turned(2));
        [heads.free, two, three, left.two, left.three, right.two, right.three].map(Cells::len).iter().sum()
    }

    /// Visits every legal move once, in the order of the nine classes.
    #[inline(always)]
    pub(crate) fn for_each(self, visit: impl FnMut(Move)) {
        self.collect(&mut EachMove(visit));
    }

    /// Visits every legal move that pushes a marble off the board.
    #[inline(always)]
    pub(crate) fn for_each_ejection(self, visit: impl FnMut(Move)) {
        const EDGE: Cells = Cells::ring(4);
        if !(self.other & EDGE).is_empty() {
            self.collect_ejections(&each_direction!(|d| self.heads(d)), &mut EachMove(visit));
        }
    }

    /// A legal move drawn uniformly: the same that counting and then skipping in [`Self::for_each`] would find.
    #[inline]
    pub(crate) fn random(self, dice: &mut Dice) -> Option<Move> {
        machine::with_bit_counting(
            #[inline(always)]
            || {
                let mut sets = MoveSets([Cells::EMPTY; Shape::COUNT]);
                self.collect(&mut sets);
                let count: u32 = sets.0.iter().map(|set| Cells::len(*set)).sum();
                sets.nth(dice.below(count))
            },
        )
    }

    /// Shows the moves to the collector, set by set.
    #[inline(always)]
    fn collect(self, to: &mut impl Collect) {
        let heads = each_direction!(|d| self.heads(d));
        self.collect_ejections(&heads, to);
        self.collect_pushes(&heads, to);
        each_direction!(|d| to.take(Kind::ThreeInline, d, heads[d as usize].backed_twice & heads[d as usize].free));
        each_direction!(|d| to.take(Kind::TwoInline, d, heads[d as usize].backed & heads[d as usize].free));
        let left = each_direction!(|d| heads[d as usize].sideways(d.turned(1)));
        let right = each_direction!(|d| heads[d as usize].sideways(d.turned(2)));
        each_direction!(|d| to.take(Kind::ThreeLeft, d, left[d as usize].three));
        each_direction!(|d| to.take(Kind::ThreeRight, d, right[d as usize].three));
        each_direction!(|d| to.take(Kind::TwoLeft, d, left[d as usize].two));
        each_direction!(|d| to.take(Kind::TwoRight, d, right[d as usize].two));
        each_direction!(|d| to.take(Kind::Single, d, heads[d as usize].free));
    }

    #[inline(always)]
    fn collect_ejections(self, heads: &[Heads; Direction::COUNT], to: &mut impl Collect) {
        let off = each_direction!(|d| self.pushable(d, Cells::edge(d)));
        each_direction!(|d| to.take(Kind::ThreeEjectOne, d, heads[d as usize].backed_twice & off[d as usize].one));
        each_direction!(|d| to.take(Kind::ThreeEjectTwo, d, heads[d as usize].backed_twice & off[d as usize].two));
        each_direction!(|d| to.take(Kind::TwoEjectOne, d, heads[d as usize].backed & off[d as usize].one));
    }

    #[inline(always)]
    fn collect_pushes(self, heads: &[Heads; Direction::COUNT], to: &mut impl Collect) {
        let on = each_direction!(|d| self.pushable(d, self.empty().facing(d)));
        each_direction!(|d| to.take(Kind::ThreePushOne, d, heads[d as usize].backed_twice & on[d as usize].one));
        each_direction!(|d| to.take(Kind::ThreePushTwo, d, heads[d as usize].backed_twice & on[d as usize].two));
        each_direction!(|d| to.take(Kind::TwoPushOne, d, heads[d as usize].backed & on[d as usize].one));
    }

    /// Whether a move can be played here.
    pub(crate) fn allows(self, mv: Move) -> bool {
        if mv.shape().broadside { self.allows_broadside(mv) } else { self.allows_inline(mv) }
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

/// Takes the moves of one kind in one direction: one for each cell of a set. (A trait, because a closure called from 78
/// places is not compiled into them.)
trait Collect {
    fn take(&mut self, kind: Kind, direction: Direction, cells: Cells);
}

/// Shows every move to a function.
struct EachMove<F>(F);

impl<F: FnMut(Move)> Collect for EachMove<F> {
    #[inline(always)]
    fn take(&mut self, kind: Kind, direction: Direction, cells: Cells) {
        for cell in cells {
            (self.0)(Move::new(Shape::index(kind, direction), cell));
        }
    }
}

/// Keeps the sets, by shape.
struct MoveSets([Cells; Shape::COUNT]);

impl Collect for MoveSets {
    #[inline(always)]
    fn take(&mut self, kind: Kind, direction: Direction, cells: Cells) {
        self.0[Shape::index(kind, direction)] = cells;
    }
}

impl MoveSets {
    /// The move after `skip` others.
    #[inline(always)]
    fn nth(&self, mut skip: u32) -> Option<Move> {
        for (shape, &(mut cells)) in self.0.iter().enumerate() {
            let count = Cells::len(cells);
            if skip < count {
                return cells.nth(skip as usize).map(|cell| Move::new(shape, cell));
            }
            skip -= count;
        }
        None
    }
}
