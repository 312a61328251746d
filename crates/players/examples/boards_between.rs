//! Boards to learn a part of the game from: plays games with an agent and prints what comes between two tile sums, one board for
//! each `EVERY` of the sum: `boards_between SPEC SEED GAMES FROM TO EVERY`. `reshaped_boards` makes other boards of them.

use std::error::Error;

use afterstate_game::{Afterstate, Dice, Position, derive_seed};
use afterstate_players::build;
use afterstate_twenty48::State;

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
            let sum = u64::from(state.0.sum());
            if sum >= next && sum < to && state.outcome().is_none() {
                println!("{}", state.0);
            }
            while next <= sum {
                next += every.max(1);
            }
        }
    }
    Ok(())
}

const USAGE: &str = "usage: boards_between SPEC SEED GAMES FROM TO EVERY";
