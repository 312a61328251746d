//! Tables as values: what stands in them, not how it looks.

use std::fmt;

use serde::Serialize;

use super::number::Style;
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

/// A cell as people read it: a figure with its interval in brackets.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Empty => Ok(()),
            Self::Reading(reading) => {
                f.write_str(&Style::PLAIN.value(reading.value, reading.unit))?;
                match reading.interval {
                    Some(_) => write!(f, " ({})", Style::PLAIN.interval(reading)),
                    None => Ok(()),
                }
            }
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
