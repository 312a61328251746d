//! `afterstate play`: many games with statistics, one game to watch, or a person at the board.

mod abalone;
mod human;
mod many;
mod watch;

use std::io::Write;

use afterstate_lab::{GameSeeds, SoloGame};
use afterstate_twenty48::State;

use crate::args::Play2048Args;
use crate::failure::Failure;
use crate::game::CliGame;
use crate::record::RecordFile;
use crate::{device, input, number};
use human::HumanGame;

pub(crate) use abalone::run as abalone;

/// Plays 2048 as the arguments say.
pub(crate) fn twenty48(out: &mut impl Write, args: &Play2048Args) -> Result<(), Failure> {
    if args.speed.is_nan() || args.speed <= 0.0 {
        return Err(Failure::input(format!("--speed {}: expected moves per second, more than 0", args.speed)));
    }
    if args.agent == "human" {
        play_yourself(out, args)
    } else if args.watch {
        watch_one(out, args)
    } else {
        many::run(out, args)
    }
}

fn start(args: &Play2048Args, seeds: GameSeeds) -> Result<State, Failure> {
    match &args.position {
        Some(text) => input::position(text),
        None => Ok(State::start(&mut seeds.chance(0))),
    }
}

fn play_yourself(out: &mut impl Write, args: &Play2048Args) -> Result<(), Failure> {
    if args.games.is_some() || args.json || args.threads.is_some() {
        return Err(Failure::input(
            "--games, --json and --threads are for agents: --agent human plays one game on the screen",
        ));
    }
    let seeds = GameSeeds::new(args.seed, 0, 0);
    let mut adviser = afterstate_players::build::<State>(&args.hint).map_err(Failure::input)?;
    let mut game = HumanGame::new(start(args, seeds)?, seeds);
    let mut record = RecordFile::open(args.record.as_deref())?;
    let played = game.run(adviser.as_mut());
    // While the board was on the screen there was no place to say it.
    device::tell_once();
    record.append(&game.record());
    record.finish()?;
    played?;
    writeln!(out, "score {} after {} moves", number::grouped(game.score().into()), game.moves())?;
    Ok(())
}

fn watch_one(out: &mut impl Write, args: &Play2048Args) -> Result<(), Failure> {
    let seeds = GameSeeds::new(args.seed, 0, 0);
    let mut player = afterstate_players::build::<State>(&args.agent).map_err(Failure::input)?;
    let start = start(args, seeds)?;
    let mut record = RecordFile::open(args.record.as_deref())?;
    let watched = watch::run(&args.agent, player.as_mut(), start, seeds, args.speed)?;
    record.append(&State::record(&watched.game, &args.agent, seeds));
    record.finish()?;
    let state = if watched.finished { "game over" } else { "left" };
    writeln!(out, "{}", watched.game.end().render())?;
    writeln!(out, "{state}: score {} after {} moves", number::grouped(watched.score.into()), watched.game.plies.len())?;
    Ok(())
}
