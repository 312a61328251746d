//! Tables on a terminal.

use std::io::{self, Write};

use afterstate_lab::report::{Cell, Table};

/// The width that tables try to keep to where the terminal does not say its own.
const USUAL_WIDTH: usize = 120;

/// Prints tables one under the other.
pub(crate) fn show_all(out: &mut impl Write, tables: &[Table]) -> io::Result<()> {
    tables.iter().try_for_each(|table| show(out, table))
}

/// Prints one table; one that is too wide is turned on its side if that helps.
pub(crate) fn show(out: &mut impl Write, table: &Table) -> io::Result<()> {
    let width = crossterm::terminal::size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width).max(USUAL_WIDTH));
    writeln!(out, "{}\n", table.title)?;
    let upright = grid(table);
    let turned = turned(&upright);
    let grid =
        if line_width(&upright) > width && line_width(&turned) < line_width(&upright) { turned } else { upright };
    let widths = widths(&grid);
    for row in &grid {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let space = " ".repeat(width - cell.chars().count());
            // The first column holds names, the others figures.
            line += &if column == 0 { format!("  {cell}{space}") } else { format!("  {space}{cell}") };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    for note in &table.notes {
        writeln!(out, "  {note}")?;
    }
    if table.notes.is_empty() { Ok(()) } else { writeln!(out) }
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
