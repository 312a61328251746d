//! `afterstate convert`: Abalone positions, moves and games from one notation to another.

use std::io::{self, BufRead, BufReader, Write};

use afterstate_abalone::text::apgn::{Game, Reader};
use afterstate_abalone::text::{MoveNotation, posref};
use afterstate_abalone::{Layout, Position};
use afterstate_game::{Notation, Position as _, Side};

use crate::args::{ConvertArgs, Form};
use crate::failure::Failure;

/// Converts standard input, or the position given, to another form.
pub(crate) fn run(out: &mut impl Write, args: &ConvertArgs) -> Result<(), Failure> {
    if let Some(text) = &args.position {
        return write_position(out, &any_position(text).map_err(|error| named("position", text, &error))?, args.to);
    }
    match args.to {
        Form::AbaPro => games(out, MoveNotation::AbaPro),
        Form::Nacre => games(out, MoveNotation::Nacre),
        Form::Text | Form::Posref | Form::Board => positions(out, args.to),
    }
}

fn named(what: &str, text: &str, error: &str) -> Failure {
    Failure::input(format!("{what} `{text}`: {error}"))
}

/// A position in any form: the position string, a posRef string, or the name of a layout.
pub(crate) fn any_position(text: &str) -> Result<Position, String> {
    if text.contains('/') {
        return Position::parse(text).map_err(|error| error.to_string());
    }
    if text.contains('_') {
        let setup = posref::read(text, Side::First).map_err(|error| error.to_string())?;
        return setup.position().map_err(|error| error.to_string());
    }
    text.parse::<Layout>().map(Layout::position).map_err(|error| error.to_string())
}

fn write_position(out: &mut impl Write, position: &Position, to: Form) -> Result<(), Failure> {
    match to {
        Form::Posref if position.side_to_move() != Side::First => {
            let text = position.to_text();
            return Err(Failure::input(format!(
                "position `{text}`: white is to move, and a posRef string is read with black to move; write `b` for `w` if it does \
                 not matter"
            )));
        }
        Form::Posref => writeln!(out, "{}", posref::write(position))?,
        Form::Board => write!(out, "{}", afterstate_abalone::text::board::render(position))?,
        Form::Text => writeln!(out, "{}", position.to_text())?,
        Form::AbaPro | Form::Nacre => {
            return Err(Failure::input(
                "a position is converted to text, posref or board; games go to aba-pro or nacre",
            ));
        }
    }
    Ok(())
}

fn positions(out: &mut impl Write, to: Form) -> Result<(), Failure> {
    let mut seen = false;
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| Failure::input(format!("standard input, line {}: {error}", index + 1)))?;
        if !line.trim().is_empty() {
            seen = true;
            let place = format!("standard input, line {}", index + 1);
            let position = any_position(line.trim()).map_err(|error| named(&place, line.trim(), &error))?;
            write_position(out, &position, to)?;
        }
    }
    if seen { Ok(()) } else { Err(Failure::input("standard input: empty; expected one position per line")) }
}

/// Rewrites a file of games with its moves in another notation. A bad game ends it: what came before is written.
fn games(out: &mut impl Write, notation: MoveNotation) -> Result<(), Failure> {
    let mut seen = false;
    for game in Reader::new(BufReader::new(io::stdin().lock())) {
        let game: Game = game.map_err(|error| Failure::input(format!("standard input: {error}")))?;
        seen = true;
        let text = Game { notation, ..game }.to_text();
        write!(out, "{}", text.map_err(|error| Failure::input(format!("standard input: {error}")))?)?;
    }
    if seen { Ok(()) } else { Err(Failure::input("standard input: empty; expected games in APGN")) }
}
