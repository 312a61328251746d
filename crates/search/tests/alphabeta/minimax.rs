//! Plain minimax, written for nothing but to be obviously right.

use afterstate_game::{Evaluation, History, Position, Settled, Tactics};
use afterstate_search::alphabeta::Quiescence;

/// What the search counts in: 16 points a unit, a win being 16 million less its distance.
const POINTS: f32 = 16.0;

/// A value of a decision in points.
pub(crate) fn in_points(value: f64) -> i64 {
    (value * f64::from(POINTS)).round() as i64
}

/// The value of a game in progress in points, `depth` half-moves deep, for the side to move.
pub(crate) fn minimax<P: Tactics<Afterstate = Settled<P>>>(
    history: &History<P>,
    depth: u32,
    evaluation: &impl Evaluation<P>,
    quiescence: Quiescence,
) -> i64 {
    let values = minimax_of_moves(history, depth, evaluation, quiescence);
    values.into_iter().map(|(_, value)| value).max().unwrap_or(0)
}

/// The value of each of its moves.
pub(crate) fn minimax_of_moves<P: Tactics<Afterstate = Settled<P>>>(
    history: &History<P>,
    depth: u32,
    evaluation: &impl Evaluation<P>,
    quiescence: Quiescence,
) -> Vec<(P::Move, i64)> {
    let minimax = Minimax { evaluation, quiescence };
    let loud = loud_moves(history.position());
    let value = |mv| (mv, -minimax.value(&after(history, mv), depth - 1, 1, loud.contains(&mv)));
    history.position().moves().into_iter().map(value).collect()
}

struct Minimax<'a, E> {
    evaluation: &'a E,
    quiescence: Quiescence,
}

impl<E> Minimax<'_, E> {
    fn value<P: Tactics<Afterstate = Settled<P>>>(
        &self,
        history: &History<P>,
        depth: u32,
        ply: i64,
        after_loud: bool,
    ) -> i64
    where
        E: Evaluation<P>,
    {
        let position = history.position();
        if let Some(outcome) = history.outcome() {
            return i64::from(outcome.sign_for(position.side_to_move())) * (16_000_000 - ply);
        }
        let (mut best, moves) = if depth > 0 {
            (i64::MIN, position.moves())
        } else {
            let is_followed = match self.quiescence {
                Quiescence::Off => false,
                Quiescence::AfterLoud => after_loud,
                Quiescence::Always => true,
            };
            let judged = (self.evaluation.position(position) * POINTS).round() as i64;
            (judged, if is_followed { loud_moves(position) } else { Vec::new() })
        };
        let loud = loud_moves(position);
        for mv in moves {
            let is_loud = loud.contains(&mv);
            best = best.max(-self.value(&after(history, mv), depth.saturating_sub(1), ply + 1, is_loud));
        }
        best
    }
}

/// The game continued by a move.
pub(crate) fn after<P: Position<Afterstate = Settled<P>>>(history: &History<P>, mv: P::Move) -> History<P> {
    let mut next = history.clone();
    next.push(mv, history.position().play_unchecked(mv).afterstate.0);
    next
}

fn loud_moves<P: Tactics>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.for_each_loud_move(|mv| moves.push(mv));
    moves
}

#[test]
fn the_reference_knows_that_noughts_and_crosses_is_drawn() {
    use crate::toys::tictactoe::Board;
    use crate::toys::tictactoe::OpenLines;
    let history = History::new(Board::EMPTY);
    assert_eq!(minimax(&history, 9, &OpenLines, Quiescence::Off), 0);
}
