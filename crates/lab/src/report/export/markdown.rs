//! Reports as Markdown.

use std::fmt::Write as _;

use crate::report::{Report, Table};

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
        let cells: Vec<String> = row.iter().map(|cell| cell.to_string().replace('|', "\\|")).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    for note in &table.notes {
        let _ = write!(text, "\n{note}\n");
    }
    text
}
