//! The second stage: what the tags and words mean, by playing the game again.

use std::io::BufRead;

use afterstate_game::{Outcome, Position as _, Side};

use super::raw::{RawGame, RawGames};
use super::{ApgnError, DERIVED, Fault, Game, RESULTS, result_text};
use crate::setup::name;
use crate::text::{MoveNotation, TextError, rows};
use crate::{Layout, Position, Setup};

/// Reads games one by one. An error concerns one game; reading on gives the next one, unless the source itself failed.
#[derive(Debug)]
pub struct Reader<R> {
    games: RawGames<R>,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from this source.
    pub fn new(source: R) -> Self {
        Self { games: RawGames::new(source), failed: false }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, ApgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let game = self
            .games
            .next_game()?
            .and_then(|raw| interpret(raw).map_err(|fault| ApgnError { game: self.games.number(), fault }));
        // A source that failed once may fail for ever.
        self.failed = matches!(game, Err(ApgnError { fault: Fault::Source(_), .. }));
        Some(game)
    }
}

fn interpret(raw: RawGame) -> Result<Game, Fault> {
    let tag = |name: &str| {
        let found = raw.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    };
    let notation = tag("Notation").ok_or(Fault::Missing("Notation"))?;
    let notation: MoveNotation = notation.parse().map_err(|reason| Fault::Value { tag: "Notation", reason })?;
    let outcome = read_results(tag("Result"), &raw.result)?;
    let start = read_start(tag("Variant"), tag("Position"))?;
    let mut game = Game { start, moves: Vec::new(), outcome, notation, tags: Vec::new() };
    let end = replay(&mut game, &raw.words)?;
    if let Some(Outcome::Won(winner)) = end.outcome()
        && outcome != Some(Outcome::Won(winner))
    {
        return Err(Fault::WrongResult { result: result_text(outcome), winner: name(winner) });
    }
    game.tags = raw.tags;
    game.tags.retain(|(name, _)| !DERIVED.iter().any(|derived| derived.eq_ignore_ascii_case(name)));
    Ok(game)
}

/// The result that header and end of the game agree on.
fn read_results(header: Option<&str>, end: &str) -> Result<Option<Outcome>, Fault> {
    let header = header.unwrap_or(end);
    let Some((outcome, _)) = RESULTS.iter().find(|(_, text)| *text == header) else {
        return Err(Fault::Result(header.to_owned()));
    };
    if header != end {
        return Err(Fault::TwoResults { header: header.to_owned(), end: end.to_owned() });
    }
    Ok(*outcome)
}

fn read_start(variant: Option<&str>, position: Option<&str>) -> Result<Position, Fault> {
    match (variant, position) {
        (_, Some(text)) => read_position(text).map_err(|reason| Fault::Value { tag: "Position", reason }),
        (Some(name), None) if name.eq_ignore_ascii_case("custom") => Err(Fault::Missing("Position")),
        (Some(name), None) => Ok(name.parse::<Layout>()?.position()),
        (None, None) => Err(Fault::NoStart),
    }
}

/// Reads `rows[-NbNw] side`, or a position string with the marbles lost at its end.
fn read_position(text: &str) -> Result<Position, TextError> {
    let Some((board, side)) = text.trim().split_once(' ').filter(|(_, side)| !side.trim().contains(' ')) else {
        return Ok(rows::read(text)?.position()?);
    };
    let (board, lost) = board.split_once('-').unwrap_or((board, "0b0w"));
    let bad = |side, found: &str| TextError::Lost { side, found: found.to_owned() };
    let (black, white) = lost.split_once('b').ok_or_else(|| bad("black", lost))?;
    let white = white.strip_suffix('w').ok_or_else(|| bad("white", lost))?;
    let setup: Setup = rows::read(&format!("{board} {side} {black} {white}"))?;
    Ok(setup.position()?)
}

/// Plays the words, checking move numbers on the way, and returns the position at the end.
fn replay(game: &mut Game, words: &[String]) -> Result<Position, Fault> {
    let mut position = game.start;
    // White's first move belongs to the first number too.
    let ahead = usize::from(position.side_to_move() == Side::Second);
    for word in words {
        let ply = game.moves.len() + 1;
        if let Some(number) = word.strip_suffix('.') {
            let expected = (game.moves.len() + ahead) / 2 + 1;
            if number.trim_end_matches('.').parse() != Ok(expected) {
                return Err(Fault::Number { ply, found: word.clone(), expected });
            }
            continue;
        }
        let read = game.notation.read(&position, word);
        let mv = read.map_err(|reason| Fault::Move { ply, text: word.clone(), reason })?;
        position = position.after(mv);
        game.moves.push(mv);
    }
    Ok(position)
}
