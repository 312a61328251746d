//! `afterstate play`: many games with statistics, one game to watch, or a person at the board.

mod abalone;
mod human;
mod many;
mod thinking;
mod watch;

use std::io::Write;

use afterstate_game::Position as _;
use afterstate_lab::{GameSeeds, SoloGame};
use afterstate_twenty48::State;

use crate::args::Play2048Args;
use crate::failure::Failure;
use crate::game::CliGame;
use crate::record::RecordFile;
use crate::terminal::Key;
use crate::{device, input, number};
use human::HumanGame;
use watch::Watched;

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
    // A screen that cannot be opened is no game.
    if played.is_ok() || game.moves() > 0 {
        record.append(&game.record());
    }
    record.finish()?;
    let left = played?;
    writeln!(out, "score {} after {} moves", number::grouped(game.score().into()), game.moves())?;
    ended_by(out, Some(left))
}

fn watch_one(out: &mut impl Write, args: &Play2048Args) -> Result<(), Failure> {
    let seeds = GameSeeds::new(args.seed, 0, 0);
    let mut player = afterstate_players::build::<State>(&args.agent).map_err(Failure::input)?;
    let start = start(args, seeds)?;
    let mut record = RecordFile::open(args.record.as_deref())?;
    let mut watched = Watched::new(start);
    let shown = watch::run(&args.agent, player.as_mut(), &mut watched, seeds, args.speed);
    if shown.is_ok() || !watched.game.plies.is_empty() {
        record.append(&State::record(&watched.game, &args.agent, seeds));
    }
    record.finish()?;
    shown?;
    let end = watched.game.end();
    let state = if end.outcome().is_some() { "game over" } else { "left" };
    writeln!(out, "{}", end.render())?;
    writeln!(out, "{state}: score {} after {} moves", number::grouped(watched.score.into()), watched.game.plies.len())?;
    ended_by(out, watched.left)
}

/// On a raw terminal Ctrl-C is a key: it leaves as others do, and the exit code says so.
fn ended_by(out: &mut impl Write, key: Option<Key>) -> Result<(), Failure> {
    out.flush()?;
    if key == Some(Key::Interrupt) { Err(Failure::Interrupted) } else { Ok(()) }
}
