//! Games that were played, move by move, and their text.
//!
//! ```text
//! 2048 record 1
//! agent expectimax(depth=4, eval=maqsood)
//! seed 42
//! start 0 0 0 2/0 0 0 0/0 0 2 0/0 0 0 0
//! L a1=2
//! U c3=4
//! end 2 moves 4 points
//! ```
//!
//! The first line names the format and its version. `agent` (free text) and `seed` may be missing. Each ply is a line: the
//! direction's letter and the tile that appeared, by cell (columns `a` to `d`, rows `1` to `4` from the top) and value. The
//! last line repeats what the moves come to, so that a damaged or cut record is noticed. Records follow each other in a
//! file with any number of empty lines between them: appending one is writing it at the end.
//!
//! ```
//! use afterstate_game::{Afterstate, Dice, Position};
//! use afterstate_twenty48::{Record, Records, State};
//!
//! let mut dice = Dice::seeded(42);
//! let mut record = Record::new(State::start(&mut dice)).by("a random player").seeded(42);
//! while let Some(mv) = record.end().random_move(&mut dice) {
//!     let next = record.end().play(mv)?.afterstate.draw(&mut dice);
//!     record.push_answer(mv, next)?;
//! }
//!
//! let file = record.to_string();
//! let read = Records::new(file.as_bytes()).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(read, [record]);
//! assert!(read[0].steps().all(|step| step.state.is_legal(step.ply.mv)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;

use std::fmt;

use afterstate_game::{Played, Position};

pub use read::{Problem, ReadError, Records};

use crate::{Direction, Slid, Spawn, SpawnError, State, TextError};

/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// The longest name of an agent in bytes: with its key and the end of the line, one less than a line that is too long.
const LONGEST_AGENT: usize = read::LONGEST_LINE as usize - "agent \r\n".len() - 1;

/// A game that was played. It replays by construction: every move in it was legal and every tile could appear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    agent: String,
    seed: Option<u64>,
    start: State,
    plies: Vec<Ply>,
    end: State,
    score: u32,
}

/// A move and the tile that answered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The slide.
    pub mv: Direction,
    /// The new tile.
    pub spawn: Spawn,
}

/// One ply of a game being replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The position before the move.
    pub state: State,
    /// The move and the tile that answered it.
    pub ply: Ply,
    /// The board after the slide.
    pub slid: Slid,
    /// The points of the move.
    pub reward: u32,
    /// The position after the new tile.
    pub next: State,
}

/// Why a ply cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlyError {
    /// The move is unknown or not legal.
    #[error(transparent)]
    Move(#[from] TextError),
    /// The tile cannot appear.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// Slide and spawn do not lead to the given position.
    #[error("no new tile after {mv} leads to {}", next.0)]
    Answer {
        /// The slide.
        mv: Direction,
        /// The position that cannot follow.
        next: State,
    },
}

impl Record {
    /// A game that starts here, without moves yet.
    #[must_use]
    pub fn new(start: State) -> Self {
        Self { agent: String::new(), seed: None, start, plies: Vec::new(), end: start, score: 0 }
    }

    /// The same game, played by this agent. The text is written on one line: white space and control characters become
    /// single spaces, and what is too long for a line that can be read back is cut off.
    #[must_use]
    pub fn by(mut self, agent: &str) -> Self {
        let words = agent.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
        self.agent = words.collect::<Vec<_>>().join(" ");
        self.agent.truncate(self.agent.floor_char_boundary(LONGEST_AGENT));
        self.agent.truncate(self.agent.trim_end().len());
        self
    }

    /// The same game, played with this seed.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Adds a move and the tile that answered it.
    pub fn push(&mut self, ply: Ply) -> Result<(), PlyError> {
        let Played { afterstate, reward } =
            self.end.play(ply.mv).map_err(|_| TextError::Illegal { mv: ply.mv, legal: self.end.moves() })?;
        self.end = afterstate.spawn(ply.spawn)?;
        self.score += reward;
        self.plies.push(ply);
        Ok(())
    }

    /// Adds a move and the position it led to once the new tile had appeared.
    pub fn push_answer(&mut self, mv: Direction, next: State) -> Result<(), PlyError> {
        let spawn = self.end.play_unchecked(mv).afterstate.spawn_before(next);
        self.push(Ply { mv, spawn: spawn.ok_or(PlyError::Answer { mv, next })? })
    }

    /// Who played; empty if nobody said.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// The seed of the game, if it is known.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The first position.
    #[must_use]
    pub fn start(&self) -> State {
        self.start
    }

    /// The last position. The game need not be over there.
    #[must_use]
    pub fn end(&self) -> State {
        self.end
    }

    /// The points of all moves.
    #[must_use]
    pub fn score(&self) -> u32 {
        self.score
    }

    /// The moves and new tiles.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Replays the game.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.plies.iter().scan(self.start, |state, &ply| {
            let Played { afterstate: slid, reward } = state.play_unchecked(ply.mv);
            let next = slid.spawn(ply.spawn).ok()?;
            Some(Step { state: std::mem::replace(state, next), ply, slid, reward, next })
        })
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.mv.letter(), self.spawn)
    }
}

/// The text of the record, the newline after its last line included.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "2048 record {VERSION}")?;
        if !self.agent.is_empty() {
            writeln!(f, "agent {}", self.agent)?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed {seed}")?;
        }
        writeln!(f, "start {}", self.start.0)?;
        for ply in &self.plies {
            writeln!(f, "{ply}")?;
        }
        writeln!(f, "end {} moves {} points", self.plies.len(), self.score)
    }
}
