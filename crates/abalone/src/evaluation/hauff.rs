//! The evaluation of Hauff's thesis (TU Berlin 2024), section 3.1.2.

use afterstate_game::{Evaluation, History, Position as _, Settled, Side};

use super::{Centre, Measures, Threats};
use crate::Position;

/// How much each term counts. The defaults are table 3.1 of the thesis; winning and losing are the search's business.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Per marble.
    pub marbles: f32,
    /// Per step towards the centre, in the mean over the side's marbles.
    pub centre: f32,
    /// Per neighbour of the same colour, in the mean over the side's marbles.
    pub compactness: f32,
    /// Per point of attack: 1 for one marble that can be pushed, 2 for two, 8 for one that can be pushed off.
    pub attack: f32,
    /// Per formation of the opponent that a marble breaks.
    pub broken: f32,
}

impl Weights {
    /// Table 3.1 of the thesis.
    pub const PUBLISHED: Self = Self { marbles: 1000.0, centre: 130.0, compactness: 70.0, attack: 30.0, broken: 10.0 };
}

impl Default for Weights {
    fn default() -> Self {
        Self::PUBLISHED
    }
}

/// The additional weights of the thesis: factors that make a player more offensive or more defensive. `own` is the
/// player's, `other` the opponent's. The thesis names the factors but prints no values for its two players; those here
/// follow its description and are the project's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emphasis {
    /// On the own marbles lost.
    pub own_marbles: f32,
    /// On the opponent's marbles lost.
    pub other_marbles: f32,
    /// On the distance to the centre, for both sides.
    pub centre: f32,
    /// On the own compactness.
    pub own_compactness: f32,
    /// On the opponent's compactness.
    pub other_compactness: f32,
    /// On the own attacks.
    pub own_attack: f32,
    /// On the opponent's attacks.
    pub other_attack: f32,
    /// On the formations that the player breaks.
    pub own_broken: f32,
    /// On the formations that the opponent breaks.
    pub other_broken: f32,
}

impl Emphasis {
    /// All factors 1: the player that the thesis found strongest.
    pub const NORMAL: Self = Self {
        own_marbles: 1.0,
        other_marbles: 1.0,
        centre: 1.0,
        own_compactness: 1.0,
        other_compactness: 1.0,
        own_attack: 1.0,
        other_attack: 1.0,
        own_broken: 1.0,
        other_broken: 1.0,
    };

    /// Own attacks and the opponent's marbles matter more, own marbles less.
    pub const OFFENSIVE: Self =
        Self { own_marbles: 0.8, other_marbles: 1.5, own_attack: 1.5, own_broken: 1.5, ..Self::NORMAL };

    /// Own marbles, own compactness and the centre matter more.
    pub const DEFENSIVE: Self =
        Self { own_marbles: 1.5, other_marbles: 0.8, centre: 1.5, own_compactness: 1.5, ..Self::NORMAL };

    /// Whether it is the same for both sides.
    fn is_even(&self) -> bool {
        self.own_marbles == self.other_marbles
            && self.own_compactness == self.other_compactness
            && self.own_attack == self.other_attack
            && self.own_broken == self.other_broken
    }
}

impl Default for Emphasis {
    fn default() -> Self {
        Self::NORMAL
    }
}

/// For whom, and when in the game, positions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standpoint {
    /// The side whose decision it is: `own` in [`Emphasis`].
    pub player: Side,
    /// Half-moves played before the decision.
    pub ply: u32,
}

/// The evaluation of the thesis: marbles, centre, compactness, attacks and broken formations, own minus opponent, the
/// second and third divided by the side's number of marbles.
///
/// Two things depend on the decision and not on the position judged: whose emphasis it is, and the ply from which
/// attacks count. Both are fixed for a whole search by [`Evaluation::prepare`]; a position deep in the search is judged by
/// the ply of the root, so that equal positions have equal values. Without a standpoint attacks count, and the
/// emphasis is that of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hauff {
    /// The weight of each term.
    pub weights: Weights,
    /// Factors of an offensive or defensive player.
    pub emphasis: Emphasis,
    /// What counts as the centre.
    pub centre: Centre,
    /// The ply from which attacks count; 20 in the thesis.
    pub attack_from: u32,
    /// For whom and when; see [`Evaluation::prepare`].
    pub standpoint: Option<Standpoint>,
}

impl Default for Hauff {
    fn default() -> Self {
        Self {
            weights: Weights::PUBLISHED,
            emphasis: Emphasis::NORMAL,
            centre: Centre::Board,
            attack_from: 20,
            standpoint: None,
        }
    }
}

impl Hauff {
    #[inline]
    fn counts_attacks(&self) -> bool {
        self.standpoint.is_none_or(|standpoint| standpoint.ply >= self.attack_from)
    }

    /// All that values depend on beside the position: whether attacks count, and whose emphasis it is where the sides
    /// have not the same.
    fn depends_on(&self) -> (bool, Option<Side>) {
        let player = self.standpoint.map(|standpoint| standpoint.player);
        (self.counts_attacks(), player.filter(|_| !self.emphasis.is_even()))
    }

    /// The value for the player whose measures are `own`.
    #[inline(always)]
    fn weigh(&self, own: &Measures, other: &Measures, lost: (u8, u8)) -> f32 {
        let (weights, emphasis) = (&self.weights, &self.emphasis);
        let mean = |sum: i32, side: &Measures| sum as f32 / side.marbles as f32;
        // A marble fewer is a marble lost: with equal factors this is the difference of the marbles on the board.
        let marbles = emphasis.other_marbles * f32::from(lost.1) - emphasis.own_marbles * f32::from(lost.0);
        let centre = mean(own.centre, own) - mean(other.centre, other);
        let compactness = emphasis.own_compactness * mean(own.compactness, own)
            - emphasis.other_compactness * mean(other.compactness, other);
        let points = |side: &Measures| (side.attacks.one + 2 * side.attacks.two + 8 * side.attacks.ejections) as f32;
        let attack = emphasis.own_attack * points(own) - emphasis.other_attack * points(other);
        let broken = emphasis.own_broken * own.broken as f32 - emphasis.other_broken * other.broken as f32;
        weights.marbles * marbles
            + weights.centre * emphasis.centre * centre
            + weights.compactness * compactness
            + weights.attack * attack
            + weights.broken * broken
    }
}

impl Evaluation<Position> for Hauff {
    fn prepare(&mut self, history: &History<Position>) -> bool {
        let before = self.depends_on();
        self.standpoint = Some(Standpoint { player: history.position().side_to_move(), ply: history.ply() });
        self.depends_on() != before
    }

    #[inline]
    fn position(&self, position: &Position) -> f32 {
        let threats = if self.counts_attacks() { Threats::Counted } else { Threats::Ignored };
        let (own, other) = Measures::of(position, self.centre, threats);
        let turn = position.side_to_move();
        let lost = (position.lost(turn), position.lost(!turn));
        if self.standpoint.is_none_or(|standpoint| standpoint.player == turn) {
            self.weigh(&own, &other, lost)
        } else {
            -self.weigh(&other, &own, (lost.1, lost.0))
        }
    }

    #[inline]
    fn afterstate(&self, afterstate: &Settled<Position>) -> f32 {
        -self.position(&afterstate.0)
    }
}
