//! Shards: how a task that runs elsewhere hands over its games.
//!
//! A shard is a file that one task alone writes and only ever appends to, so that a shared folder is all that the machines need
//! in common. It begins with a line that says what it is, then come frames with checksums: a heading that says who plays
//! which series, and one frame for every finished game. A tail that was cut off in the middle of a frame is what a killed
//! task leaves behind: it is ignored, and its game is missing. Damage anywhere else is an error.
//!
//! [`Merger`] brings the games of many shards into a results store, each once, also while the tasks still write.

mod error;
mod frame;
mod game;
mod merge;
mod reader;
mod writer;

use serde::{Deserialize, Serialize};

pub use error::ShardError;
pub use game::ShardGame;
pub use merge::Merger;
pub use reader::{Content, ShardReader};
pub use writer::ShardWriter;

use crate::store::Session;

/// What a shard says about all its games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Who plays them.
    pub session: Session,
    /// The table of the store that they belong to.
    pub table: String,
    /// The definitions of the series; games name theirs by its place in this list.
    pub series: Vec<String>,
}

/// The first bytes of every shard; the number is the version of the format.
const MAGIC: &[u8; 19] = b"afterstate shard 1\n";
