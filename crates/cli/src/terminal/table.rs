//! Tables on a terminal.

use std::io::{self, Write};
use std::ops::Range;

use afterstate_lab::report::{Cell, Table};

/// The width that tables try to keep to where no terminal says its own.
const USUAL_WIDTH: usize = 120;

/// Prints tables one under the other.
pub(crate) fn show_all(out: &mut impl Write, tables: &[Table]) -> io::Result<()> {
    tables.iter().try_for_each(|table| show(out, table))
}

/// Prints one table.
pub(crate) fn show(out: &mut impl Write, table: &Table) -> io::Result<()> {
    writeln!(out, "{}\n", table.title)?;
    lines(grid(table), super::width().unwrap_or(USUAL_WIDTH)).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    for note in &table.notes {
        writeln!(out, "  {note}")?;
    }
    if table.notes.is_empty() { Ok(()) } else { writeln!(out) }
}

/// A table that is too wide is turned on its side if that helps, and its columns then go below each other as far as they must.
fn lines(upright: Vec<Vec<String>>, width: usize) -> Vec<String> {
    let turned = turned(&upright);
    let grid =
        if line_width(&upright) > width && line_width(&turned) < line_width(&upright) { turned } else { upright };
    let widths = widths(&grid);
    let mut lines = Vec::new();
    for columns in parts(&widths, width) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(grid.iter().map(|row| line(row, &widths, columns.clone())));
    }
    lines
}

/// The columns after the first one, which holds names and stands before each part, in parts that fit if their columns do.
fn parts(widths: &[usize], width: usize) -> Vec<Range<usize>> {
    let names = widths.first().map_or(0, |names| names + 2);
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut room = 0;
    for (column, needed) in widths.iter().map(|width| width + 2).enumerate().skip(1) {
        match parts.last_mut().filter(|_| needed <= room) {
            Some(part) => part.end = column + 1,
            None => {
                parts.push(column..column + 1);
                room = width.saturating_sub(names);
            }
        }
        room = room.saturating_sub(needed);
    }
    if parts.is_empty() {
        parts.push(1..1);
    }
    parts
}

fn line(row: &[String], widths: &[usize], columns: Range<usize>) -> String {
    let cell = |column: usize| row.get(column).map_or("", String::as_str);
    let space = |column: usize| " ".repeat(widths[column] - cell(column).chars().count());
    let mut line = String::new();
    for column in (0..widths.len().min(1)).chain(columns) {
        // The first column holds names, the others figures.
        let (cell, space) = (cell(column), space(column));
        line += &if column == 0 { format!("  {cell}{space}") } else { format!("  {space}{cell}") };
    }
    line.trim_end().to_owned()
}

fn grid(table: &Table) -> Vec<Vec<String>> {
    let rows = table.rows.iter().map(|row| row.iter().map(Cell::to_string).collect());
    std::iter::once(table.columns.clone()).chain(rows).collect()
}

fn turned(grid: &[Vec<String>]) -> Vec<Vec<String>> {
    let columns = grid.first().map_or(0, Vec::len);
    (0..columns).map(|column| grid.iter().map(|row| row.get(column).cloned().unwrap_or_default()).collect()).collect()
}

fn widths(grid: &[Vec<String>]) -> Vec<usize> {
    let columns = grid.first().map_or(0, Vec::len);
    let widest = |column| grid.iter().filter_map(|row| row.get(column)).map(|cell: &String| cell.chars().count()).max();
    (0..columns).map(|column| widest(column).unwrap_or(0)).collect()
}

fn line_width(grid: &[Vec<String>]) -> usize {
    widths(grid).iter().map(|width| width + 2).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn a_table_that_is_too_wide_is_turned_and_then_folded() {
        let table = || grid(&[&["", "games", "mean score"], &["A", "1", "1,000"], &["B", "2", "20"]]);
        assert_eq!(lines(table(), 80), ["     games  mean score", "  A      1       1,000", "  B      2          20"]);
        let turned = ["                  A   B", "  games           1   2", "  mean score  1,000  20"];
        assert_eq!(lines(table(), 22), ["     games  mean score", "  A      1       1,000", "  B      2          20"]);
        assert_eq!(
            lines(table(), 21),
            ["     games", "  A      1", "  B      2", "", "     mean score", "  A       1,000", "  B          20"]
        );
        let longer =
            || grid(&[&["", "games", "mean score", "tile 2048"], &["A", "1", "1,000", "5%"], &["B", "2", "20", "7%"]]);
        assert_eq!(lines(longer(), 30)[..3], turned);
        assert_eq!(lines(longer(), 20).len(), 9, "{:?}", lines(longer(), 20));
        assert!(lines(longer(), 1).iter().all(|line| line.chars().count() < 22));
    }
}
