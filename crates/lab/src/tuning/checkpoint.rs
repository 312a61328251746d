//! A tuning on disk: a checkpoint that it goes on from exactly, and its curve for a spreadsheet.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use afterstate_learn::evolution::CmaEs;
use serde::{Deserialize, Serialize};

use super::run::{Champion, Generation, Tuning};
use super::settings::TuningSettings;
use crate::LabError;
use crate::experiment::ExperimentError;

const FORMAT: u32 = 1;

/// TOML keeps every digit of a number, and a person can read it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    format: u32,
    champion: Champion,
    settings: TuningSettings,
    search: CmaEs,
    #[serde(default)]
    curve: Vec<Generation>,
}

impl Tuning {
    /// The text of a checkpoint.
    #[must_use]
    pub fn checkpoint(&self) -> String {
        let checkpoint = Checkpoint {
            format: FORMAT,
            champion: self.champion.clone(),
            settings: self.settings.clone(),
            search: self.search.clone(),
            curve: self.curve.clone(),
        };
        // Everything in it came from TOML or is a number, so it can be written as TOML.
        toml::to_string(&checkpoint).unwrap_or_default()
    }

    /// Goes on from the text of a checkpoint, which must be one of these settings; only the number of generations may
    /// differ. `path` is where it was read, for the error message.
    pub fn resume(settings: TuningSettings, folder: &Path, text: &str, path: &Path) -> Result<Self, LabError> {
        let kind = io::ErrorKind::InvalidData;
        let unreadable = |reason: String| ExperimentError::Unreadable { path: path.to_owned(), kind, reason };
        let read: Checkpoint = toml::from_str(text)
            .map_err(|error| unreadable(format!("damaged, or no checkpoint of a tuning: {}", error.message())))?;
        if read.format != FORMAT {
            return Err(unreadable(format!("format {}; this program reads format {FORMAT}", read.format)).into());
        }
        if !settings.continues(&read.settings) {
            let reason = format!(
                "a checkpoint of `{}` with other settings; choose another folder, or remove it to start anew",
                read.settings.name
            );
            return Err(unreadable(reason).into());
        }
        let mut tuning = Self::new(settings, folder)?;
        let fits = read.search.population() == tuning.search.population()
            && read.search.mean().len() == tuning.search.mean().len()
            && read.search.generation() == read.curve.len() as u64;
        if !fits {
            return Err(unreadable("damaged: its parts do not fit together".to_owned()).into());
        }
        (tuning.search, tuning.champion, tuning.curve) = (read.search, read.champion, read.curve);
        Ok(tuning)
    }

    /// The curve as CSV: one line per generation.
    #[must_use]
    pub fn csv(&self) -> String {
        let keys: Vec<&str> = self.settings.weights.iter().map(|weight| weight.key.as_str()).collect();
        let mut text =
            format!("generation,games,best,mean,step,{},confirmed,advantage,low,high,adopted\n", keys.join(","));
        for row in &self.curve {
            let weights: Vec<String> = row.weights.iter().map(f64::to_string).collect();
            let _ = write!(
                text,
                "{},{},{},{},{},{}",
                row.generation,
                row.games,
                row.best,
                row.mean,
                row.step,
                weights.join(",")
            );
            let _ = match &row.confirmation {
                Some(said) => {
                    let (low, high) = said.advantage.interval.map_or((f64::NAN, f64::NAN), |i| (i.low, i.high));
                    writeln!(text, ",{},{},{low},{high},{}", said.games, said.advantage.value, said.is_better)
                }
                None => writeln!(text, ",,,,,"),
            };
        }
        text
    }
}
