//! Tables as LaTeX, to be pasted into a thesis.

use std::fmt::Write as _;

use crate::report::number::Style;
use crate::report::{Cell, Origin, Table};

/// Shrinks the table to the width of the page where it is wider.
const FIT: &str = "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi";

pub(super) fn write(table: &Table, origin: &Origin) -> String {
    let columns = "r".repeat(table.columns.len().saturating_sub(1));
    let headings: Vec<String> = table.columns.iter().map(|heading| escaped(heading)).collect();
    let mut text = format!("% {}\n", origin.line().replace('\n', " "));
    text += "% Needs the packages booktabs and graphicx.\n";
    let _ = writeln!(text, "\\begin{{table}}\n  \\centering\n  \\caption{{{}}}", escaped(&table.title));
    let _ = writeln!(text, "  \\sbox0{{%\n  \\begin{{tabular}}{{l{columns}}}\n    \\toprule");
    let _ = writeln!(text, "    {} \\\\\n    \\midrule", headings.join(" & "));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(cell_text).collect();
        let _ = writeln!(text, "    {} \\\\[2pt]", cells.join(" & "));
    }
    let _ = writeln!(text, "    \\bottomrule\n  \\end{{tabular}}}}%\n  {FIT}");
    for note in &table.notes {
        let _ = writeln!(text, "  \\par\\footnotesize {}", escaped(note));
    }
    text + "\\end{table}\n"
}

/// A value, and its interval below it: beside it, a table of a few measures would be wider than a page.
fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escaped(text),
        Cell::Empty => "--".to_owned(),
        Cell::Reading(reading) => {
            let value = Style::LATEX.value(reading.value, reading.unit);
            match Style::LATEX.interval(reading) {
                interval if interval.is_empty() => value,
                interval => format!("\\shortstack[r]{{{value}\\\\ \\scriptsize {interval}}}"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Reading, Unit};
    use crate::stats::Interval;

    #[test]
    fn a_table_fits_the_page_and_its_words_are_escaped() {
        let interval = Some(Interval { low: 40.0, high: 60.5 });
        let reading = Cell::Reading(Reading { value: 50.0, interval, unit: Unit::Percent, games: 4 });
        let table = Table {
            title: "Won & lost".to_owned(),
            columns: vec![String::new(), "won".to_owned()],
            rows: vec![vec![Cell::Text("EXP_2".to_owned()), reading]],
            notes: vec!["Ranges are 95% intervals.".to_owned()],
        };
        let (command, machines, programs) = ("run x.toml".to_owned(), vec!["here".to_owned()], vec!["this".to_owned()]);
        let origin = Origin { command, games: 4, machines, programs };
        let expected = r"% run x.toml | 4 games | here | this
% Needs the packages booktabs and graphicx.
\begin{table}
  \centering
  \caption{Won \& lost}
  \sbox0{%
  \begin{tabular}{lr}
    \toprule
     & won \\
    \midrule
    EXP\_2 & \shortstack[r]{50.0\%\\ \scriptsize 40.0\% to 60.5\%} \\[2pt]
    \bottomrule
  \end{tabular}}%
  \ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi
  \par\footnotesize Ranges are 95\% intervals.
\end{table}
";
        assert_eq!(write(&table, &origin), expected);
    }
}
