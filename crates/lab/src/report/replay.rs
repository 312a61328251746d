//! Games to look at, for the page that replays them.

use afterstate_game::Notation as _;

use super::course;
use super::data::{Games, RowData};
use crate::LabError;
use crate::store::Store;

/// A page larger than this is slow to open; what does not fit stays in the results file.
const LARGEST_PAGE: usize = 24 << 20;

/// A game that can be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The row it belongs to.
    pub row: String,
    /// Its number.
    pub game: u64,
    /// What is played and shown.
    pub moves: ReplayMoves,
}

/// A game in the form in which the page replays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayMoves {
    /// A record of 2048.
    Twenty48(String),
    /// The positions of a game of Abalone and the moves between them.
    Abalone(Vec<String>),
}

/// The first games of every row, as many as fit.
pub(super) fn collect(rows: &[RowData<'_>], store: &Store) -> Result<Vec<Replay>, LabError> {
    let mut replays = Vec::new();
    let mut left = LARGEST_PAGE;
    let longest = rows.iter().map(RowData::count).max().unwrap_or(0);
    for game in 0..longest {
        for row in rows {
            let Some(series) = row.series.filter(|_| game < row.count()) else { continue };
            let Some(record) = store.record(series, game)? else { continue };
            let moves = match row.games {
                Games::Solo(..) => ReplayMoves::Twenty48(record),
                Games::Duel(..) => ReplayMoves::Abalone(positions(&record)),
                Games::Decision(..) => continue,
            };
            let size = moves.size();
            if size > left {
                return Ok(replays);
            }
            left -= size;
            replays.push(Replay { row: row.row.name.clone(), game, moves });
        }
    }
    Ok(replays)
}

impl ReplayMoves {
    fn size(&self) -> usize {
        match self {
            Self::Twenty48(record) => record.len(),
            Self::Abalone(positions) => positions.iter().map(String::len).sum(),
        }
    }
}

/// The start, then for every half-move the move and the position it led to.
fn positions(record: &str) -> Vec<String> {
    let Some((start, plies)) = course::abalone(record) else { return Vec::new() };
    let mut before = start;
    let mut positions = vec![start.to_text()];
    for (mv, after) in plies {
        positions.push(format!("{} {}", before.move_to_text(mv), after.to_text()));
        before = after;
    }
    positions
}
