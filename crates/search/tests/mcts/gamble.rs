//! A gamble: one player against chance, with points.
//!
//! In each round the player takes a safe point, or four points and a risk: a die is rolled, and a roll that is not
//! above the number of rounds left (this one included) ends the game. Rolling pays in the last rounds only.

use std::fmt;

use afterstate_game::{Afterstate, Dice, Evaluation, Outcome, Played, Position, Side};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gamble {
    pub(crate) rounds: u8,
    pub(crate) points: u16,
    pub(crate) ruined: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bet {
    Safe,
    Roll,
}

impl fmt::Display for Bet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    before: Gamble,
    bet: Bet,
}

impl Gamble {
    pub(crate) fn start(rounds: u8) -> Self {
        Self { rounds, points: 0, ruined: false }
    }

    /// The points that perfect play still expects.
    pub(crate) fn expected(&self) -> f64 {
        let values = self.moves().into_iter().map(|bet| self.expected_after(bet));
        values.reduce(f64::max).unwrap_or(0.0)
    }

    /// The points that perfect play expects with this bet.
    pub(crate) fn expected_after(&self, bet: Bet) -> f64 {
        let played = self.play_unchecked(bet);
        let mut mean = f64::from(played.reward);
        played.afterstate.for_each_answer(|next, probability| mean += f64::from(probability) * next.expected());
        mean
    }
}

impl Bet {
    fn points(self) -> u16 {
        match self {
            Self::Safe => 1,
            Self::Roll => 4,
        }
    }
}

impl Position for Gamble {
    type Move = Bet;
    type Afterstate = Placed;
    const SIDES: u8 = 1;

    fn side_to_move(&self) -> Side {
        Side::First
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ruined || self.rounds == 0).then_some(Outcome::Over)
    }

    fn for_each_move(&self, visit: impl FnMut(Bet)) {
        if self.outcome().is_none() {
            [Bet::Safe, Bet::Roll].into_iter().for_each(visit);
        }
    }

    fn play_unchecked(&self, mv: Bet) -> Played<Self> {
        Played { afterstate: Placed { before: self.clone(), bet: mv }, reward: u32::from(mv.points()) }
    }

    fn key(&self) -> u64 {
        u64::from(self.rounds) << 32 | u64::from(self.points) << 1 | u64::from(self.ruined)
    }

    fn is_irreversible(&self, _mv: Bet) -> bool {
        true
    }

    fn leader(&self) -> Option<Side> {
        None
    }
}

impl Placed {
    fn answer(&self, survives: bool) -> Gamble {
        let Gamble { rounds, points, .. } = self.before;
        Gamble { rounds: rounds - 1, points: points + self.bet.points(), ruined: !survives }
    }

    /// The chance to survive, in sixths.
    fn survival(&self) -> u8 {
        match self.bet {
            Bet::Safe => 6,
            Bet::Roll => 6 - self.before.rounds.min(6),
        }
    }
}

impl Afterstate for Placed {
    type Position = Gamble;
    const HAS_CHANCE: bool = true;

    fn for_each_answer(&self, mut visit: impl FnMut(Gamble, f32)) {
        let sixths = self.survival();
        for (survives, sixths) in [(true, sixths), (false, 6 - sixths)] {
            if sixths > 0 {
                visit(self.answer(survives), f32::from(sixths) / 6.0);
            }
        }
    }

    fn draw(&self, dice: &mut Dice) -> Gamble {
        self.answer(dice.below(6) < u32::from(self.survival()))
    }

    fn key(&self) -> u64 {
        self.before.key() << 1 | u64::from(self.bet == Bet::Roll)
    }
}

/// The points a player has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Points;

impl Evaluation<Gamble> for Points {
    fn position(&self, position: &Gamble) -> f32 {
        f32::from(position.points)
    }

    fn afterstate(&self, afterstate: &Placed) -> f32 {
        self.mean_over_answers(afterstate)
    }
}

/// Nothing but the points still to come, of which it knows none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rewards;

impl Evaluation<Gamble> for Rewards {
    const COUNTS_REWARDS: bool = true;

    fn position(&self, _position: &Gamble) -> f32 {
        0.0
    }

    fn afterstate(&self, _afterstate: &Placed) -> f32 {
        0.0
    }
}
