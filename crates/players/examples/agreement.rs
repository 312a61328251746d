//! How often two agents of 2048 choose the same slide: `agreement SEED POSITIONS SPEC OTHER`. The first one plays games until
//! it has seen so many positions, and the other is asked about each of them.

use std::error::Error;

use afterstate_game::{Afterstate, Decision, Dice, Position, derive_seed};
use afterstate_players::build;
use afterstate_twenty48::{Direction, State};

/// What was found.
#[derive(Default)]
struct Found {
    games: u64,
    positions: u64,
    same: u64,
    /// What the other slides are worth less than the first agent's, as it sees them.
    less: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, positions, first, other] = &arguments[..] else {
        return Err("usage: agreement SEED POSITIONS SPEC OTHER".into());
    };
    let (seed, positions): (u64, u64) = (seed.parse()?, positions.parse()?);
    let (mut player, mut asked) = (build::<State>(first)?, build::<State>(other)?);
    let mut found = Found::default();
    while found.positions < positions {
        // The seeds of the laboratory, so that these are the games of `afterstate play 2048 --seed SEED`.
        let seed = derive_seed(seed, &[0, found.games]);
        let chance = |n: u64| Dice::seeded(derive_seed(seed, &[0, n]));
        player.start_game(derive_seed(seed, &[1, 0]));
        asked.start_game(derive_seed(seed, &[1, 0]));
        let (mut state, mut moves) = (State::start(&mut chance(0)), 0);
        while state.outcome().is_none() && found.positions < positions {
            let decision = player.decide_position(&state)?;
            found.count(&decision, asked.decide_position(&state)?.best);
            moves += 1;
            state = state.play(decision.best)?.afterstate.draw(&mut chance(moves));
        }
        found.games += 1;
    }
    found.print();
    Ok(())
}

impl Found {
    fn count(&mut self, decision: &Decision<Direction>, other: Direction) {
        self.positions += 1;
        if other == decision.best {
            self.same += 1;
            return;
        }
        let value = |slide| decision.moves.iter().find(|it| it.mv == slide).and_then(|it| it.value);
        self.less.extend(value(decision.best).zip(value(other)).map(|(best, other)| best - other));
    }

    fn print(&self) {
        let (count, share) = (self.positions as f64, self.same as f64 / self.positions as f64);
        println!(
            "{} of {} positions of {} games: {:.2}% +- {:.2}%",
            self.same,
            self.positions,
            self.games,
            100.0 * share,
            196.0 * (share * (1.0 - share) / count).sqrt(),
        );
        let (most, sum) = self.less.iter().fold((0.0, 0.0), |(most, sum), &less| (less.max(most), sum + less));
        println!(
            "another slide is worth {:.1} less in the mean, {most:.1} at most",
            sum / self.less.len().max(1) as f64
        );
    }
}
