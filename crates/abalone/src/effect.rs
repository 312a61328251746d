//! What each move changes, worked out in advance.

use afterstate_game::Side;

use crate::{Cell, Cells, Move, zobrist};

/// The cells that change hands with a move, as masks to be flipped, and the change of the key for either mover.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Effect {
    pub(crate) mover: Cells,
    pub(crate) opponent: Cells,
    /// By the side that moves, the change of turn included.
    pub(crate) keys: [u64; 2],
}

/// The effect of every move by its code: 158 KiB, of which a search at any time uses a little. Playing every line of
/// perft is 1.5 times as fast as when each move works out its changes.
static EFFECTS: [Effect; Move::CODES] = {
    let mut effects = [Effect { mover: Cells::EMPTY, opponent: Cells::EMPTY, keys: [0; 2] }; Move::CODES];
    let mut code = 0;
    while code < Move::CODES {
        if let Some(mv) = Move::from_code(code) {
            effects[code] = Effect::new(mv);
        }
        code += 1;
    }
    effects
};

impl Effect {
    #[inline(always)]
    pub(crate) fn of(mv: Move) -> &'static Self {
        &EFFECTS[mv.code()]
    }

    /// Off the board the ring of indices goes on: a move that no position allows gets an effect that means nothing.
    const fn new(mv: Move) -> Self {
        let shape = mv.shape();
        let cell = mv.cell();
        let last = cell.stepped(shape.line, shape.count - 1);
        let mut mover = 0;
        let mut opponent = 0;
        if shape.broadside {
            let mut marble = cell;
            let mut i = 0;
            while i < shape.count {
                mover |= bit(marble) | bit(marble.stepped(shape.direction, 1));
                marble = marble.stepped(shape.line, 1);
                i += 1;
            }
        } else {
            // Along the line only its ends change: the rearmost marble seems to jump to the front.
            mover = bit(last) | bit(cell.stepped(shape.direction, 1));
        }
        if shape.pushed > 0 {
            opponent = bit(cell.stepped(shape.direction, 1));
            if !shape.ejects {
                opponent |= bit(cell.stepped(shape.direction, 1 + shape.pushed));
            }
        }
        let (mover, opponent) = (Cells::from_bits(mover), Cells::from_bits(opponent));
        Self {
            mover,
            opponent,
            keys: [
                zobrist::TURN ^ zobrist::sum(Side::First, mover) ^ zobrist::sum(Side::Second, opponent),
                zobrist::TURN ^ zobrist::sum(Side::Second, mover) ^ zobrist::sum(Side::First, opponent),
            ],
        }
    }
}

const fn bit(cell: Cell) -> u64 {
    Cells::of(cell).bits()
}
