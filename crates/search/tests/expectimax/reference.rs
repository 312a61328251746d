//! Expectimax as each of the seeds writes it down: plain recursion with its own way of counting depth, no table, no
//! short cut. A node's value is an `f32`, and means are taken in `f64`, as in the search.

use afterstate_game::{Afterstate, Evaluation, Played, Position};

/// The mean over all answers of chance; `value` is given the probability too.
fn mean<A: Afterstate>(afterstate: &A, mut value: impl FnMut(&A::Position, f32) -> f32) -> f32 {
    let mut mean = 0.0;
    afterstate.for_each_answer(|position, probability| {
        mean += f64::from(probability) * f64::from(value(&position, probability));
    });
    mean as f32
}

/// The mean over the likeliest answers alone.
fn mean_of_likeliest<A: Afterstate>(afterstate: &A, mut value: impl FnMut(&A::Position) -> f32) -> f32 {
    let mut answers = Vec::new();
    afterstate.for_each_answer(|position, probability| answers.push((position, probability)));
    let highest = answers.iter().map(|&(_, probability)| probability).fold(0.0, f32::max);
    answers.retain(|&(_, probability)| probability == highest);
    let total: f32 = answers.iter().map(|&(_, probability)| probability).sum();
    answers.iter().map(|(position, p)| f64::from(p / total) * f64::from(value(position))).sum::<f64>() as f32
}

fn reward<P: Position, E: Evaluation<P>>(_: &E, played: &Played<P>) -> f32 {
    if E::COUNTS_REWARDS { played.reward as f32 } else { 0.0 }
}

/// The value of every legal move, where `value` judges the afterstate.
fn moves<P: Position, E: Evaluation<P>>(
    evaluation: &E,
    position: &P,
    mut value: impl FnMut(&P::Afterstate) -> f32,
) -> Vec<(P::Move, f32)> {
    let judge = |mv| {
        let played = position.play_unchecked(mv);
        (mv, value(&played.afterstate) + reward(evaluation, &played))
    };
    position.moves().into_iter().map(judge).collect()
}

fn highest<M>(values: Vec<(M, f32)>) -> Option<f32> {
    values.into_iter().map(|(_, value)| value).reduce(f32::max)
}

/// `maqsood`, algorithm 4: the root's move is free, a dead position is worth -10000 even where the depth ends.
pub(crate) mod maqsood {
    use super::*;

    pub(crate) fn root<P: Position, E: Evaluation<P>>(e: &E, position: &P, depth: u32) -> Vec<(P::Move, f32)> {
        moves(e, position, |afterstate| chance(e, afterstate, depth))
    }

    fn chance<P: Position, E: Evaluation<P>>(e: &E, afterstate: &P::Afterstate, depth: u32) -> f32 {
        if depth == 0 {
            return e.afterstate(afterstate);
        }
        mean(afterstate, |position, _| max(e, position, depth - 1))
    }

    fn max<P: Position, E: Evaluation<P>>(e: &E, position: &P, depth: u32) -> f32 {
        if position.outcome().is_some() {
            return -10_000.0;
        }
        if depth == 0 {
            return e.position(position);
        }
        highest(moves(e, position, |afterstate| chance(e, afterstate, depth - 1)))
            .expect("a living position has a move")
    }
}

/// `zhaw`: every half-move costs one, depth 0 evaluates whatever is there, the maximum starts at 0.
pub(crate) mod zhaw {
    use super::*;

    pub(crate) fn root<P: Position, E: Evaluation<P>>(e: &E, position: &P, depth: u32) -> Vec<(P::Move, f32)> {
        moves(e, position, |afterstate| chance(e, afterstate, depth - 1))
    }

    fn chance<P: Position, E: Evaluation<P>>(e: &E, afterstate: &P::Afterstate, depth: u32) -> f32 {
        if depth == 0 {
            return e.afterstate(afterstate);
        }
        mean(afterstate, |position, _| max(e, position, depth - 1))
    }

    fn max<P: Position, E: Evaluation<P>>(e: &E, position: &P, depth: u32) -> f32 {
        if depth == 0 {
            return e.position(position);
        }
        highest(moves(e, position, |afterstate| chance(e, afterstate, depth - 1))).unwrap_or(0.0).max(0.0)
    }
}

/// `dietenberger`, algorithm 1, without its sampling: the evaluation judges dead positions too.
pub(crate) mod dietenberger {
    use super::*;

    pub(crate) fn root<P: Position, E: Evaluation<P>>(e: &E, position: &P, depth: u32) -> Vec<(P::Move, f32)> {
        moves(e, position, |afterstate| chance(e, afterstate, depth - 1))
    }

    fn chance<P: Position, E: Evaluation<P>>(e: &E, afterstate: &P::Afterstate, depth: u32) -> f32 {
        if depth == 0 {
            return e.afterstate(afterstate);
        }
        mean(afterstate, |position, _| max(e, position, depth - 1))
    }

    fn max<P: Position, E: Evaluation<P>>(e: &E, position: &P, depth: u32) -> f32 {
        if depth == 0 || position.outcome().is_some() {
            return e.position(position);
        }
        highest(moves(e, position, |afterstate| chance(e, afterstate, depth - 1)))
            .expect("a living position has a move")
    }
}

/// `jordal`, without its choice of four cells: a level is a move and an answer, only the likeliest answers, dead is 0.
pub(crate) mod jordal {
    use super::*;

    pub(crate) fn root<P: Position, E: Evaluation<P>>(e: &E, position: &P, level: u32) -> Vec<(P::Move, f32)> {
        moves(e, position, |afterstate| average(e, afterstate, level))
    }

    fn average<P: Position, E: Evaluation<P>>(e: &E, afterstate: &P::Afterstate, level: u32) -> f32 {
        mean_of_likeliest(afterstate, |position| match level {
            1 => e.position(position),
            _ => max(e, position, level - 1),
        })
    }

    fn max<P: Position, E: Evaluation<P>>(e: &E, position: &P, level: u32) -> f32 {
        highest(moves(e, position, |afterstate| average(e, afterstate, level))).unwrap_or(0.0)
    }
}

/// `xiao`, without its table: depth in moves made so far, unlikely branches are cut, the maximum starts at 0.
pub(crate) mod xiao {
    use super::*;

    pub(crate) const CUTOFF: f32 = 0.0001;

    pub(crate) fn root<P: Position, E: Evaluation<P>>(e: &E, position: &P, limit: u32) -> Vec<(P::Move, f32)> {
        moves(e, position, |afterstate| chance(e, afterstate, 0, limit, 1.0))
    }

    fn chance<P: Position, E: Evaluation<P>>(
        e: &E,
        afterstate: &P::Afterstate,
        made: u32,
        limit: u32,
        reach: f32,
    ) -> f32 {
        if reach < CUTOFF || made >= limit {
            return e.afterstate(afterstate);
        }
        mean(afterstate, |position, probability| max(e, position, made + 1, limit, reach * probability))
    }

    fn max<P: Position, E: Evaluation<P>>(e: &E, position: &P, made: u32, limit: u32, reach: f32) -> f32 {
        highest(moves(e, position, |afterstate| chance(e, afterstate, made, limit, reach))).unwrap_or(0.0).max(0.0)
    }
}
