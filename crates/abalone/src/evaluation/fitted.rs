//! An evaluation whose weights were learned from games.

use afterstate_game::{Evaluation, Position as _, Settled, Side};

use super::measures::{distances, len, mean_cell};
use crate::direction::each_direction;
use crate::generate::Board;
use crate::{Cells, LOST_TO_LOSE, Position, machine};

/// What each feature of a position is worth; a marble is worth about 1000.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedWeights {
    /// By how many marbles are lost.
    pub lost: [f32; LOST_TO_LOSE as usize],
    /// Per marble, by its distance from the middle of the board.
    pub rings: [f32; 5],
    /// Per step of a marble from the mean place of all marbles.
    pub distance: f32,
    /// Per two marbles side by side.
    pub pairs: f32,
    /// Per three marbles in a line.
    pub triples: f32,
    /// Per marble with six neighbours of its colour.
    pub enclosed: f32,
    /// Per marble without a neighbour of its colour.
    pub lonely: f32,
    /// Per marble and line in which it stands between two of the opponent's.
    pub breaking: f32,
    /// Per marble at the edge of the board that touches one of the opponent's.
    pub touched_at_edge: f32,
    /// Per marble one step from the edge that touches one of the opponent's.
    pub touched_near_edge: f32,
    /// Per other marble that touches one of the opponent's.
    pub touched_inside: f32,
    /// Per marble of the side to move that could push something, staying on the board.
    pub pushing: f32,
    /// The same for the opponent's marbles, who must wait.
    pub pushing_next: f32,
    /// Per marble of the side to move that could push something off the board.
    pub ejecting: f32,
    /// The same for the opponent's marbles.
    pub ejecting_next: f32,
    /// For being on the move.
    pub tempo: f32,
}

/// A weighted sum of counts. Where [`super::Hauff`] was weighed by hand, these weights are the logistic regression of
/// who won on what was on the board, over the positions of games of the program against itself.
///
/// The mean place of the marbles is rounded to a cell, so that a position and its mirror image may differ by some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The weight of each feature.
    pub weights: FittedWeights,
}

impl FittedWeights {
    /// Fitted to 191,016 positions of 1600 games between equal players at 1500 and 2000 nodes a move, from eight layouts
    /// and eight random half-moves; the mean squared error of the predicted results is 0.1417. At 4000 nodes a move they
    /// score 88.5% (+354 Elo, 95% interval 277 to 473) against the weights of [`super::Hauff`] in the same search, over
    /// 100 games.
    pub const SELF_PLAY: Self = Self {
        lost: [0.0, -923.2, -1777.6, -2810.7, -4000.1, -5191.7],
        rings: [136.9, 164.8, 89.1, 41.4, 0.0],
        distance: -34.9,
        pairs: 19.8,
        triples: 27.3,
        enclosed: -77.4,
        lonely: 50.7,
        breaking: 3.3,
        touched_at_edge: -12.5,
        touched_near_edge: 50.6,
        touched_inside: 138.6,
        pushing: 82.5,
        pushing_next: 56.2,
        ejecting: 378.2,
        ejecting_next: 266.6,
        tempo: 65.7,
    };
}

impl Default for Fitted {
    fn default() -> Self {
        Self { weights: FittedWeights::SELF_PLAY }
    }
}

/// What is counted for one side.
struct Shape {
    rings: [i32; 5],
    distance: i32,
    pairs: i32,
    triples: i32,
    enclosed: i32,
    lonely: i32,
    breaking: i32,
    touched: [i32; 3],
    pushing: i32,
    ejecting: i32,
}

const RINGS: [Cells; 5] = [Cells::ring(0), Cells::ring(1), Cells::ring(2), Cells::ring(3), Cells::ring(4)];

impl Shape {
    #[inline(always)]
    fn of(board: Board, centre: crate::Cell) -> Self {
        let Board { own, other } = board;
        let steps = each_direction!(|direction| own.step(direction));
        let other_steps = each_direction!(|direction| other.step(direction));
        let touched = own & any(other_steps);
        let lines = [0, 1, 2].map(|line| own & steps[line]);
        let threats = each_direction!(|direction| board.threats(direction));
        let [east, north_east, north_west, ..] = each_direction!(|direction| own.step(direction).step(direction));
        Self {
            rings: RINGS.map(|ring| len(own & ring)),
            distance: distances(own, centre),
            pairs: lines.map(len).iter().sum(),
            triples: len(lines[0] & east) + len(lines[1] & north_east) + len(lines[2] & north_west),
            enclosed: len(own & steps[0] & steps[1] & steps[2] & steps[3] & steps[4] & steps[5]),
            lonely: len(own & !any(steps)),
            breaking: [0, 1, 2].map(|line| len(own & other_steps[line] & other_steps[line + 3])).iter().sum(),
            touched: [
                len(touched & RINGS[4]),
                len(touched & RINGS[3]),
                len(touched & (RINGS[0] | RINGS[1] | RINGS[2])),
            ],
            pushing: len(any(threats.map(|threat| threat.one | threat.two))),
            ejecting: len(any(threats.map(|threat| threat.ejections))),
        }
    }

    /// The worth of the side's shape, apart from its threats.
    #[inline(always)]
    fn worth(&self, weights: &FittedWeights) -> f32 {
        let rings: f32 = (0..5).map(|ring| weights.rings[ring] * self.rings[ring] as f32).sum();
        rings
            + weights.distance * self.distance as f32
            + weights.pairs * self.pairs as f32
            + weights.triples * self.triples as f32
            + weights.enclosed * self.enclosed as f32
            + weights.lonely * self.lonely as f32
            + weights.breaking * self.breaking as f32
            + weights.touched_at_edge * self.touched[0] as f32
            + weights.touched_near_edge * self.touched[1] as f32
            + weights.touched_inside * self.touched[2] as f32
    }
}

#[inline(always)]
fn any(sets: [Cells; 6]) -> Cells {
    sets[0] | sets[1] | sets[2] | sets[3] | sets[4] | sets[5]
}

impl Evaluation<Position> for Fitted {
    #[inline]
    fn position(&self, position: &Position) -> f32 {
        let board = position.board();
        let (own, other) = machine::with_bit_counting(
            #[inline(always)]
            || {
                let centre = mean_cell(board.own | board.other);
                let opposite = Board { own: board.other, other: board.own };
                (Shape::of(board, centre), Shape::of(opposite, centre))
            },
        );
        let weights = &self.weights;
        let lost = |side: Side| weights.lost[usize::from(position.lost(side).min(LOST_TO_LOSE - 1))];
        let turn = position.side_to_move();
        lost(turn) - lost(!turn) + own.worth(weights) - other.worth(weights) + weights.pushing * own.pushing as f32
            - weights.pushing_next * other.pushing as f32
            + weights.ejecting * own.ejecting as f32
            - weights.ejecting_next * other.ejecting as f32
            + weights.tempo
    }

    #[inline]
    fn afterstate(&self, afterstate: &Settled<Position>) -> f32 {
        -self.position(&afterstate.0)
    }
}
