//! The first stage: from lines to tags and words, without asking what they mean.

use std::collections::VecDeque;
use std::io::BufRead;

use super::{ApgnError, Fault, RESULTS};

/// A game as it stands in the file.
#[derive(Debug, Default)]
pub(super) struct RawGame {
    pub(super) tags: Vec<(String, String)>,
    /// Moves and move numbers.
    pub(super) words: Vec<String>,
    pub(super) result: String,
}

#[derive(Debug)]
enum Token {
    Tag(String, String),
    Word(String),
    /// A line that begins like a tag and is none.
    Bad(Fault),
}

/// Cuts a source into games.
#[derive(Debug)]
pub(super) struct RawGames<R> {
    source: R,
    line: usize,
    tokens: VecDeque<Token>,
    /// The line on which an open comment began.
    comment: Option<usize>,
    /// The number of games begun.
    games: usize,
}

impl<R: BufRead> RawGames<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, line: 0, tokens: VecDeque::new(), comment: None, games: 0 }
    }

    /// The number of the game that was read last.
    pub(super) fn number(&self) -> usize {
        self.games
    }

    /// The next game, or `None` at the end of the source.
    pub(super) fn next_game(&mut self) -> Option<Result<RawGame, ApgnError>> {
        match self.peek() {
            Ok(None) => return None,
            Ok(Some(_)) => self.games += 1,
            Err(fault) => {
                self.games += 1;
                return Some(Err(self.error(fault)));
            }
        }
        Some(self.rest_of_game().map_err(|fault| self.error(fault)))
    }

    fn error(&self, fault: Fault) -> ApgnError {
        ApgnError { game: self.games, fault }
    }

    /// Reads to the result even if a tag is bad, so that the next game is found.
    fn rest_of_game(&mut self) -> Result<RawGame, Fault> {
        let mut game = RawGame::default();
        let mut bad = None;
        loop {
            let cut_off = |game: &RawGame| Fault::CutOff { plies: plies(&game.words) };
            match self.peek()? {
                None => return Err(bad.unwrap_or_else(|| cut_off(&game))),
                // A new header before the result: this game is cut off, and the next begins here.
                Some(Token::Tag(..)) if !game.words.is_empty() => return Err(bad.unwrap_or_else(|| cut_off(&game))),
                Some(_) => {}
            }
            match self.tokens.pop_front() {
                Some(Token::Tag(name, value)) => game.tags.push((name, value)),
                Some(Token::Word(word)) if RESULTS.iter().any(|(_, result)| *result == word) => {
                    game.result = word;
                    return bad.map_or(Ok(game), Err);
                }
                Some(Token::Word(word)) => game.words.push(word),
                Some(Token::Bad(fault)) => bad = bad.or(Some(fault)),
                None => {}
            }
        }
    }

    /// The next token, reading on as far as needed.
    fn peek(&mut self) -> Result<Option<&Token>, Fault> {
        while self.tokens.is_empty() {
            let mut line = String::new();
            if self.source.read_line(&mut line)? == 0 {
                return match self.comment.take() {
                    Some(line) => Err(Fault::Comment { line }),
                    None => Ok(None),
                };
            }
            self.line += 1;
            self.cut(line.trim_start_matches('\u{feff}').trim());
        }
        Ok(self.tokens.front())
    }

    /// Cuts one line into tokens.
    fn cut(&mut self, line: &str) {
        if self.comment.is_none() && line.starts_with('[') {
            self.tokens.push_back(match tag(line) {
                Some((name, value)) => Token::Tag(name, value),
                None => Token::Bad(Fault::Tag { line: self.line, text: line.to_owned() }),
            });
            return;
        }
        let mut rest = line;
        while !rest.is_empty() {
            if self.comment.is_some() {
                let Some((_, after)) = rest.split_once('}') else { break };
                self.comment = None;
                rest = after;
                continue;
            }
            let end = rest.find(['{', ';']).unwrap_or(rest.len());
            self.tokens.extend(words(&rest[..end]));
            rest = &rest[end..];
            match rest.as_bytes().first() {
                Some(b'{') => self.comment = Some(self.line),
                // To the end of the line.
                _ => break,
            }
        }
    }
}

/// The words of a text; a move number ends with its dots, whether a space follows or not.
fn words(text: &str) -> impl Iterator<Item = Token> {
    text.split_whitespace()
        .flat_map(|word| {
            let digits = word.find(|character: char| !character.is_ascii_digit()).unwrap_or(word.len());
            let dots = word[digits..].find(|character| character != '.').unwrap_or(word.len() - digits);
            let number_ends = if dots > 0 && digits > 0 { digits + dots } else { 0 };
            let (number, rest) = word.split_at(number_ends);
            [number, rest].map(str::to_owned)
        })
        .filter(|word| !word.is_empty())
        .map(Token::Word)
}

/// The half-moves among the words.
fn plies(words: &[String]) -> usize {
    words.iter().filter(|word| !word.ends_with('.')).count()
}

/// The name and the value of a tag line, `[Name "value"]`.
fn tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.push(characters.next()?),
            '"' => return None,
            other => text.push(other),
        }
    }
    Some((name.to_owned(), text))
}
