//! `afterstate moves`: the legal moves of positions, as JSON lines.

use std::io::Write;

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::game::CliGame;
use crate::input;

/// Lists the legal moves of one position, or of every position on standard input for `-`.
pub(crate) fn run<P: CliGame>(out: &mut impl Write, position: &str) -> Result<(), Failure> {
    if position == "-" {
        input::positions_on_stdin(|position: P| print(out, &position))
    } else {
        print(out, &input::position::<P>(position)?)
    }
}

fn print<P: CliGame>(out: &mut impl Write, position: &P) -> Result<(), Failure> {
    let moves: Vec<Value> = position.moves().into_iter().map(|mv| position.move_as_json(mv)).collect();
    let line = json!({ "position": position.to_text(), "terminal": moves.is_empty(), "moves": moves });
    writeln!(out, "{line}")?;
    Ok(())
}
