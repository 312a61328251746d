//! Reading positions from the command line or standard input.

use std::io::{self, BufRead};

use crate::failure::Failure;
use crate::game::CliGame;

/// Reads a position given on the command line.
pub(crate) fn position<P: CliGame>(text: &str) -> Result<P, Failure> {
    P::from_any_text(text).map_err(|error| Failure::input(format!("position `{text}`: {error}")))
}

/// Calls `visit` with every position on standard input, one per line; empty lines are passed over. The error names the
/// line.
pub(crate) fn positions_on_stdin<P: CliGame>(mut visit: impl FnMut(P) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut seen = false;
    for (index, line) in io::stdin().lock().split(b'\n').enumerate() {
        let number = index + 1;
        let line = String::from_utf8(line?)
            .map_err(|error| Failure::input(format!("standard input, line {number}: not UTF-8: {error}")))?;
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        seen = true;
        visit(
            P::from_any_text(text)
                .map_err(|error| Failure::input(format!("standard input, line {number}: `{text}`: {error}")))?,
        )?;
    }
    if seen { Ok(()) } else { Err(Failure::input("standard input: empty; expected one position per line")) }
}
