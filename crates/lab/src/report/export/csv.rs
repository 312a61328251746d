//! Tables as CSV (RFC 4180): figures with all their digits, and their intervals in columns of their own.

use crate::report::{Cell, Origin, Table};

pub(super) fn write(table: &Table, origin: &Origin) -> String {
    // A column has an interval if any of its figures has one.
    let with_interval: Vec<bool> = (0..table.columns.len())
        .map(|column| {
            let has = |row: &Vec<Cell>| matches!(row.get(column), Some(Cell::Reading(r)) if r.interval.is_some());
            table.rows.iter().any(has)
        })
        .collect();
    let mut text = format!("# {}\n# {}\n", one_line(&table.title), one_line(&origin.line()));
    let headings = table.columns.iter().zip(&with_interval).flat_map(|(heading, &with_interval)| {
        let ends = with_interval.then(|| [format!("{heading} low"), format!("{heading} high")]);
        std::iter::once(heading.clone()).chain(ends.into_iter().flatten())
    });
    text += &record(headings);
    for row in &table.rows {
        let cells = row.iter().zip(&with_interval).flat_map(|(cell, &with_interval)| {
            let (value, ends) = match cell {
                Cell::Text(words) => (words.clone(), None),
                Cell::Empty => (String::new(), None),
                Cell::Reading(reading) => {
                    (reading.value.to_string(), reading.interval.map(|i| [i.low.to_string(), i.high.to_string()]))
                }
            };
            let ends = with_interval.then(|| ends.unwrap_or_default());
            std::iter::once(value).chain(ends.into_iter().flatten())
        });
        text += &record(cells);
    }
    text
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

fn record(fields: impl Iterator<Item = String>) -> String {
    let quoted = fields.map(|field| {
        if field.contains([',', '"', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}
