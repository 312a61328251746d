//! Tables as LaTeX, to be pasted into a thesis.

use std::fmt::Write as _;

use crate::report::number::Style;
use crate::report::{Cell, Origin, Table};

pub(super) fn write(table: &Table, origin: &Origin) -> String {
    let columns = "r".repeat(table.columns.len().saturating_sub(1));
    let headings: Vec<String> = table.columns.iter().map(|heading| escaped(heading)).collect();
    let mut text = format!(
        "% {}\n\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{l{columns}}}\n    \\toprule\n    {} \\\\\n    \\midrule\n",
        origin.line().replace('\n', " "),
        escaped(&table.title),
        headings.join(" & ")
    );
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(cell_text).collect();
        let _ = writeln!(text, "    {} \\\\", cells.join(" & "));
    }
    text += "    \\bottomrule\n  \\end{tabular}\n";
    for note in &table.notes {
        let _ = writeln!(text, "  \\par\\footnotesize {}", escaped(note));
    }
    text + "\\end{table}\n"
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escaped(text),
        Cell::Empty => "--".to_owned(),
        Cell::Reading(reading) => {
            let value = Style::LATEX.value(reading.value, reading.unit);
            match Style::LATEX.interval(reading) {
                interval if interval.is_empty() => value,
                interval => format!("{value} ({interval})"),
            }
        }
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            'µ' => escaped += "\\textmu{}",
            '∞' => escaped += "$\\infty$",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}
