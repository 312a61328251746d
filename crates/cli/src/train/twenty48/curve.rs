//! The learning curve: rows on the screen, a CSV file and a figure.

use std::io::Write;
use std::path::Path;

use afterstate_lab::report::{Content, Figure, Line, Point};
use afterstate_lab::stats::Interval;
use afterstate_learn::ntuple::{CurvePoint, Sample};

use crate::failure::Failure;
use crate::number;
use crate::train::outcome;

/// Writes the curve beside the model: as CSV and as a figure.
pub(super) fn write(model: &Path, curve: &[CurvePoint], origin: &str) -> Result<(), Failure> {
    let mut csv = format!("{}\n", CurvePoint::CSV_HEADER);
    for point in curve {
        csv += &point.csv();
        csv.push('\n');
    }
    outcome::write(&model.with_extension("csv"), csv.as_bytes())?;
    outcome::write(&model.with_extension("svg"), figure(curve).to_svg(origin).as_bytes())
}

fn figure(curve: &[CurvePoint]) -> Figure {
    let points = curve.iter().map(|point| Point {
        x: point.games as f64 / 1e3,
        y: point.sample.mean / 1e3,
        interval: Some(Interval::around(point.sample.mean / 1e3, point.sample.half_width / 1e3)),
    });
    let line = Line { name: "1-ply, not learning".to_owned(), points: points.collect(), marked: curve.len() <= 60 };
    Figure {
        title: "Learning 2048".to_owned(),
        x_label: "games learned from, in thousands".to_owned(),
        y_label: "mean score, in thousands".to_owned(),
        log: false,
        log_x: false,
        content: Content::Lines(vec![line]),
    }
}

/// The heading of the rows that [`show`] writes.
pub(super) fn heading(out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "     games   seconds  mean score              2048   4096   8192  16384  32768")?;
    out.flush()?;
    Ok(())
}

/// One row.
pub(super) fn show(out: &mut impl Write, point: &CurvePoint) -> Result<(), Failure> {
    let CurvePoint { games, seconds, sample, .. } = point;
    let mean = number::grouped(sample.mean.round() as u64);
    let around = format!("+- {}", number::grouped(sample.half_width.round() as u64));
    let rates: Vec<String> = (11..=15).map(|exponent| percent(sample, 1 << exponent)).collect();
    writeln!(out, "{:>10}  {seconds:>8.1}  {mean:>10} {around:<10} {}", number::grouped(*games), rates.join(" "))?;
    out.flush()?;
    Ok(())
}

fn percent(sample: &Sample, tile: u32) -> String {
    format!("{:>5.1}%", 100.0 * sample.rate(tile))
}

/// The line that shows how a training goes, about once a second.
pub(super) fn progress_line(games: u64, speed: f64, recent: &Sample) -> String {
    let rates: Vec<String> = recent
        .tiles
        .iter()
        .filter(|tile| tile.tile >= 2048 && tile.rate > 0.0)
        .map(|tile| format!("{} {:.1}%", tile.tile, 100.0 * tile.rate))
        .collect();
    format!(
        "{} games, mean {}, {}{}{} moves/s",
        number::grouped(games),
        number::grouped(recent.mean.round() as u64),
        rates.join(", "),
        if rates.is_empty() { "" } else { ", " },
        number::scaled(speed)
    )
}
