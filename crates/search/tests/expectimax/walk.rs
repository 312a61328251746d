//! A small game of one player and chance: walk over a rocky field towards the far corner while the wind pushes.

use std::fmt;

use afterstate_game::{Afterstate, Dice, Evaluation, Outcome, Played, Position, Side, conformance, derive_seed};

/// Where the walker stands. `CANDIDATES` is what the game says of itself: 0, or the three steps of every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Walk<const CANDIDATES: u32> {
    x: u8,
    y: u8,
}

/// The walker has stepped, and the wind is about to blow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stepped<const CANDIDATES: u32>(Walk<CANDIDATES>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    East,
    North,
    Both,
}

const SIZE: u8 = 14;

impl<const CANDIDATES: u32> Walk<CANDIDATES> {
    pub(crate) const START: Self = Self { x: 0, y: 0 };

    /// Every field from which a step is possible.
    pub(crate) fn all_alive() -> impl Iterator<Item = Self> {
        let fields = (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| Self { x, y }));
        fields.filter(|walk| walk.outcome().is_none())
    }

    /// A field from which no step is possible.
    pub(crate) fn dead_end() -> Self {
        Self { x: SIZE - 1, y: SIZE - 1 }
    }

    fn step(self, step: Step) -> Self {
        match step {
            Step::East => Self { x: self.x + 1, ..self },
            Step::North => Self { y: self.y + 1, ..self },
            Step::Both => Self { x: self.x + 1, y: self.y + 1 },
        }
    }

    fn number(self) -> u64 {
        u64::from(self.x) << 8 | u64::from(self.y)
    }

    fn is_open(self) -> bool {
        self.x < SIZE && self.y < SIZE && !derive_seed(1, &[self.number()]).is_multiple_of(4)
    }
}

impl<const CANDIDATES: u32> Position for Walk<CANDIDATES> {
    type Move = Step;
    type Afterstate = Stepped<CANDIDATES>;
    const SIDES: u8 = 1;
    const CANDIDATES: u32 = CANDIDATES;

    fn side_to_move(&self) -> Side {
        Side::First
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.count_moves() == 0).then_some(Outcome::Over)
    }

    fn for_each_move(&self, visit: impl FnMut(Step)) {
        [Step::East, Step::North, Step::Both].into_iter().filter(|&step| self.step(step).is_open()).for_each(visit);
    }

    fn play_unchecked(&self, mv: Step) -> Played<Self> {
        let reward = if mv == Step::Both { u32::from(self.x + self.y) } else { 1 };
        Played { afterstate: Stepped(self.step(mv)), reward }
    }

    fn key(&self) -> u64 {
        derive_seed(2, &[self.number()])
    }

    fn is_irreversible(&self, _mv: Step) -> bool {
        true
    }

    fn leader(&self) -> Option<Side> {
        None
    }
}

impl<const CANDIDATES: u32> Afterstate for Stepped<CANDIDATES> {
    type Position = Walk<CANDIDATES>;
    const HAS_CHANCE: bool = true;

    fn for_each_answer(&self, mut visit: impl FnMut(Walk<CANDIDATES>, f32)) {
        let Walk { x, y } = self.0;
        visit(self.0, 0.5);
        visit(Walk { x: (x + 1).min(SIZE - 1), y }, 0.3);
        visit(Walk { x, y: (y + 1).min(SIZE - 1) }, 0.2);
    }

    fn draw(&self, dice: &mut Dice) -> Walk<CANDIDATES> {
        let mut roll = dice.unit() as f32;
        let mut drawn = self.0;
        self.for_each_answer(|position, probability| {
            if (0.0..probability).contains(&roll) {
                drawn = position;
            }
            roll -= probability;
        });
        drawn
    }

    fn key(&self) -> u64 {
        derive_seed(3, &[self.0.number()])
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Judges every field by a fixed random number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whim<const REWARDS: bool>;

impl<const REWARDS: bool> Whim<REWARDS> {
    fn of(key: u64) -> f32 {
        (derive_seed(4, &[key]) % 20_000) as f32 / 100.0 - 100.0
    }
}

impl<P: Position, const REWARDS: bool> Evaluation<P> for Whim<REWARDS> {
    const COUNTS_REWARDS: bool = REWARDS;

    fn position(&self, position: &P) -> f32 {
        Self::of(position.key())
    }

    fn afterstate(&self, afterstate: &P::Afterstate) -> f32 {
        Self::of(afterstate.key())
    }
}

#[test]
fn the_walk_is_a_correct_game() {
    assert!(conformance::check_rules(&[Walk::<0>::START], 50, 30).unwrap() > 300);
}
