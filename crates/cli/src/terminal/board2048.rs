//! A 2048 board as lines of text, with and without colours.

use afterstate_twenty48::{Board, Cell, Tile};
use crossterm::style::{Color, Stylize};

/// Width of a cell: the largest tile, 131072, and a space on each side.
const WIDTH: usize = 8;

/// The board in plain text.
pub(crate) fn plain(board: Board) -> String {
    let rule = format!("+{}", format!("{}+", "-".repeat(WIDTH)).repeat(4));
    let mut lines = vec![rule.clone()];
    for row in 0..4 {
        let cells: String = cells(board, row).map(|tile| format!("{}|", text(tile))).collect();
        lines.push(format!("|{cells}"));
        lines.push(rule.clone());
    }
    lines.join("\n")
}

/// The board in colours, three lines a row. The number is always written: colour only helps the eye.
pub(crate) fn coloured(board: Board) -> Vec<String> {
    let mut lines = Vec::new();
    for row in 0..4 {
        let blank: String = cells(board, row).map(|tile| paint(&" ".repeat(WIDTH), tile)).collect();
        let numbers: String = cells(board, row).map(|tile| paint(&text(tile), tile)).collect();
        lines.extend([blank.clone(), numbers, blank]);
    }
    lines
}

fn cells(board: Board, row: usize) -> impl Iterator<Item = Option<Tile>> {
    Cell::all().filter(move |cell| cell.row() == row).map(move |cell| board.get(cell))
}

fn text(tile: Option<Tile>) -> String {
    let value = tile.map_or_else(|| ".".to_owned(), |tile| tile.value().to_string());
    format!("{value:^WIDTH$}")
}

fn paint(text: &str, tile: Option<Tile>) -> String {
    let exponent = tile.map_or(0, Tile::exponent);
    let (r, g, b) = BACKGROUNDS[usize::from(exponent).min(BACKGROUNDS.len() - 1)];
    let ink = if (1..=2).contains(&exponent) { Color::Rgb { r: 60, g: 50, b: 40 } } else { Color::White };
    text.with(ink).on(Color::Rgb { r, g, b }).bold().to_string()
}

/// From empty over the warm colours of the small tiles to the dark ones beyond 2048.
const BACKGROUNDS: [(u8, u8, u8); 18] = [
    (58, 54, 50),
    (238, 228, 218),
    (237, 224, 200),
    (216, 130, 70),
    (214, 106, 58),
    (210, 84, 58),
    (200, 58, 34),
    (176, 140, 40),
    (168, 132, 24),
    (158, 124, 10),
    (148, 114, 0),
    (134, 104, 0),
    (70, 110, 60),
    (40, 100, 90),
    (30, 90, 130),
    (60, 60, 150),
    (100, 40, 140),
    (140, 20, 90),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_fits_into_its_cell() {
        assert!(Tile::all().all(|tile| text(Some(tile)).len() == WIDTH));
        assert_eq!(BACKGROUNDS.len(), usize::from(Tile::MAX.exponent()) + 1);
    }
}
