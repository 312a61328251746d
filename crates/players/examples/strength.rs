//! Plays games of 2048 with several agents that meet the same chance, and prints what each game and move cost in CPU time:
//! `strength SEED FIRST GAMES SPEC...`. On a busy machine the wall clock says nothing; CPU time does.

use std::error::Error;
use std::io::Write;

use afterstate_game::{Afterstate, Dice, Player, Position, derive_seed};
use afterstate_players::build;
use afterstate_twenty48::{Board, State, Tile};
use cpu_time::ThreadTime;

/// What a game came to.
struct Game {
    points: u64,
    moves: u32,
    largest: u32,
    milliseconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, first, games, specs @ ..] = &arguments[..] else {
        return Err("usage: strength SEED FIRST GAMES SPEC...".into());
    };
    let (seed, first, games): (u64, u64, u64) = (seed.parse()?, first.parse()?, games.parse()?);
    let mut players = specs.iter().map(|spec| build::<State>(spec)).collect::<Result<Vec<_>, _>>()?;
    println!("game,agent,points,largest,moves,cpu_ms_per_move");
    let mut results: Vec<Vec<Game>> = specs.iter().map(|_| Vec::new()).collect();
    for number in first..first + games {
        // The seeds of the laboratory, so that these are the games of `afterstate play 2048 --seed SEED`.
        let seed = derive_seed(seed, &[0, number]);
        for (agent, player) in players.iter_mut().enumerate() {
            let game = play(player.as_mut(), seed)?;
            let mean = game.milliseconds / f64::from(game.moves.max(1));
            println!("{number},{agent},{},{},{},{mean:.4}", game.points, game.largest, game.moves);
            std::io::stdout().flush()?;
            results[agent].push(game);
        }
    }
    for (spec, games) in specs.iter().zip(&results) {
        summarise(spec, games);
    }
    Ok(())
}

fn play(player: &mut dyn Player<State>, seed: u64) -> Result<Game, Box<dyn Error>> {
    let chance = |n: u32| Dice::seeded(derive_seed(seed, &[0, u64::from(n)]));
    player.start_game(derive_seed(seed, &[1, 0]));
    let mut state = State::start(&mut chance(0));
    let (mut points, mut moves) = (0, 0);
    let started = ThreadTime::now();
    while state.outcome().is_none() {
        let decision = player.decide_position(&state)?;
        let played = state.play(decision.best)?;
        points += u64::from(played.reward);
        moves += 1;
        state = played.afterstate.draw(&mut chance(moves));
    }
    let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
    Ok(Game { points, moves, largest: largest(state.0), milliseconds })
}

fn largest(board: Board) -> u32 {
    board.max_tile().map_or(0, Tile::value)
}

fn summarise(spec: &str, games: &[Game]) {
    let count = games.len().max(1) as f64;
    let mean = games.iter().map(|game| game.points as f64).sum::<f64>() / count;
    let variance = games.iter().map(|game| (game.points as f64 - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let share = |tile: u32| 100.0 * games.iter().filter(|game| game.largest >= tile).count() as f64 / count;
    let moves: f64 = games.iter().map(|game| f64::from(game.moves)).sum();
    let time: f64 = games.iter().map(|game| game.milliseconds).sum();
    println!(
        "# {spec}: {} games, mean {mean:.0} +- {:.0}, 16384 {:.1}%, 32768 {:.1}%, 65536 {:.1}%, {:.4} ms/move",
        games.len(),
        1.96 * (variance / count).sqrt(),
        share(16384),
        share(32768),
        share(65536),
        time / moves.max(1.0),
    );
}
