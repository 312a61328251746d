//! `afterstate engine`: the Universal Game Interface over standard input and output, described in docs/engine.md.
//!
//! One thread reads commands, one thinks. An unknown or wrong command is answered with an `info string` line and never
//! ends the engine; only `quit` and the end of the input do.

mod command;
mod search;

use std::io::{self, BufRead, Write};

use afterstate_game::{History, Outcome, Side};

use crate::failure::Failure;
use crate::game::CliGame;
use crate::output;
use command::Command;
use search::Thinker;

/// The longest line that is read as a command; the rest of a longer one is thrown away.
const MAX_LINE: usize = 1 << 20;

/// Runs the engine until `quit` or the end of the input.
pub(crate) fn run<P: CliGame>(agent: &str) -> Result<(), Failure> {
    afterstate_players::canonical::<P>(agent).map_err(Failure::input)?;
    let mut engine =
        Engine { history: History::new(P::start(0)), agent: agent.to_owned(), seed: 0, thinker: Thinker::idle() };
    for line in io::stdin().lock().split(b'\n') {
        let mut line = line?;
        line.truncate(MAX_LINE);
        let text = String::from_utf8_lossy(&line);
        match Command::parse(text.trim()) {
            Ok(Command::Quit) => {
                engine.thinker.stop();
                return Ok(());
            }
            Ok(command) => engine.obey(command)?,
            Err(complaint) => say(format_args!("info string {complaint}"))?,
        }
    }
    engine.thinker.finish();
    Ok(())
}

/// Writes one line and flushes it: the other side waits for it.
fn say(line: impl std::fmt::Display) -> Result<(), Failure> {
    let mut out = output::stdout();
    writeln!(out, "{line}")?;
    out.flush()?;
    Ok(())
}

struct Engine<P: CliGame> {
    history: History<P>,
    agent: String,
    seed: u64,
    thinker: Thinker<P>,
}

impl<P: CliGame> Engine<P> {
    fn obey(&mut self, command: Command<'_>) -> Result<(), Failure> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Ugi => self.introduce(),
            Command::IsReady => say("readyok"),
            Command::NewGame => {
                self.thinker.forget();
                self.history = History::new(P::start(self.seed));
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(name, value),
            Command::Position { start, moves } => match self.position(start, &moves) {
                Ok(history) => {
                    self.thinker.stop();
                    self.history = history;
                    Ok(())
                }
                Err(complaint) => say(format_args!("info string position: {complaint}")),
            },
            Command::Go { limits, infinite } => {
                match self.thinker.go(&self.agent, self.seed, self.history.clone(), limits, infinite) {
                    Ok(()) => Ok(()),
                    Err(complaint) => say(format_args!("info string go: {complaint}")),
                }
            }
            Command::Stop => {
                self.thinker.stop();
                Ok(())
            }
            Command::Query(question) => self.query(question),
        }
    }

    fn introduce(&self) -> Result<(), Failure> {
        say(format_args!("id name Afterstate {} ({})", env!("CARGO_PKG_VERSION"), P::GAME))?;
        say("id author the Afterstate contributors")?;
        say(format_args!("option name Agent type string default {}", self.agent))?;
        say("option name Seed type spin default 0 min 0 max 18446744073709551615")?;
        say("ugiok")
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match name.to_ascii_lowercase().as_str() {
            "agent" => match afterstate_players::canonical::<P>(value) {
                Ok(agent) => {
                    self.agent = agent;
                    self.thinker.forget();
                    Ok(())
                }
                Err(error) => say(format_args!("info string setoption: {error}")),
            },
            "seed" => match value.parse() {
                Ok(seed) => {
                    self.seed = seed;
                    self.thinker.forget();
                    Ok(())
                }
                Err(_) => say(format_args!("info string setoption: Seed is a whole number from 0, not `{value}`")),
            },
            _ => say(format_args!("info string setoption: unknown option `{name}`; known: Agent, Seed")),
        }
    }

    /// The game that a `position` command describes.
    fn position(&self, start: Option<&str>, moves: &[&str]) -> Result<History<P>, String> {
        let start = match start {
            Some(text) => P::parse(text).map_err(|error| error.to_string())?,
            None => P::start(self.seed),
        };
        let mut history = History::new(start);
        let mut words = moves.iter().copied();
        while let Some(word) = words.next() {
            let position = history.position();
            let mv =
                position.parse_move(word).map_err(|error| format!("move {} `{word}`: {error}", history.ply() + 1))?;
            let afterstate = position.play_unchecked(mv).afterstate;
            let next = P::answered(&afterstate, &mut words)
                .map_err(|error| format!("after move {} `{word}`: {error}", history.ply() + 1))?;
            history.push(mv, next);
        }
        Ok(history)
    }

    fn query(&self, question: &str) -> Result<(), Failure> {
        let outcome = self.history.outcome();
        match question {
            "gameover" => say(format_args!("response {}", outcome.is_some())),
            "p1turn" => say(format_args!("response {}", self.history.position().side_to_move() == Side::First)),
            "result" => say(match outcome {
                None => "response none",
                Some(Outcome::Over) => "response over",
                Some(Outcome::Drawn) => "response draw",
                Some(Outcome::Won(Side::First)) => "response p1win",
                Some(Outcome::Won(Side::Second)) => "response p2win",
            }),
            "position" => say(format_args!("response {}", self.history.position().to_text())),
            _ => say(format_args!(
                "info string query: unknown question `{question}`; known: gameover, p1turn, result, position"
            )),
        }
    }
}
