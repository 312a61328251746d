//! Tables as values: what stands in them, not how it looks.

use serde::Serialize;

use crate::experiment::Reading;

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Its caption.
    pub title: String,
    /// The headings of its columns.
    pub columns: Vec<String>,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// What has to be said under it.
    pub notes: Vec<String>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A measured figure.
    Reading(Reading),
    /// Nothing is known.
    Empty,
}

impl Table {
    /// A table without rows.
    pub(super) fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            title: title.into(),
            columns: columns.iter().map(|&heading| heading.to_owned()).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Option<Reading>> for Cell {
    fn from(reading: Option<Reading>) -> Self {
        reading.map_or(Self::Empty, Self::Reading)
    }
}
