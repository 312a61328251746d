//! The fitted evaluation counts what it says, cell by cell.

use std::collections::BTreeSet;

use afterstate_abalone::evaluation::{Fitted, FittedWeights};
use afterstate_abalone::{Cell, Direction, Position};
use afterstate_game::{Evaluation as _, Position as _, Settled, Side, Tactics as _};
use proptest::prelude::*;

use crate::common::reachable;

fn marbles(position: &Position, side: Side) -> BTreeSet<Cell> {
    Cell::all().filter(|&cell| position.marbles(side).contains(cell)).collect()
}

/// The cell whose row and column are the means of those of all marbles, rounded (halves upwards).
fn mean_cell(position: &Position) -> Cell {
    let all: Vec<Cell> = Side::BOTH.iter().flat_map(|&side| marbles(position, side)).collect();
    let mean = |number: fn(Cell) -> u8| {
        let sum: f64 = all.iter().map(|&cell| f64::from(number(cell))).sum();
        (sum / all.len() as f64 + 0.5).floor() as u8
    };
    Cell::new(mean(Cell::row), mean(Cell::column)).unwrap_or(Cell::CENTRE)
}

fn plain_shape(position: &Position, side: Side, weights: &FittedWeights) -> f64 {
    let (own, other) = (marbles(position, side), marbles(position, !side));
    let has = |set: &BTreeSet<Cell>, cell: Option<Cell>| cell.is_some_and(|cell| set.contains(&cell));
    let mut worth = f64::from(weights.lost[usize::from(position.lost(side).min(5))]);
    for &cell in &own {
        let ring = cell.distance(Cell::CENTRE);
        let neighbours = Direction::ALL.iter().filter(|&&d| has(&own, cell.neighbour(d))).count();
        let is_touched = Direction::ALL.iter().any(|&d| has(&other, cell.neighbour(d)));
        worth += f64::from(weights.rings[usize::from(ring)]);
        worth += f64::from(weights.distance) * f64::from(cell.distance(mean_cell(position)));
        worth += if neighbours == 6 { f64::from(weights.enclosed) } else { 0.0 };
        worth += if neighbours == 0 { f64::from(weights.lonely) } else { 0.0 };
        worth += match (is_touched, ring) {
            (false, _) => 0.0,
            (true, 4) => f64::from(weights.touched_at_edge),
            (true, 3) => f64::from(weights.touched_near_edge),
            (true, _) => f64::from(weights.touched_inside),
        };
        for direction in [Direction::East, Direction::NorthEast, Direction::NorthWest] {
            let next = cell.neighbour(direction);
            let after_next = next.and_then(|next| next.neighbour(direction));
            let before = cell.neighbour(direction.opposite());
            worth += if has(&own, next) { f64::from(weights.pairs) } else { 0.0 };
            worth += if has(&own, next) && has(&own, after_next) { f64::from(weights.triples) } else { 0.0 };
            worth += if has(&other, next) && has(&other, before) { f64::from(weights.breaking) } else { 0.0 };
        }
    }
    worth
}

/// The foremost marbles of the pushes of the side to move: those that stay on the board, and those that do not.
fn heads(position: &Position) -> (usize, usize) {
    let mut pushing = BTreeSet::new();
    let mut ejecting = BTreeSet::new();
    for mv in position.moves().into_iter().filter(|mv| mv.pushed() > 0) {
        let set = if mv.ejects() { &mut ejecting } else { &mut pushing };
        let in_front = |cell: &Cell| cell.neighbour(mv.direction()).is_none_or(|next| !mv.marbles().contains(next));
        set.extend(Cell::all().filter(|&cell| mv.marbles().contains(cell)).find(in_front));
    }
    (pushing.len(), ejecting.len())
}

fn plain_value(position: &Position, weights: &FittedWeights) -> f64 {
    let turn = position.side_to_move();
    let (pushing, ejecting) = heads(position);
    let (pushing_next, ejecting_next) = position.pass().map_or((0, 0), |passed| heads(&passed));
    plain_shape(position, turn, weights) - plain_shape(position, !turn, weights)
        + f64::from(weights.pushing) * pushing as f64
        + f64::from(weights.ejecting) * ejecting as f64
        - f64::from(weights.pushing_next) * pushing_next as f64
        - f64::from(weights.ejecting_next) * ejecting_next as f64
        + f64::from(weights.tempo)
}

proptest! {
    #[test]
    fn the_value_is_the_sum_of_what_is_counted_cell_by_cell(position in reachable()) {
        prop_assume!(position.outcome().is_none());
        let fitted = Fitted::default();
        let value = f64::from(fitted.position(&position));
        let expected = plain_value(&position, &fitted.weights);
        prop_assert!((value - expected).abs() < 0.05, "{value} instead of {expected}");
        prop_assert_eq!(fitted.afterstate(&Settled(position)), -fitted.position(&position));
    }
}
