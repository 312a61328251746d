//! Reading records, one at a time, from anything that can be read line by line.

use std::io::{BufRead, Read};

use super::{Ply, PlyError, Record, VERSION};
use crate::notation::quoted;
use crate::{Direction, State, TextError};

/// Why a record cannot be read, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}{}: {problem}", ply.map(|ply| format!(", ply {ply}")).unwrap_or_default())]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The ply, from 1, if the line belongs to one.
    pub ply: Option<usize>,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a line of a record.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The line could not be read at all.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// The line is not text.
    #[error("not UTF-8")]
    NotUtf8,
    /// The line is far longer than any line of a record.
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    TooLong,
    /// Another format or version.
    #[error("{0:?} begins no record; expected 2048 record {VERSION}")]
    Header(String),
    /// A line that cannot stand here.
    #[error("found {found:?}; expected {expected}")]
    Unexpected {
        /// What would be right.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The text ends in the middle of a record.
    #[error("the record is cut off; expected {0}")]
    Truncated(&'static str),
    /// The start position is wrong.
    #[error("start: {0}")]
    Start(#[from] TextError),
    /// The ply does not fit the position.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// The moves come to something else than the last line says.
    #[error("the record says {recorded}, its moves come to {replayed}")]
    End {
        /// What the record says.
        recorded: String,
        /// What replaying says.
        replayed: String,
    },
}

/// No line of a record is that long, but some agents have much to say.
pub(super) const LONGEST_LINE: u64 = 1 << 16;

/// Reads records one after the other; after an error there are no more.
#[derive(Debug)]
pub struct Records<R> {
    reader: R,
    line: usize,
    failed: bool,
}

impl<R: BufRead> Records<R> {
    /// Reads from here on.
    pub fn new(reader: R) -> Self {
        Self { reader, line: 0, failed: false }
    }

    /// The next line without its end and the white space around it, or `None` at the end of the text.
    fn next_line(&mut self) -> Result<Option<String>, Problem> {
        self.line += 1;
        let mut bytes = Vec::new();
        self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() as u64 == LONGEST_LINE {
            return Err(Problem::TooLong);
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| Problem::NotUtf8)?;
        Ok(Some(text.trim().to_owned()))
    }

    fn expect_line(&mut self, expected: &'static str) -> Result<String, Problem> {
        self.next_line()?.ok_or(Problem::Truncated(expected))
    }

    /// Skips empty lines and the first line of a record; `false` at the end of the text.
    fn skip_header(&mut self) -> Result<bool, Problem> {
        while let Some(line) = self.next_line()? {
            if line == format!("2048 record {VERSION}") {
                return Ok(true);
            }
            if !line.is_empty() {
                return Err(Problem::Header(quoted(&line)));
            }
        }
        Ok(false)
    }

    /// What comes before the first ply.
    fn read_preamble(&mut self) -> Result<Record, Problem> {
        let (mut agent, mut seed) = (String::new(), None);
        loop {
            let expected = "agent, seed or start";
            let line = self.expect_line(expected)?;
            let (key, value) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match key {
                "agent" if agent.is_empty() && seed.is_none() => agent = value.to_owned(),
                "seed" if seed.is_none() => {
                    let expected = "seed and a number below 2^64";
                    let number = value.trim().parse();
                    seed = Some(number.map_err(|_| Problem::Unexpected { expected, found: quoted(&line) })?);
                }
                "start" => {
                    let mut record = Record::new(State(value.parse()?)).by(&agent);
                    record.seed = seed;
                    return Ok(record);
                }
                _ => return Err(Problem::Unexpected { expected, found: quoted(&line) }),
            }
        }
    }

    /// Reads a ply into the record, or checks the record against its last line; `true` after that.
    fn read_ply_or_end(&mut self, record: &mut Record) -> Result<bool, Problem> {
        let expected = "a move and a new tile such as L a1=2, or end";
        let line = self.expect_line(expected)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["end", ..] => {
                let replayed = format!("end {} moves {} points", record.plies.len(), record.score);
                if words.join(" ") != replayed {
                    return Err(Problem::End { recorded: quoted(&line), replayed });
                }
                Ok(true)
            }
            [mv, spawn] => {
                let mv = Direction::from_name(mv).ok_or_else(|| PlyError::from(TextError::Move(quoted(mv))))?;
                let spawn = spawn.parse().map_err(PlyError::from)?;
                record.push(Ply { mv, spawn })?;
                Ok(false)
            }
            _ => Err(Problem::Unexpected { expected, found: quoted(&line) }),
        }
    }

    fn read_record(&mut self) -> Result<Option<Record>, ReadError> {
        if !self.skip_header().map_err(|problem| self.error(None, problem))? {
            return Ok(None);
        }
        let mut record = self.read_preamble().map_err(|problem| self.error(None, problem))?;
        loop {
            let ply = record.plies.len() + 1;
            match self.read_ply_or_end(&mut record) {
                Ok(false) => {}
                Ok(true) => return Ok(Some(record)),
                Err(problem @ Problem::End { .. }) => return Err(self.error(None, problem)),
                Err(problem) => return Err(self.error(Some(ply), problem)),
            }
        }
    }

    fn error(&self, ply: Option<usize>, problem: Problem) -> ReadError {
        ReadError { line: self.line, ply, problem }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = self.read_record();
        self.failed = !matches!(record, Ok(Some(_)));
        record.transpose()
    }
}
