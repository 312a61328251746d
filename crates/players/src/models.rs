//! Finding, loading and sharing model files.
//!
//! A shipped model is looked up by name in the folder that `AFTERSTATE_MODELS` names, beside the program, and in the
//! `models` folder of the source tree. A network is loaded once and shared by all players of the program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use afterstate_learn::ntuple::{Model, Network};

use crate::{Arguments, SpecError};

/// The model that is used when none is named.
pub(crate) const DEFAULT: &str = "2048-strong";

/// Networks in use, by the path of their file.
static LOADED: Mutex<Option<HashMap<PathBuf, Arc<Network>>>> = Mutex::new(None);

/// The network that the key `model` names.
pub(crate) fn network(arguments: &Arguments) -> Result<Arc<Network>, SpecError> {
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

/// The file of a model: a path as it is, a name in one of the folders.
fn find(name: &str) -> Option<PathBuf> {
    let named = Path::new(name);
    if named.is_file() {
        return Some(named.to_owned());
    }
    folders().into_iter().map(|folder| folder.join(format!("{name}.model"))).find(|path| path.is_file())
}

fn folders() -> Vec<PathBuf> {
    let from_environment = std::env::var_os("AFTERSTATE_MODELS").map(PathBuf::from);
    let beside_program = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join("models")));
    let source_tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    from_environment.into_iter().chain(beside_program).chain([source_tree]).collect()
}
