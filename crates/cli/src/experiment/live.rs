//! A run while it goes on: a table on the terminal, or a line now and then where nobody is looking.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use afterstate_lab::experiment::{RowStatus, RunProgress};
use afterstate_lab::stats::Estimate;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::number;
use crate::output::tell;

/// Between two pictures on a terminal.
const REDRAW: Duration = Duration::from_millis(200);
/// Between two lines in a log.
const LINE: Duration = Duration::from_secs(60);

/// Shows how far a run is.
pub(crate) struct Live {
    title: String,
    threads: usize,
    started: Instant,
    shown: Option<Instant>,
    /// The picture on a terminal; without one, lines are written.
    picture: Option<ProgressBar>,
}

impl Live {
    pub(crate) fn new(title: &str, threads: usize) -> Self {
        let picture = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self { title: title.to_owned(), threads, started: Instant::now(), shown: None, picture }
    }

    /// Called after every game; shows something from time to time.
    pub(crate) fn update(&mut self, progress: &RunProgress<'_>) {
        let pause = if self.picture.is_some() { REDRAW } else { LINE };
        // A log needs no line for a run that is over at once.
        let since = self.shown.or(self.picture.is_none().then_some(self.started));
        if since.is_some_and(|since| since.elapsed() < pause) {
            return;
        }
        self.shown = Some(Instant::now());
        let rows = progress.rows();
        let summary = self.summary(&rows);
        match &self.picture {
            None => tell!("{}: {summary}", self.title),
            Some(bar) => bar.set_message(picture(&self.title, &rows, progress.row, &summary)),
        }
    }

    /// Takes the picture away.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.picture {
            bar.finish_and_clear();
        }
    }

    fn summary(&self, rows: &[RowStatus]) -> String {
        let games: u64 = rows.iter().map(|row| row.games).sum();
        let wanted: u64 = rows.iter().map(|row| if row.complete { row.games } else { row.max_games }).sum();
        let open = rows.iter().any(|row| !row.complete && !row.fixed);
        let seconds: f64 = rows.iter().filter_map(RowStatus::seconds_left).sum();
        let unknown = rows.iter().any(|row| row.seconds_left().is_none());
        let left = duration(seconds / self.threads as f64);
        let left = match (open, unknown) {
            (true, _) => format!("at most {left} to go"),
            (false, true) => format!("more than {left} to go"),
            (false, false) => format!("about {left} to go"),
        };
        let most = if open { "at most " } else { "" };
        format!(
            "{} of {most}{} games, {} gone, {left}",
            number::grouped(games),
            number::grouped(wanted),
            duration(self.started.elapsed().as_secs_f64())
        )
    }
}

/// The rows around the one that is being played, as many as fit on the screen.
fn picture(title: &str, rows: &[RowStatus], current: usize, summary: &str) -> String {
    let (width, height) = crossterm::terminal::size().map_or((80, 24), |(width, height)| (width.max(40), height));
    let room = usize::from(height).saturating_sub(5).max(1);
    let first = if rows.len() <= room { 0 } else { current.saturating_sub(room / 2).min(rows.len() - room) };
    let shown = &rows[first..rows.len().min(first + room)];
    let names = shown.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).min(40);
    let mut lines = vec![title.to_owned()];
    for row in shown {
        let name: String = row.name.chars().take(names).collect();
        let games = format!("{}/{}", row.games, row.max_games);
        let done = if row.complete { "  done" } else { "" };
        lines.push(format!("  {name:<names$}  {games:>13}  {}{done}", headline(row.headline)));
    }
    if shown.len() < rows.len() {
        lines.push(format!("  ({} further rows)", rows.len() - shown.len()));
    }
    lines.push(summary.to_owned());
    let fitting = |line: String| line.chars().take(usize::from(width) - 1).collect::<String>();
    lines.into_iter().map(fitting).collect::<Vec<_>>().join("\n")
}

/// A main figure as people read it: `1,234 (1,100 to 1,380)`.
pub(crate) fn headline(estimate: Option<Estimate>) -> String {
    let Some(Estimate { value, interval }) = estimate else { return "-".to_owned() };
    match interval {
        Some(interval) => {
            format!("{} ({} to {})", number::whole(value), number::whole(interval.low), number::whole(interval.high))
        }
        None => number::whole(value),
    }
}

/// Seconds as people say them.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..=119 => format!("{whole} s"),
        120..=7199 => format!("{} min", whole.div_ceil(60)),
        7200..=172_799 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_said_as_people_say_them() {
        let said = [0.2, 59.6, 119.0, 121.0, 7200.0, 90_000.0, 200_000.0].map(duration);
        assert_eq!(said, ["0 s", "60 s", "119 s", "3 min", "2 h 0 min", "25 h 0 min", "2 days 7 h"]);
    }
}
