//! A judgement of noughts and crosses, and all of its positions.

use afterstate_game::{Afterstate as _, Evaluation, Position as _, Settled};

use crate::toys::tictactoe::{Board, LINES};

const CENTRE: u16 = 1 << 4;

/// Lines that are still open for a side and not for the other, and a bonus for the centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenLines;

impl Evaluation<Board> for OpenLines {
    fn position(&self, board: &Board) -> f32 {
        let open = |marks: u16| LINES.iter().filter(|&&line| marks & line == 0).count() as f32;
        let centre = |marks: u16| if marks & CENTRE != 0 { 0.4 } else { 0.0 };
        let (own, other) = (board.own(), board.other());
        open(other) - open(own) + centre(own) - centre(other)
    }

    fn afterstate(&self, afterstate: &Settled<Board>) -> f32 {
        -self.position(&afterstate.0)
    }
}

/// Every position that can be reached, once.
pub(crate) fn reachable() -> Vec<Board> {
    let mut boards = vec![Board::EMPTY];
    let mut next = 0;
    while next < boards.len() {
        let board = boards[next].clone();
        board.for_each_move(|mv| {
            board.play_unchecked(mv).afterstate.for_each_answer(|child, _| {
                if !boards.contains(&child) {
                    boards.push(child);
                }
            });
        });
        next += 1;
    }
    boards
}
