//! Boards to learn late stages from: plays games with an agent and prints what comes between two tile sums, one board for each
//! `EVERY` of the sum, every tile doubled: `doubled_boards SPEC SEED GAMES FROM TO EVERY`. The sums are those of the doubled
//! boards. There the largest tiles lie in order, as they do not yet where games above 32768 come by themselves.

use std::error::Error;

use afterstate_game::{Afterstate, Dice, Position, derive_seed};
use afterstate_players::build;
use afterstate_twenty48::{Board, State};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [spec, numbers @ ..] = &arguments[..] else { return Err(USAGE.into()) };
    let numbers = numbers.iter().map(|text| text.parse()).collect::<Result<Vec<u64>, _>>()?;
    let [seed, games, from, to, every] = numbers[..] else { return Err(USAGE.into()) };
    let mut player = build::<State>(spec)?;
    for game in 0..games {
        let seed = derive_seed(seed, &[game]);
        player.start_game(seed);
        let mut dice = Dice::seeded(seed);
        let mut state = State::start(&mut dice);
        let mut next = from;
        while state.outcome().is_none() && next < to {
            let decision = player.decide_position(&state)?;
            state = state.play(decision.best)?.afterstate.draw(&mut dice);
            let sum = 2 * u64::from(state.0.sum());
            if let Some(board) = doubled(state.0).filter(|_| sum >= next && sum < to && state.outcome().is_none()) {
                println!("{board}");
            }
            while next <= sum {
                next += every.max(1);
            }
        }
    }
    Ok(())
}

const USAGE: &str = "usage: doubled_boards SPEC SEED GAMES FROM TO EVERY";

/// The board with every tile doubled, if no tile gets too large.
fn doubled(board: Board) -> Option<Board> {
    let exponents = board.exponents();
    let large = exponents.iter().any(|&exponent| exponent > 14);
    let doubled = |cells: u64, &exponent: &u8| cells << 4 | u64::from(exponent + u8::from(exponent > 0));
    (!large).then(|| Board::from_nibbles(exponents.iter().rev().fold(0, doubled)))
}
