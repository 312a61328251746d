//! `afterstate report`: what experiments found, in every format, also while they run.

use std::io::Write;
use std::path::{Path, PathBuf};

use afterstate_lab::report::{Report, index_page};

use super::args::{ReportArgs, ReportFormat};
use super::{Chosen, chosen};
use crate::failure::Failure;
use crate::terminal::table;

/// Writes the report's files, or prints one format.
pub(crate) fn run(out: &mut impl Write, args: &ReportArgs) -> Result<(), Failure> {
    let chosen = chosen(&args.experiment)?;
    let mut documents = Vec::new();
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
            ReportFormat::Json => documents.push(report.to_json()),
            ReportFormat::Html => out.write_all(report.to_html().as_bytes())?,
        }
    }
    let documents: Vec<&str> = documents.iter().map(|document| document.trim_end()).collect();
    match documents[..] {
        [] => {}
        [document] if !args.experiment.path.is_dir() => writeln!(out, "{document}")?,
        _ => writeln!(out, "[{}]", documents.join(",\n"))?,
    }
    Ok(())
}

/// Writes all files of a report.
pub(super) fn write_files(report: &Report, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    report
        .write(folder)
        .map_err(|error| Failure::world(format_args!("writing the report to {}", folder.display()), error))
}

/// Writes the page that links to the reports of a folder's experiments, beside the results.
pub(super) fn write_index(folder: &Path, chosen: &[Chosen], reports: &[Report]) -> Result<PathBuf, Failure> {
    let name = folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let name = name.unwrap_or_else(|| "experiments".to_owned());
    let beside = chosen.first().and_then(|one| one.store.parent()).unwrap_or(Path::new(""));
    let page = beside.join(format!("{name}.html"));
    let address = |one: &Chosen| format!("{}/report.html", one.experiment.name);
    let text = index_page(&name, reports.iter().zip(chosen.iter().map(address)));
    std::fs::write(&page, text).map_err(|error| Failure::world(format_args!("writing {}", page.display()), error))?;
    Ok(page)
}
