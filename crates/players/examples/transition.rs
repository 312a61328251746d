//! Measures hard transitions alone: from boards on which large tiles are locked (one per line on standard input), plays with
//! several agents that meet the same chance until the next tile is built or the game is over:
//! `transition TARGET SEED REPEATS SPEC...`.

use std::error::Error;
use std::io::BufRead;

use afterstate_game::{Afterstate, Dice, Player, Position, derive_seed};
use afterstate_players::build;
use afterstate_twenty48::{Board, Cell, State, Tile};
use cpu_time::ThreadTime;

/// What an agent did from all boards.
#[derive(Default)]
struct Tally {
    built: Vec<bool>,
    moves: u64,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, seed, repeats, specs @ ..] = &arguments[..] else {
        return Err("usage: transition TARGET SEED REPEATS SPEC... < BOARDS".into());
    };
    let target = Tile::from_value(target.parse()?).ok_or("TARGET is no tile")?;
    let (seed, repeats): (u64, u64) = (seed.parse()?, repeats.parse()?);
    let mut players = specs.iter().map(|spec| build::<State>(spec)).collect::<Result<Vec<_>, _>>()?;
    let mut tallies: Vec<Tally> = specs.iter().map(|_| Tally::default()).collect();
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let board: Board = line?.trim().parse()?;
        for repeat in 0..repeats {
            let seed = derive_seed(seed, &[number as u64, repeat]);
            for (player, tally) in players.iter_mut().zip(&mut tallies) {
                let started = ThreadTime::now();
                let (built, moves) = play(player.as_mut(), State(board), target, seed)?;
                tally.seconds += started.elapsed().as_secs_f64();
                tally.moves += moves;
                tally.built.push(built);
            }
        }
    }
    for (spec, tally) in specs.iter().zip(&tallies) {
        let count = tally.built.len().max(1) as f64;
        let share = tally.built.iter().filter(|&&built| built).count() as f64 / count;
        let both = tally.built.iter().zip(&tallies[0].built);
        let (gained, lost) = both.fold((0, 0), |(gained, lost), (&here, &first)| {
            (gained + u32::from(here && !first), lost + u32::from(!here && first))
        });
        println!(
            "{spec}: {:.2}% +- {:.2} of {count} built; against the first agent {gained} gained, {lost} lost; {:.4} ms/move",
            100.0 * share,
            196.0 * (share * (1.0 - share) / count).sqrt(),
            1000.0 * tally.seconds / tally.moves.max(1) as f64,
        );
    }
    Ok(())
}

/// Plays until the tiles from the target on have grown by one target; whether that came before the end of the game.
fn play(player: &mut dyn Player<State>, start: State, target: Tile, seed: u64) -> Result<(bool, u64), Box<dyn Error>> {
    let goal = sum_from(start.0, target) + target.value();
    player.start_game(seed);
    let (mut state, mut moves) = (start, 0);
    while state.outcome().is_none() {
        if sum_from(state.0, target) >= goal {
            return Ok((true, moves));
        }
        let decision = player.decide_position(&state)?;
        moves += 1;
        state = state.play(decision.best)?.afterstate.draw(&mut Dice::seeded(derive_seed(seed, &[0, moves])));
    }
    Ok((sum_from(state.0, target) >= goal, moves))
}

fn sum_from(board: Board, target: Tile) -> u32 {
    Cell::all().filter_map(|cell| board.get(cell)).filter(|&tile| tile >= target).map(Tile::value).sum()
}
