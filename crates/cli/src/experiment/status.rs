//! `afterstate status`: how far experiments are, also while they run.

use std::io::Write;

use afterstate_lab::experiment::RowStatus;
use serde_json::json;

use super::args::StatusArgs;
use super::live::{duration, headline};
use super::{Chosen, chosen, slurm};
use crate::failure::Failure;
use crate::number;

/// Prints the rows of every experiment with their games.
pub(crate) fn run(out: &mut impl Write, args: &StatusArgs) -> Result<(), Failure> {
    let chosen = chosen(&args.experiment)?;
    if args.json {
        let all: Result<Vec<_>, Failure> = chosen
            .iter()
            .map(|one| {
                let status = if one.store.is_file() { Some(one.plan.status(&one.read()?)?) } else { None };
                let (rounds, _) = slurm::status(one, args.folder.as_deref())?;
                Ok(json!({ "experiment": one.experiment.name, "results": one.store, "status": status, "rounds": rounds }))
            })
            .collect();
        writeln!(out, "{}", json!(all?))?;
        return Ok(());
    }
    chosen.iter().try_for_each(|one| {
        show(out, one)?;
        let (rounds, silence) = slurm::status(one, args.folder.as_deref())?;
        slurm::show_status(out, &rounds, silence.as_deref())
    })
}

pub(super) fn show(out: &mut impl Write, chosen: &Chosen) -> Result<(), Failure> {
    writeln!(out, "{}", chosen.title())?;
    if !chosen.store.is_file() {
        writeln!(out, "  nothing yet: {} does not exist", chosen.store.display())?;
        return Ok(());
    }
    let status = chosen.plan.status(&chosen.read()?)?;
    let rows: Vec<[String; 4]> = status.rows.iter().map(columns).collect();
    let widths = [0, 1, 2].map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    for [name, games, left, headline] in &rows {
        let [names, of, to_go] = widths;
        writeln!(out, "  {name:<names$}  {games:>of$}  {left:<to_go$}  {headline}")?;
    }
    if let Some(last) = status.sessions.last() {
        writeln!(out, "  last run {}: {}", last.started, last.provenance.command)?;
    }
    if status.other_series > 0 {
        let other = status.other_series;
        writeln!(out, "  {other} other series are in {} and not counted here", chosen.store.display())?;
    }
    Ok(())
}

/// The name of a row, its games, what is left to do and what it says so far.
fn columns(row: &RowStatus) -> [String; 4] {
    let left = match row.seconds_left() {
        _ if row.complete => "complete".to_owned(),
        Some(seconds) => format!("{} of one thread to go", duration(seconds)),
        None => "not begun".to_owned(),
    };
    let games = format!("{} of {}", number::grouped(row.games), number::grouped(row.max_games));
    [row.name.clone(), games, left, headline(row.headline)]
}
