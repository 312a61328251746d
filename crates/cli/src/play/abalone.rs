//! A person plays Abalone against an agent: moves are typed, the board is drawn after each.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use afterstate_abalone::text::apgn::Game;
use afterstate_abalone::text::board;
use afterstate_abalone::{Layout, Move, Position};
use afterstate_game::{DrawRules, History, Notation, Outcome, Player, Position as _, Side, Stop, Task};

use crate::args::{Colour, PlayAbaloneArgs};
use crate::failure::Failure;
use crate::record::RecordFile;
use crate::terminal::{self, folded};
use crate::{device, input, interrupt};

const HELP: &str = "a move in Aba-Pro notation (a1b2, or c5c7d6 for a broadside), moves, hint, undo, resign, quit";

/// Plays one game on standard input and output.
pub(crate) fn run(out: &mut impl Write, args: &PlayAbaloneArgs) -> Result<(), Failure> {
    let start = match &args.position {
        Some(text) => input::position(text)?,
        None => args.layout.parse::<Layout>().map_err(Failure::input)?.position(),
    };
    let mut player = afterstate_players::build::<Position>(&args.agent).map_err(Failure::input)?;
    player.start_game(args.seed);
    let you = if args.colour == Colour::Black { Side::First } else { Side::Second };
    let mut record = RecordFile::open(args.record.as_deref())?;
    let stop = interrupt::stop_on_ctrl_c()?;
    let mut table = Table { args, you, start, moves: Vec::new(), player, stop, lines: Lines::typed() };
    let played = table.play(out);
    record.append(&table.record(*played.as_ref().unwrap_or(&None))?);
    record.finish()?;
    played?;
    interrupt::report_cut("the game was left before its end")
}

/// Lines of standard input. A thread of its own waits for them, because Ctrl-C does not end the waiting.
struct Lines(Receiver<io::Result<Vec<u8>>>);

impl Lines {
    fn typed() -> Self {
        let (sender, receiver) = mpsc::sync_channel(1);
        std::thread::spawn(move || io::stdin().lock().split(b'\n').try_for_each(|line| sender.send(line)));
        Self(receiver)
    }

    /// The next line; `None` at the end of the input, or where Ctrl-C says so.
    fn next(&self, stop: &Stop) -> io::Result<Option<Vec<u8>>> {
        while !stop.is_raised() {
            match self.0.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(None)
    }
}

/// The game on the table.
struct Table<'a> {
    args: &'a PlayAbaloneArgs,
    you: Side,
    start: Position,
    moves: Vec<Move>,
    player: Box<dyn Player<Position>>,
    stop: Stop,
    lines: Lines,
}

/// What the person wants.
enum Wish {
    Move(Move),
    Undo,
    Resign,
    Quit,
}

impl Table<'_> {
    /// Plays to the end; `None` if the person leaves before.
    fn play(&mut self, out: &mut impl Write) -> Result<Option<Outcome>, Failure> {
        loop {
            let history = self.history();
            writeln!(out, "\n{}", board::render(history.position()))?;
            if let Some(outcome) = history.outcome() {
                let verdict = match outcome.sign_for(self.you) {
                    1 => "you win",
                    -1 => "you lose",
                    _ => "a draw",
                };
                writeln!(out, "game over: {verdict}")?;
                return Ok(Some(outcome));
            }
            if history.position().side_to_move() != self.you {
                let decision = self.decide(&history)?;
                if self.stop.is_raised() {
                    return Ok(None);
                }
                writeln!(out, "{} plays {}", self.args.agent, history.position().move_to_text(decision))?;
                self.moves.push(decision);
                continue;
            }
            match self.ask(out, &history)? {
                Wish::Move(mv) => self.moves.push(mv),
                // Your last move and the answer to it.
                Wish::Undo => self.moves.truncate(self.moves.len().saturating_sub(2)),
                Wish::Resign => return Ok(Some(Outcome::Won(!self.you))),
                Wish::Quit => return Ok(None),
            }
        }
    }

    fn history(&self) -> History<Position> {
        let rules = DrawRules { repetitions: Some(3), ..DrawRules::default() };
        let mut history = History::with_rules(self.start, rules);
        for &mv in &self.moves {
            let next = history.position().play_unchecked(mv).afterstate.0;
            history.push(mv, next);
        }
        history
    }

    fn decide(&mut self, history: &History<Position>) -> Result<Move, Failure> {
        let limits = self.args.limits.into();
        let task = Task { history, limits, stop: &self.stop, observer: &mut |_| {} };
        let decision = self.player.decide(task).map_err(Failure::input)?;
        device::tell_once();
        Ok(decision.best)
    }

    /// Asks until there is an answer that makes sense. The end of the input means leaving.
    fn ask(&mut self, out: &mut impl Write, history: &History<Position>) -> Result<Wish, Failure> {
        let position = history.position();
        loop {
            write!(out, "your move: ")?;
            out.flush()?;
            let Some(line) = self.lines.next(&self.stop)? else { return Ok(Wish::Quit) };
            let Ok(line) = String::from_utf8(line) else {
                writeln!(out, "not UTF-8 (help shows what you can type)")?;
                continue;
            };
            match line.trim() {
                "quit" | "q" => return Ok(Wish::Quit),
                // A single move is the agent's.
                "undo" | "u" if self.moves.len() < 2 => writeln!(out, "there is no move of yours to take back")?,
                "undo" | "u" => return Ok(Wish::Undo),
                "resign" => return Ok(Wish::Resign),
                "help" | "?" | "" => writeln!(out, "{}", folded(HELP, 2, terminal::width()))?,
                "moves" => {
                    let moves: Vec<String> = position.moves().into_iter().map(|mv| position.move_to_text(mv)).collect();
                    writeln!(out, "{}", folded(&moves.join(" "), 0, terminal::width()))?;
                }
                "hint" | "h" => {
                    let hint = self.decide(history)?;
                    writeln!(out, "{} would play {}", self.args.agent, position.move_to_text(hint))?;
                }
                text => match position.parse_move(text) {
                    Ok(mv) => return Ok(Wish::Move(mv)),
                    Err(error) => writeln!(out, "{error} (help shows what you can type)")?,
                },
            }
        }
    }

    fn record(&self, outcome: Option<Outcome>) -> Result<String, Failure> {
        let mut game = Game { moves: self.moves.clone(), outcome, ..Game::new(self.start) };
        let names = if self.you == Side::First { ["human", &self.args.agent] } else { [&self.args.agent, "human"] };
        game.set_tag("Black", names[0]);
        game.set_tag("White", names[1]);
        game.to_text().map_err(|error| Failure::World(error.to_string()))
    }
}
