//! Experiments on the command line: `run`, `merge`, `status`, `report` and `export`.

pub(crate) mod adhoc;
pub(crate) mod args;
mod export;
pub(crate) mod live;
mod merge;
mod report;
mod run;
mod slurm;
mod status;

use std::path::{Path, PathBuf};

use afterstate_lab::LabError;
use afterstate_lab::experiment::{Experiment, Plan};
use afterstate_lab::store::Store;

use crate::failure::Failure;
use args::ExperimentArgs;

pub(crate) use export::run as export;
pub(crate) use merge::run as merge;
pub(crate) use report::run as report;
pub(crate) use run::run;
pub(crate) use slurm::task as slurm_task;
pub(crate) use status::run as status;

/// An experiment that was chosen on the command line, checked down to its last agent.
pub(crate) struct Chosen {
    pub(crate) path: PathBuf,
    pub(crate) experiment: Experiment,
    pub(crate) plan: Plan,
    /// Where its results are.
    pub(crate) store: PathBuf,
}

/// The experiments that the arguments name. All of them are checked before any is run.
pub(crate) fn chosen(args: &ExperimentArgs) -> Result<Vec<Chosen>, Failure> {
    if !args.path.is_dir() {
        return Ok(vec![choose(&args.path, args)?]);
    }
    let files = experiment_files(&args.path)
        .map_err(|error| Failure::world(format_args!("reading the folder {}", args.path.display()), error))?;
    if files.is_empty() {
        return Err(Failure::input(format!("{}: no experiments; expected TOML files", args.path.display())));
    }
    files.iter().map(|path| choose(path, args)).collect()
}

fn choose(path: &Path, args: &ExperimentArgs) -> Result<Chosen, Failure> {
    let in_file = |error| Failure::from(LabError::Experiment(error)).in_file(path);
    let experiment = Experiment::read(path, &args.settings).map_err(in_file)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let plan = Plan::new(&experiment, folder).map_err(in_file)?;
    let store = store_path(args.results.as_deref(), &experiment);
    Ok(Chosen { path: path.to_owned(), experiment, plan, store })
}

/// A folder holds the results under their usual names; anything that is or looks like a results file is meant as one.
fn store_path(results: Option<&Path>, experiment: &Experiment) -> PathBuf {
    let usual = experiment.default_store();
    match results {
        None => usual,
        Some(path) if path.is_file() || path.extension().is_some_and(|extension| extension == "db") => path.to_owned(),
        Some(folder) => folder.join(usual.file_name().unwrap_or_default()),
    }
}

impl Chosen {
    /// The folder of the report: beside the results, under the experiment's own name.
    pub(crate) fn report_folder(&self) -> PathBuf {
        self.store.parent().unwrap_or(Path::new("")).join(&self.experiment.name)
    }

    pub(crate) fn title(&self) -> &str {
        self.experiment.title.as_deref().unwrap_or(&self.experiment.name)
    }

    pub(crate) fn read(&self) -> Result<Store, Failure> {
        Ok(Store::read(&self.store).map_err(LabError::from)?)
    }
}

/// The experiments in a folder and its folders, in the order in which people count: 5.2 before 5.10.
fn experiment_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                files.push(path);
            }
        }
    }
    files.sort_by_cached_key(|path| counting_order(&path.to_string_lossy()));
    Ok(files)
}

/// A key that orders numbers within texts by their size.
fn counting_order(text: &str) -> String {
    let mut key = String::new();
    let mut digits = String::new();
    for character in text.chars().chain(['\0']) {
        if character.is_ascii_digit() {
            digits.push(character);
        } else {
            if !digits.is_empty() {
                key += &format!("{digits:0>20}");
                digits.clear();
            }
            key.push(character);
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_in_the_order_in_which_people_count() {
        let mut names = ["table-5.10", "table-5.2", "figure-A.6", "table-5.1"];
        names.sort_by_cached_key(|name| counting_order(name));
        assert_eq!(names, ["figure-A.6", "table-5.1", "table-5.2", "table-5.10"]);
    }
}
