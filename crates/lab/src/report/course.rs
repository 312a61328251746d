//! The course of a recorded game: its positions, and a value that changes over them.

use afterstate_abalone::text::apgn;
use afterstate_abalone::{Move, Position as Abalone};
use afterstate_game::{Player, Position as _, Side};
use afterstate_players::{Playable, build, device_failure};
use afterstate_twenty48::{Record, Records};

use super::draw::Point;
use crate::LabError;
use crate::series::check_device;

/// The most points of a course: more cannot be told apart on a page.
pub(super) const POINTS: usize = 240;

/// The positions of a game of Abalone and the moves between them; `None` if the record is not one.
pub(super) fn abalone(record: &str) -> Option<(Abalone, Vec<(Move, Abalone)>)> {
    let game = apgn::Reader::new(record.as_bytes()).next()?.ok()?;
    let mut plies = Vec::new();
    let mut position = game.start;
    for mv in game.moves {
        position = position.play(mv).ok()?.afterstate.0;
        plies.push((mv, position));
    }
    Some((game.start, plies))
}

/// A game of 2048; `None` if the record is not one.
fn twenty48(record: &str) -> Option<Record> {
    Records::new(record.as_bytes()).next()?.ok()
}

/// The score over the moves of a game of 2048, or the value that `judge` gives to its positions.
pub(super) fn of_solo(record: &str, game: u64, judge: Option<&str>) -> Result<Vec<Point>, LabError> {
    let Some(played) = twenty48(record) else { return Ok(Vec::new()) };
    let length = played.plies().len();
    if let Some(judge) = judge {
        let states: Vec<_> = played.steps().map(|step| step.state).collect();
        return judged(&states, game, judge);
    }
    let mut score = 0.0;
    let heights = played.steps().map(|step| {
        score += f64::from(step.reward);
        score
    });
    Ok(thinned(std::iter::once(0.0).chain(heights), length))
}

/// Black's lead in marbles over the half-moves of a game of Abalone, or the value that `judge` gives to its positions.
pub(super) fn of_duel(record: &str, game: u64, judge: Option<&str>) -> Result<Vec<Point>, LabError> {
    let Some((start, plies)) = abalone(record) else { return Ok(Vec::new()) };
    let positions: Vec<Abalone> = std::iter::once(start).chain(plies.into_iter().map(|(_, after)| after)).collect();
    if let Some(judge) = judge {
        return judged(&positions, game, judge);
    }
    let lead = |position: &Abalone| f64::from(position.lost(Side::Second)) - f64::from(position.lost(Side::First));
    Ok(thinned(positions.iter().map(lead), positions.len()))
}

/// The value of every position that is not final, from the first side's point of view.
fn judged<P: Playable>(positions: &[P], game: u64, name: &str) -> Result<Vec<Point>, LabError> {
    let mut judge: Box<dyn Player<P>> = build(name)?;
    judge.start_game(0);
    let every = positions.len().div_ceil(POINTS).max(1);
    let mut points = Vec::new();
    for (ply, position) in positions.iter().enumerate().step_by(every) {
        let Ok(decision) = judge.decide_position(position) else { continue };
        let Some(value) = decision.moves.first().and_then(|best| best.value) else { continue };
        let sign = if position.side_to_move() == Side::First { 1.0 } else { -1.0 };
        points.push(Point { x: ply as f64, y: sign * value, interval: None });
    }
    check_device(device_failure(), game, || format!("the judge {name}"))?;
    Ok(points)
}

/// Every n-th value, so that there are not too many of them; the last one always.
fn thinned(heights: impl Iterator<Item = f64>, length: usize) -> Vec<Point> {
    let every = length.div_ceil(POINTS).max(1);
    let kept = heights.enumerate().filter(|(number, _)| number % every == 0 || *number == length);
    kept.map(|(number, y)| Point { x: number as f64, y, interval: None }).collect()
}
