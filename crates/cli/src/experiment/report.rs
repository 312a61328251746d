//! `afterstate report`: what experiments found, in every format, also while they run.

use std::io::Write;
use std::path::Path;

use afterstate_lab::report::Report;

use super::args::{ReportArgs, ReportFormat};
use super::chosen;
use crate::failure::Failure;
use crate::table;

/// Writes the report's files, or prints one format.
pub(crate) fn run(out: &mut impl Write, args: &ReportArgs) -> Result<(), Failure> {
    let chosen = chosen(&args.experiment)?;
    for one in &chosen {
        let report = Report::build(&one.experiment, &one.plan, &one.read()?)?;
        let Some(format) = args.format else {
            let folder = match &args.to {
                Some(folder) if chosen.len() == 1 => folder.clone(),
                Some(folder) => folder.join(&one.experiment.name),
                None => one.report_folder(),
            };
            write_files(&report, &folder)?.iter().try_for_each(|path| writeln!(out, "{}", path.display()))?;
            continue;
        };
        match format {
            ReportFormat::Text => table::show_all(out, &report.tables)?,
            ReportFormat::Markdown => out.write_all(report.to_markdown().as_bytes())?,
            ReportFormat::Latex => out.write_all(report.to_latex().join("\n").as_bytes())?,
            ReportFormat::Csv => out.write_all(report.to_csv().join("\n").as_bytes())?,
            ReportFormat::Json => out.write_all(report.to_json().as_bytes())?,
            ReportFormat::Html => out.write_all(report.to_html().as_bytes())?,
        }
    }
    Ok(())
}

/// Writes all files of a report.
pub(super) fn write_files(report: &Report, folder: &Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    report
        .write(folder)
        .map_err(|error| Failure::world(format_args!("writing the report to {}", folder.display()), error))
}
