//! Reports as one page that needs no network: tables, figures and games to replay.

use std::fmt::Write as _;

use serde_json::json;

use crate::report::draw::escaped;
use crate::report::number::Style;
use crate::report::replay::ReplayMoves;
use crate::report::{Cell, Report, Table};

pub(super) const STYLE: &str = include_str!("page.css");
const REPLAYER: &str = include_str!("replayer.js");

pub(super) fn write(report: &Report) -> String {
    let title = escaped(&report.title);
    let origin = report.origin.line();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    if !report.about.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", escaped(report.about.trim()));
    }
    if !report.complete {
        page += "<p class=\"preliminary\">Preliminary: not all games have been played.</p>\n";
    }
    for table in &report.tables {
        page += &write_table(table, &origin);
    }
    for figure in &report.figures {
        let _ = writeln!(page, "<figure>\n{}</figure>", figure.to_svg(&origin));
    }
    page += &write_replays(report);
    let _ = write!(page, "<footer>{}</footer>\n</body>\n</html>\n", escaped(&origin));
    page
}

fn write_table(table: &Table, origin: &str) -> String {
    let mut text = format!("<h2>{}</h2>\n<div class=\"wide\"><table>\n<thead><tr>", escaped(&table.title));
    for heading in &table.columns {
        let _ = write!(text, "<th scope=\"col\">{}</th>", escaped(heading));
    }
    text += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        text += "<tr>";
        for cell in row {
            text += &write_cell(cell);
        }
        text += "</tr>\n";
    }
    text += "</tbody>\n</table></div>\n";
    for note in &table.notes {
        let _ = writeln!(text, "<p class=\"note\">{}</p>", escaped(note));
    }
    let _ = writeln!(text, "<p class=\"origin\">{}</p>", escaped(origin));
    text
}

/// A figure has its interval under it: beside it, tables grow wider than pages.
fn write_cell(cell: &Cell) -> String {
    let Cell::Reading(reading) = cell else { return format!("<td>{}</td>", escaped(&cell.to_string())) };
    let value = escaped(&Style::PLAIN.value(reading.value, reading.unit));
    match Style::PLAIN.interval(reading) {
        interval if interval.is_empty() => format!("<td class=\"number\">{value}</td>"),
        interval => format!("<td class=\"number\">{value}<br><small>{}</small></td>", escaped(&interval)),
    }
}

fn write_replays(report: &Report) -> String {
    if report.replays.is_empty() {
        return String::new();
    }
    let games: Vec<_> = report
        .replays
        .iter()
        .map(|replay| match &replay.moves {
            ReplayMoves::Twenty48 { start, moves } => {
                json!({ "row": replay.row, "game": replay.game, "start": start, "moves": moves })
            }
            ReplayMoves::Abalone(positions) => {
                json!({ "row": replay.row, "game": replay.game, "positions": positions })
            }
        })
        .collect();
    // Inside a script element only its end tag is special.
    let games = json!(games).to_string().replace("</", "<\\/");
    let shown = report.replays.len() as u64;
    let rest = match report.origin.games.saturating_sub(shown) {
        0 => String::new(),
        rest => format!("<p class=\"note\">{rest} further games are in the results file.</p>\n"),
    };
    format!(
        "<h2>Games</h2>\n{rest}<section id=\"replayer\"></section>\n\
         <script type=\"application/json\" id=\"games\">{games}</script>\n<script>\n{REPLAYER}</script>\n"
    )
}
