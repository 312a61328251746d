//! The binary `afterstate`: a thin shell around the laboratory and the players.

// A closed standard error makes these panic.
#![warn(clippy::print_stderr)]

mod agents;
mod analyse;
mod args;
mod bench;
mod bench_lab;
mod bench_serve;
mod compare;
mod convert;
mod device;
mod drive;
mod endgame;
mod engine;
mod experiment;
mod failure;
mod file;
mod game;
mod input;
mod interrupt;
mod matches;
mod moves;
mod number;
mod openings;
mod output;
mod perft;
mod play;
mod progress;
mod record;
mod serve;

mod terminal;
mod train;

use std::io::Write;
use std::process::ExitCode;

use afterstate_abalone::Position as Abalone;
use afterstate_twenty48::State;
use clap::{CommandFactory, Parser};

use args::{AgentsArgs, AnalyseArgs, Cli, Command, Compare, EngineArgs, Game, Match, MovesArgs, Openings, Perft, Play};
use failure::Failure;
use game::CliGame;
use output::patiently;

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let mut out = output::stdout();
    match command {
        Command::Moves(args) => list_moves(&mut out, &args)?,
        Command::Analyse(args) => return patiently(out, |out| analyse_position(out, &args)),
        Command::Agents(args) => list_agents(&mut out, &args)?,
        Command::Engine(args) => {
            drop(out);
            return run_engine(&args);
        }
        Command::Completions { shell } => {
            // Written to memory first: the generator panics where the reader has gone away.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "afterstate", &mut script);
            out.write_all(&script)?;
        }
        Command::Play(Play::Twenty48(args)) => return patiently(out, |out| play::twenty48(out, &args)),
        Command::Play(Play::Abalone(args)) => play::abalone(&mut out, &args)?,
        Command::Match(Match::Twenty48(_)) => {
            return Err(Failure::input(
                "2048 has one player: `afterstate compare 2048 A B` lets two agents play the same games",
            ));
        }
        Command::Compare(Compare::Abalone(_)) => {
            return Err(Failure::input(
                "Abalone has two players: `afterstate match abalone A B` lets them play each other",
            ));
        }
        Command::Match(Match::Abalone(args)) => return patiently(out, |out| matches::run(out, &args)),
        Command::Compare(Compare::Twenty48(args)) => return patiently(out, |out| compare::run(out, &args)),
        Command::Run(args) => return patiently(out, |out| experiment::run(out, &args)),
        Command::SlurmTask(args) => experiment::slurm_task(&args)?,
        Command::Merge(args) => experiment::merge(&mut out, &args)?,
        Command::Status(args) => experiment::status(&mut out, &args)?,
        Command::Report(args) => return patiently(out, |out| experiment::report(out, &args)),
        Command::Export(args) => experiment::export(&mut out, &args)?,
        Command::Openings(Openings::Abalone(args)) => openings::run(&mut out, &args)?,
        Command::Perft(Perft::Abalone(args)) => perft::run(&mut out, &args)?,
        Command::Serve(args) => {
            drop(out);
            return serve::run(&args);
        }
        Command::Drive(args) => return patiently(out, |out| drive::run(out, args)),
        Command::Convert(args) => convert::run(&mut out, &args)?,
        Command::Bench(args) => bench::run(&mut out, &args)?,
        Command::Train(train) => return patiently(out, |out| train::run(out, &train)),
        Command::Tables(command) => return patiently(out, |out| endgame::run(out, &command)),
    }
    out.flush()?;
    Ok(())
}

/// The command as it was typed, for whoever wants to repeat it.
fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| quoted(&argument.to_string_lossy()));
    std::iter::once("afterstate".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// An argument as a shell reads it.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

fn list_moves(out: &mut impl Write, args: &MovesArgs) -> Result<(), Failure> {
    match args.game {
        Game::Twenty48 => moves::run::<State>(out, &args.position),
        Game::Abalone => moves::run::<Abalone>(out, &args.position),
    }
}

fn analyse_position(out: &mut impl Write, args: &AnalyseArgs) -> Result<(), Failure> {
    match args.game {
        Game::Twenty48 => analyse::run::<State>(out, args),
        Game::Abalone => analyse::run::<Abalone>(out, args),
    }
}

fn list_agents(out: &mut impl Write, args: &AgentsArgs) -> Result<(), Failure> {
    let wanted = |game| args.game.is_none_or(|only| only == game);
    if args.json {
        let mut catalogues = Vec::new();
        if wanted(Game::Twenty48) {
            catalogues.push(agents::as_json::<State>());
        }
        if wanted(Game::Abalone) {
            catalogues.push(agents::as_json::<Abalone>());
        }
        writeln!(out, "{}", serde_json::Value::from(catalogues))?;
        return Ok(());
    }
    if wanted(Game::Twenty48) {
        agents::list::<State>(out)?;
    }
    if wanted(Game::Abalone) {
        agents::list::<Abalone>(out)?;
    }
    Ok(())
}

fn run_engine(args: &EngineArgs) -> Result<(), Failure> {
    let agent = |default| args.agent.as_deref().unwrap_or(default);
    match args.game {
        Game::Twenty48 => engine::run::<State>(agent(State::DEFAULT_AGENT)),
        Game::Abalone => engine::run::<Abalone>(agent(Abalone::DEFAULT_AGENT)),
    }
}
