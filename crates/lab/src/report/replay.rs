//! Games to look at, for the page that replays them.

use afterstate_game::Notation as _;

use super::course;
use super::data::{Games, RowData};
use crate::store::Store;
use crate::{LabError, ranges};

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
    /// A game of 2048: two letters for each move, so that thousands of games fit on a page.
    Twenty48 {
        /// The board before the first move.
        start: String,
        /// The move (`L`, `R`, `U`, `D`; small if the new tile is a 4), then the cell of the new tile (`a` to `p`, row by row).
        moves: String,
    },
    /// The positions of a game of Abalone and the moves between them.
    Abalone(Vec<String>),
}

/// The first games of every row, as many as fit.
pub(super) fn collect(rows: &[RowData<'_>], store: &Store) -> Result<Vec<Replay>, LabError> {
    let mut replays = Vec::new();
    let mut left = LARGEST_PAGE;
    let mut stored = Vec::new();
    for row in rows {
        stored.extend(row.stored(store)?);
    }
    for game in ranges::united(stored).into_iter().flatten() {
        for row in rows {
            let Some(series) = row.series.filter(|_| game < row.end()) else { continue };
            let Some(record) = store.record(series, game)? else { continue };
            let moves = match row.games {
                Games::Solo(..) => packed(&record),
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
            Self::Twenty48 { start, moves } => start.len() + moves.len(),
            Self::Abalone(positions) => positions.iter().map(String::len).sum(),
        }
    }
}

/// A record of 2048 without what the page can work out for itself.
fn packed(record: &str) -> ReplayMoves {
    let start = record.lines().find_map(|line| line.strip_prefix("start ")).unwrap_or_default().to_owned();
    let moves = record.lines().filter_map(packed_move).flatten().collect();
    ReplayMoves::Twenty48 { start, moves }
}

/// `L b4=2` as `Ln`: the fourteenth cell.
fn packed_move(line: &str) -> Option<[char; 2]> {
    let &[mv @ (b'L' | b'R' | b'U' | b'D'), b' ', column @ b'a'..=b'd', row @ b'1'..=b'4', b'=', tile @ (b'2' | b'4')] =
        line.as_bytes()
    else {
        return None;
    };
    let cell = b'a' + 4 * (row - b'1') + (column - b'a');
    let mv = if tile == b'4' { mv.to_ascii_lowercase() } else { mv };
    Some([char::from(mv), char::from(cell)])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_2048_is_packed_into_two_letters_a_move() {
        let record = "2048 record 1\nagent random\nstart 2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0\nL b4=2\nD a1=4\nend\n";
        let start = "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0".to_owned();
        assert_eq!(packed(record), ReplayMoves::Twenty48 { start, moves: "Lnda".to_owned() });
    }
}
