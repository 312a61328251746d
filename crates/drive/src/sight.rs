//! What is to be seen on a 2048 page, and what it means.

use afterstate_twenty48::{Board, Cell, State, Tile};
use serde::Deserialize;

use crate::DriveError;

/// What the script in the page reports, unread.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Look {
    /// Why the browser could not load the page, where it shows that instead.
    pub(crate) failure: Option<String>,
    pub(crate) title: String,
    /// Whether there is a place for tiles.
    pub(crate) container: bool,
    /// The classes of every tile element.
    pub(crate) tiles: Vec<String>,
    pub(crate) score: Option<String>,
    pub(crate) over: bool,
    pub(crate) won: bool,
    /// The original keeps its game here.
    pub(crate) state: Option<String>,
    /// What lies over the board.
    pub(crate) cover: Option<String>,
}

/// What is to be seen on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The board.
    pub board: Board,
    /// The score, if the page shows one that can be read.
    pub score: Option<u32>,
    /// What the page says over the board.
    pub message: Option<Message>,
}

/// What a page says over its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// 2048 is reached; a button leads on.
    Won,
    /// No move is left.
    Over,
}

/// The game as the original stores it.
#[derive(Debug, Deserialize)]
struct GameState {
    grid: Grid,
    score: u32,
}

#[derive(Debug, Deserialize)]
struct Grid {
    cells: Vec<Vec<Option<StoredTile>>>,
}

#[derive(Debug, Deserialize)]
struct StoredTile {
    position: StoredPlace,
    value: u32,
}

#[derive(Debug, Deserialize)]
struct StoredPlace {
    x: usize,
    y: usize,
}

impl Look {
    /// Reads the report.
    pub(crate) fn read(&self) -> Result<Sight, DriveError> {
        if let Some(reason) = &self.failure {
            return Err(DriveError::NotLoaded(reason.clone()));
        }
        if !self.container {
            let found = if self.title.is_empty() { "it has no title".to_owned() } else { format!("{:?}", self.title) };
            return Err(DriveError::NotTheGame(format!("there is no `.tile-container` on it ({found})")));
        }
        if let Some(cover) = &self.cover {
            return Err(DriveError::Covered(cover.clone()));
        }
        let message = match (self.over, self.won) {
            (true, _) => Some(Message::Over),
            (false, true) => Some(Message::Won),
            (false, false) => None,
        };
        // The stored game changes at once; the elements follow with the next frames. It is deleted when the game ends.
        let stored = self.state.as_deref().filter(|_| message != Some(Message::Over)).and_then(read_state);
        let (board, score) = match stored {
            Some((board, score)) => (board, Some(score)),
            None => (read_tiles(&self.tiles)?, self.score.as_deref().and_then(read_score)),
        };
        Ok(Sight { board, score, message })
    }
}

impl Sight {
    /// The position to decide.
    #[must_use]
    pub fn state(&self) -> State {
        State(self.board)
    }
}

/// The stored game, or `None` if it is not that of a 4x4 game of this kind.
fn read_state(text: &str) -> Option<(Board, u32)> {
    let state: GameState = serde_json::from_str(text).ok()?;
    if state.grid.cells.len() != 4 || state.grid.cells.iter().any(|column| column.len() != 4) {
        return None;
    }
    let mut board = Board::EMPTY;
    for tile in state.grid.cells.iter().flatten().flatten() {
        let cell = Cell::at(tile.position.y, tile.position.x)?;
        board = board.with(cell, Some(Tile::from_value(tile.value)?));
    }
    Some((board, state.score))
}

/// The board of the tile elements. While tiles merge, the old ones lie under the new one: the largest counts.
fn read_tiles(tiles: &[String]) -> Result<Board, DriveError> {
    let mut board = Board::EMPTY;
    for classes in tiles {
        let unreadable = || DriveError::NotTheGame(format!("a tile has the classes {classes:?}"));
        let (cell, tile) = read_tile(classes).ok_or_else(unreadable)?;
        if board.get(cell).is_none_or(|below| below < tile) {
            board = board.with(cell, Some(tile));
        }
    }
    Ok(board)
}

