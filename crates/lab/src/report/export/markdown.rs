//! Reports as Markdown.

use std::fmt::Write as _;

use crate::report::number::Style;
use crate::report::{Cell, Report, Table};

pub(super) fn write(report: &Report) -> String {
    let mut text = format!("# {}\n\n", report.title);
    if !report.about.is_empty() {
        let _ = writeln!(text, "{}\n", report.about.trim());
    }
    if !report.complete {
        text += "**Preliminary: not all games have been played.**\n\n";
    }
    for table in &report.tables {
        let _ = writeln!(text, "## {}\n\n{}", table.title, write_table(table));
    }
    for (number, figure) in (1..).zip(&report.figures) {
        let _ = writeln!(text, "![{}](figure-{number}.svg)\n", figure.title);
    }
    let _ = writeln!(text, "{}", report.origin.line());
    text
}

fn write_table(table: &Table) -> String {
    let mut text = format!("| {} |\n", table.columns.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(table.columns.len()));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| cell_text(cell).replace('|', "\\|")).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    for note in &table.notes {
        let _ = write!(text, "\n{note}\n");
    }
    text
}

/// A cell as people read it.
pub(super) fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Empty => String::new(),
        Cell::Reading(reading) => {
            let value = Style::PLAIN.value(reading.value, reading.unit);
            match Style::PLAIN.interval(reading) {
                interval if interval.is_empty() => value,
                interval => format!("{value} ({interval})"),
            }
        }
    }
}
