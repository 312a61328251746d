//! `afterstate export`: single games, for whoever wants to compute something else.

use std::io::Write;

use afterstate_lab::experiment::PlannedGames;
use afterstate_lab::export::{Form, games};

use super::args::{ExportArgs, ExportFormat};
use super::{Chosen, chosen};
use crate::failure::Failure;
use crate::file;

/// Writes the games of the experiments to a file or to standard output.
pub(crate) fn run(out: &mut impl Write, args: &ExportArgs) -> Result<(), Failure> {
    let mut chosen = chosen(&args.experiment)?;
    let in_folder = args.experiment.path.is_dir();
    if in_folder && args.format == ExportFormat::Csv {
        // Games of one kind have one heading: a stable order keeps them together.
        chosen.sort_by_key(|one| match one.plan.games {
            PlannedGames::Solo(_) => 0,
            PlannedGames::Duel(_) => 1,
            PlannedGames::Decision(_) => 2,
        });
    }
    match &args.to {
        None => write_all(out, &chosen, args.format, in_folder),
        Some(path) => file::replace(path, |file| write_all(file, &chosen, args.format, in_folder)),
    }
}

/// The games one experiment after the other. In a table of those in a folder the first column says which.
fn write_all(out: &mut impl Write, chosen: &[Chosen], format: ExportFormat, in_folder: bool) -> Result<(), Failure> {
    let form = match format {
        ExportFormat::Csv => Form::Csv,
        ExportFormat::Json => Form::JsonLines,
        ExportFormat::Records => Form::Records,
    };
    let mut headings = String::new();
    for one in chosen {
        let store = one.read()?;
        let mut is_heading = form == Form::Csv;
        games(&one.plan, &store, form, |text| {
            let is_heading = std::mem::take(&mut is_heading);
            if !in_folder || form != Form::Csv {
                return out.write_all(text.as_bytes());
            }
            if !is_heading {
                return write!(out, "{},{text}", one.experiment.name);
            }
            if headings == text {
                return Ok(());
            }
            text.clone_into(&mut headings);
            write!(out, "experiment,{text}")
        })??;
    }
    Ok(())
}
