//! Finding, loading and sharing model files and endgame tables.
//!
//! A shipped model is looked up by name in the folder that `AFTERSTATE_MODELS` names, beside the program, and in the
//! `models` folder of the source tree; so are endgame tables. What was loaded is shared by all players of the program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use afterstate_learn::endgame::{Table, Tables};
use afterstate_learn::ntuple::{Compact, Model};

use crate::{Arguments, SpecError, memory};

/// The model that is used when none is named.
pub(crate) const DEFAULT: &str = "2048-strong";

/// Networks in use, by the path of their file.
static LOADED: Mutex<Option<HashMap<PathBuf, Arc<Compact>>>> = Mutex::new(None);

/// The network that the key `model` names.
pub(crate) fn network(arguments: &Arguments) -> Result<Arc<Compact>, SpecError> {
    let name = arguments.spec("model")?.name;
    let path = find(&name).ok_or_else(|| {
        let places: Vec<String> = folders().iter().map(|folder| folder.display().to_string()).collect();
        arguments.unsuitable(format!("there is no model `{name}`; looked for {name}.model in {}", places.join(", ")))
    })?;
    // Holding the lock while loading keeps two threads from loading the same gigabyte twice.
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = loaded.get_or_insert_default();
    if let Some(network) = loaded.get(&path) {
        return Ok(Arc::clone(network));
    }
    let model = Model::load(&path).map_err(|error| arguments.unsuitable(error.to_string()))?;
    let network = Arc::new(model.network);
    loaded.insert(path, Arc::clone(&network));
    Ok(network)
}

/// Sets of tables in use, by the files that they come from.
static TABLES: Mutex<Vec<(Vec<PathBuf>, Arc<Tables>)>> = Mutex::new(Vec::new());

/// The endgame tables that the key `tables` names; `None` for `off`.
pub(crate) fn tables(arguments: &Arguments) -> Result<Option<Arc<Tables>>, SpecError> {
    let name = arguments.spec("tables")?.name;
    let folder = Path::new(&name);
    let files = match name.as_str() {
        "off" => return Ok(None),
        "all" => table_files(None),
        _ if folder.is_dir() => table_files(Some(folder)),
        _ => return Err(arguments.unsuitable(format!("there is no folder `{name}` to take tables from"))),
    };
    let mut loaded = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, tables)) = loaded.iter().find(|(from, _)| *from == files) {
        return Ok(Some(Arc::clone(tables)));
    }
    let unsuitable = |error: afterstate_learn::endgame::TableError| arguments.unsuitable(error.to_string());
    let mut bytes = 0;
    for path in &files {
        bytes += Table::describe(path).and_then(|about| about.bytes()).map_err(unsuitable)?;
    }
    memory::check(arguments, bytes)?;
    let tables = files.iter().map(|path| Table::load(path)).collect::<Result<Vec<_>, _>>().map_err(unsuitable)?;
    let tables = Arc::new(Tables::new(tables));
    loaded.push((files, Arc::clone(&tables)));
    Ok(Some(tables))
}

/// The file of a model: a path as it is, a name in one of the folders.
fn find(name: &str) -> Option<PathBuf> {
    let named = Path::new(name);
    if named.is_file() {
        return Some(named.to_owned());
    }
    folders().into_iter().map(|folder| folder.join(format!("{name}.model"))).find(|path| path.is_file())
}

/// Where a new model or table goes so that players find it: the folder that `AFTERSTATE_MODELS` names, or `models` beside
/// the program.
#[must_use]
pub fn models_folder() -> PathBuf {
    folders().into_iter().next().unwrap_or_else(|| PathBuf::from("models"))
}

fn folders() -> Vec<PathBuf> {
    let from_environment = std::env::var_os("AFTERSTATE_MODELS").map(PathBuf::from);
    let beside_program = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join("models")));
    let source_tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    from_environment.into_iter().chain(beside_program).chain([source_tree]).collect()
}

/// The endgame tables in a folder, or wherever players look; of two with the same name the first one. In the order of
/// their names.
#[must_use]
pub fn table_files(folder: Option<&Path>) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in folder.map_or_else(folders, |folder| vec![folder.to_owned()]) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in entries.filter(|path| path.extension().is_some_and(|extension| extension == "table")) {
            if files.iter().all(|found| found.file_name() != path.file_name()) {
                files.push(path);
            }
        }
    }
    files.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
    files
}
