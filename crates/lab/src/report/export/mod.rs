//! A report in every format: the same figures each time.

mod csv;
mod html;
mod index;
mod latex;
mod markdown;

use std::io;
use std::path::{Path, PathBuf};

pub use index::index_page;

use super::Report;

impl Report {
    /// The report as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        markdown::write(self)
    }

    /// The report as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A report is plain data: writing it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The report as one page that needs nothing else, with its games.
    #[must_use]
    pub fn to_html(&self) -> String {
        html::write(self)
    }

    /// The tables as CSV, one text for each.
    #[must_use]
    pub fn to_csv(&self) -> Vec<String> {
        self.tables.iter().map(|table| csv::write(table, &self.origin)).collect()
    }

    /// The tables as LaTeX, one text for each; they need the package `booktabs`.
    #[must_use]
    pub fn to_latex(&self) -> Vec<String> {
        self.tables.iter().map(|table| latex::write(table, &self.origin)).collect()
    }

    /// Writes everything into a folder and says which files there are.
    pub fn write(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        std::fs::create_dir_all(folder)?;
        let mut files = vec![
            ("report.html".to_owned(), self.to_html().into_bytes()),
            ("report.md".to_owned(), self.to_markdown().into_bytes()),
            ("report.json".to_owned(), self.to_json().into_bytes()),
        ];
        for (number, (csv, latex)) in (1..).zip(self.to_csv().into_iter().zip(self.to_latex())) {
            files.push((format!("table-{number}.csv"), csv.into_bytes()));
            files.push((format!("table-{number}.tex"), latex.into_bytes()));
        }
        let origin = self.origin.line();
        for (number, figure) in (1..).zip(&self.figures) {
            files.push((format!("figure-{number}.svg"), figure.to_svg(&origin).into_bytes()));
            files.push((format!("figure-{number}.pdf"), figure.to_pdf(&origin)));
            files.push((format!("figure-{number}.png"), figure.to_png(&origin)));
        }
        let mut written = Vec::new();
        for (name, content) in files {
            let path = folder.join(name);
            std::fs::write(&path, content)?;
            written.push(path);
        }
        Ok(written)
    }
}
