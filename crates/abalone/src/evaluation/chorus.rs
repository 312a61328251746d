//! The evaluation of Chorus's thesis (Maastricht 2009), as far as Hauff's thesis describes it for its comparison.

use afterstate_game::{Evaluation, Position as _, Settled};

use super::{Centre, Measures, Threats, Weights};
use crate::{MARBLES, Position};

/// The older evaluation, for comparison: sums that are not divided by the number of marbles, attacks simply counted
/// from the first half-move on, no broken formations.
///
/// Hauff's thesis gives no weights for it. The defaults are those of table 3.1, the two sums divided by fourteen: with
/// all marbles on the board a step towards the centre or a neighbour is worth the same in both evaluations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chorus {
    /// Per marble.
    pub marbles: f32,
    /// Per step of one marble towards the centre.
    pub centre: f32,
    /// Per neighbour of the same colour.
    pub compactness: f32,
    /// Per attack.
    pub attack: f32,
}

impl Default for Chorus {
    fn default() -> Self {
        let Weights { marbles, centre, compactness, attack, .. } = Weights::PUBLISHED;
        let all = f32::from(MARBLES);
        Self { marbles, centre: centre / all, compactness: compactness / all, attack }
    }
}

impl Evaluation<Position> for Chorus {
    #[inline]
    fn position(&self, position: &Position) -> f32 {
        let (own, other) = Measures::of(position, Centre::Board, Threats::Counted);
        let turn = position.side_to_move();
        let marbles = f32::from(position.lost(!turn)) - f32::from(position.lost(turn));
        self.marbles * marbles
            + self.centre * (own.centre - other.centre) as f32
            + self.compactness * (own.compactness - other.compactness) as f32
            + self.attack * (own.attacks.count() - other.attacks.count()) as f32
    }

    #[inline]
    fn afterstate(&self, afterstate: &Settled<Position>) -> f32 {
        -self.position(&afterstate.0)
    }
}
