//! The binary `afterstate`: a thin shell around the laboratory and the players.

mod agents;
mod analyse;
mod args;
mod engine;
mod failure;
mod game;
mod input;
mod interrupt;
mod moves;
mod number;
mod terminal;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use afterstate_twenty48::State;
use clap::{CommandFactory, Parser};

use args::{AgentsArgs, AnalyseArgs, Cli, Command, EngineArgs, Game, MovesArgs};
use failure::Failure;
use game::CliGame;

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match command {
        Command::Moves(args) => list_moves(&mut out, &args)?,
        Command::Analyse(args) => analyse_position(&mut out, &args)?,
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
        Command::Play(_) | Command::Bench(_) => {}
    }
    out.flush()?;
    Ok(())
}

fn list_moves(out: &mut impl Write, args: &MovesArgs) -> Result<(), Failure> {
    match args.game {
        Game::Twenty48 => moves::run::<State>(out, &args.position),
    }
}

fn analyse_position(out: &mut impl Write, args: &AnalyseArgs) -> Result<(), Failure> {
    match args.game {
        Game::Twenty48 => analyse::run::<State>(out, args),
    }
}

fn list_agents(out: &mut impl Write, args: &AgentsArgs) -> Result<(), Failure> {
    let wanted = |game| args.game.is_none_or(|only| only == game);
    let mut catalogues = Vec::new();
    if wanted(Game::Twenty48) {
        if args.json {
            catalogues.push(agents::as_json::<State>());
        } else {
            agents::list::<State>(out)?;
        }
    }
    if args.json {
        writeln!(out, "{}", serde_json::Value::from(catalogues))?;
    }
    Ok(())
}

fn run_engine(args: &EngineArgs) -> Result<(), Failure> {
    match args.game {
        Game::Twenty48 => engine::run::<State>(args.agent.as_deref().unwrap_or(State::DEFAULT_AGENT)),
    }
}