/// The cell and the tile of `tile tile-8 tile-position-1-2`: columns and rows count from 1.
fn read_tile(classes: &str) -> Option<(Cell, Tile)> {
    let mut value = None;
    let mut place = None;
    for class in classes.split_whitespace() {
        if let Some(rest) = class.strip_prefix("tile-position-") {
            let (column, row) = rest.split_once('-')?;
            let (column, row): (usize, usize) = (column.parse().ok()?, row.parse().ok()?);
            place = Cell::at(row.checked_sub(1)?, column.checked_sub(1)?);
        } else if let Some(number) = class.strip_prefix("tile-").and_then(|rest| rest.parse().ok()) {
            value = Tile::from_value(number);
        }
    }
    place.zip(value)
}

/// The number at the start of a score box, whose text may go on with an addition: `1,204+8`.
fn read_score(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.' | '\u{202f}' | '\u{a0}' | '\''));
    let digits: String = text[..end.unwrap_or(text.len())].chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn look(tiles: &[&str]) -> Look {
        Look { container: true, tiles: tiles.iter().map(|&classes| classes.to_owned()).collect(), ..Look::default() }
    }

    #[test]
    fn tiles_are_read_by_column_and_row_and_the_merged_one_counts() {
        let seen = look(&[
            "tile tile-2 tile-position-1-1",
            "tile tile-4 tile-position-4-1 tile-new",
            "tile tile-8 tile-position-2-3",
            "tile tile-16 tile-position-2-3 tile-merged",
            "tile tile-4096 tile-position-4-4 tile-super",
        ]);
        assert_eq!(seen.read().unwrap().board.to_string(), "2 0 0 4/0 0 0 0/0 16 0 0/0 0 0 4096");
    }

    #[test]
    fn the_stored_game_goes_before_the_elements() {
        let state = r#"{"grid":{"size":4,"cells":[[null,{"position":{"x":0,"y":1},"value":2},null,null],
            [null,null,null,null],[null,null,null,null],[null,null,null,{"position":{"x":3,"y":3},"value":1024}]]},
            "score":12,"over":false,"won":false,"keepPlaying":false}"#;
        let mut seen = Look { state: Some(state.to_owned()), ..look(&["tile tile-2 tile-position-1-1"]) };
        let sight = seen.read().unwrap();
        assert_eq!((sight.board.to_string().as_str(), sight.score), ("0 0 0 0/2 0 0 0/0 0 0 0/0 0 0 1024", Some(12)));
        seen.over = true;
        assert_eq!(seen.read().unwrap().board.to_string(), "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0");
    }

    #[test]
    fn a_page_that_is_no_2048_game_is_refused_in_words() {
        let refused = |look: &Look| look.read().unwrap_err().to_string();
        assert!(refused(&Look { title: "Chess".to_owned(), ..Look::default() }).contains("(\"Chess\")"));
        assert!(refused(&look(&["tile tile-2 tile-position-5-1"])).contains("tile-position-5-1"));
        assert!(refused(&look(&["tile tile-3 tile-position-1-1"])).contains("tile-3"));
        let failed = Look { failure: Some("ERR_CONNECTION_REFUSED".to_owned()), ..Look::default() };
        assert!(refused(&failed).contains("cannot load the page: ERR_CONNECTION_REFUSED"));
        let covered = Look { cover: Some("<div id=cookies>".to_owned()), ..look(&[]) };
        assert!(refused(&covered).contains("covered by <div id=cookies>"));
    }

    #[test]
    fn scores_are_read_with_separators_and_additions() {
        for (text, score) in [("0", 0), ("1204", 1204), ("1,204+8", 1204), ("  37 ", 37), ("12.345", 12345)] {
            assert_eq!(read_score(text), Some(score), "{text}");
        }
        assert_eq!(read_score("none"), None);
    }

    proptest! {
        #[test]
        fn nothing_a_page_says_panics(
            tiles in proptest::collection::vec("\\PC{0,40}|tile tile-[0-9]{1,7} tile-position-[0-9]-[0-9]", 0..20),
            state in proptest::option::of("\\PC{0,80}"),
            score in proptest::option::of("\\PC{0,20}"),
        ) {
            let seen = Look { container: true, tiles, state, score, ..Look::default() };
            let _ = seen.read();
        }
    }
}
