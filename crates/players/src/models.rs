//! Finding, loading and sharing model files and endgame tables.
//!
//! A shipped model is looked up by name in the folder that `AFTERSTATE_MODELS` names, beside the program, and in the
//! `models` folder of the source tree; so are endgame tables. What was loaded is shared by all players of the program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use afterstate_learn::endgame::{Table, Tables};
use afterstate_learn::neural::{Device, NeuralPolicy, NeuralValue, Precision, StoredNetwork};
use afterstate_learn::ntuple::{Compact, Model, Relay, RelayError};

use crate::{Arguments, SpecError, memory};

/// The n-tuple network that is used when none is named.
pub(crate) const DEFAULT: &str = "2048-strong";

/// The neural network that is used when none is named.
pub(crate) const DEFAULT_NEURAL: &str = "2048-value";

/// The policy network that is used when none is named.
pub(crate) const DEFAULT_POLICY: &str = "2048-policy";

/// Models in use, by the path of their file.
struct Loaded<T>(Mutex<Option<HashMap<PathBuf, Arc<T>>>>);

static NETWORKS: Loaded<Compact> = Loaded(Mutex::new(None));
static NEURAL: Loaded<NeuralValue> = Loaded(Mutex::new(None));
static NEURAL_BF16: Loaded<NeuralValue> = Loaded(Mutex::new(None));
static POLICIES: Loaded<NeuralPolicy> = Loaded(Mutex::new(None));

/// Neural networks on the GPU, by the path of their file. The GPU's memory is scarce: with its last player a network leaves it.
static ON_GPU: Mutex<Vec<(PathBuf, Weak<NeuralValue>)>> = Mutex::new(Vec::new());

/// Whether a network ever was on a GPU. Without one, a failure is asked for after every game of every thread and must cost nothing.
static USES_GPU: AtomicBool = AtomicBool::new(false);

/// The n-tuple network that the key `model` names and, unless the key `late` says no, the one beside it that takes over from it:
/// `NAME.late.model`.
pub(crate) fn network(arguments: &Arguments) -> Result<Relay, SpecError> {
    let path = path(arguments, "model")?;
    let load = |path: &Path| NETWORKS.at(arguments, path, |path| Model::load(path).map(|model| model.network));
    let unsuitable = |path: &Path, error: RelayError| arguments.unsuitable(format!("{}: {error}", path.display()));
    let first = Relay::alone(load(&path)?).map_err(|error| unsuitable(&path, error))?;
    let beside = path.with_extension("late.model");
    if !arguments.switch("late")? || !beside.is_file() {
        return Ok(first);
    }
    first.then(load(&beside)?).map_err(|error| unsuitable(&beside, error))
}

/// The neural network that the key `model` names, with the precision and on the device that the keys of these names say.
pub(crate) fn neural(arguments: &Arguments) -> Result<Arc<NeuralValue>, SpecError> {
    let (loaded, precision) = match arguments.choice("precision")? {
        "bf16" => (&NEURAL_BF16, Precision::Bf16),
        _ => (&NEURAL, Precision::Float32),
    };
    if arguments.choice("device")? == "cpu" {
        return loaded.get(arguments, "safetensors", |path| NeuralValue::load(path, precision));
    }
    if precision == Precision::Bf16 {
        return Err(arguments.unsuitable(
            "`precision=bf16` is for `device=cpu`: a GPU has its own products; leave one of the two keys away",
        ));
    }
    let path = path(arguments, "safetensors")?;
    let mut loaded = ON_GPU.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.retain(|(_, network)| network.strong_count() > 0);
    if let Some(network) = loaded.iter().find(|(from, _)| *from == path).and_then(|(_, network)| network.upgrade()) {
        return Ok(network);
    }
    let stored = StoredNetwork::load_with_outputs(&path, 1).map_err(|error| arguments.unsuitable(error.to_string()))?;
    let network = NeuralValue::on(Device::Cuda, &stored).map_err(|error| arguments.unsuitable(error.to_string()))?;
    let network = Arc::new(network);
    loaded.push((path, Arc::downgrade(&network)));
    USES_GPU.store(true, Ordering::Relaxed);
    Ok(network)
}

/// Why a GPU failed that players of this program work on, if one did. They go on with the processor; whoever would rather stop
/// asks here, while they are there: a network leaves with its last player. A failure is known here before any decision rests
/// on the processor.
#[must_use]
pub fn device_failure() -> Option<String> {
    if !USES_GPU.load(Ordering::Relaxed) {
        return None;
    }
    let loaded = ON_GPU.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.iter().filter_map(|(_, network)| network.upgrade()).find_map(|network| network.failure())
}

/// The policy network that the key `model` names.
pub(crate) fn policy(arguments: &Arguments) -> Result<Arc<NeuralPolicy>, SpecError> {
    POLICIES.get(arguments, "safetensors", NeuralPolicy::load)
}

impl<T> Loaded<T> {
    /// The model that the key `model` names, loaded now unless it already was.
    fn get<X: std::fmt::Display>(
        &self,
        arguments: &Arguments,
        extension: &str,
        load: impl FnOnce(&Path) -> Result<T, X>,
    ) -> Result<Arc<T>, SpecError> {
        self.at(arguments, &path(arguments, extension)?, load)
    }

    /// The model of a file, loaded now unless it already was.
    fn at<X: std::fmt::Display>(
        &self,
        arguments: &Arguments,
        path: &Path,
        load: impl FnOnce(&Path) -> Result<T, X>,
    ) -> Result<Arc<T>, SpecError> {
        // Holding the lock while loading keeps two threads from loading the same gigabyte twice.
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = loaded.get_or_insert_default();
        if let Some(model) = loaded.get(path) {
            return Ok(Arc::clone(model));
        }
        let model = Arc::new(load(path).map_err(|error| arguments.unsuitable(error.to_string()))?);
        loaded.insert(path.to_owned(), Arc::clone(&model));
        Ok(model)
    }
}

/// The file of the model that the key `model` names.
fn path(arguments: &Arguments, extension: &str) -> Result<PathBuf, SpecError> {
    let name = arguments.word("model")?;
    find(&name, extension).ok_or_else(|| {
        let reason = not_found(&name, extension, named_folder().as_deref(), folder_beside_program().as_deref());
        arguments.unsuitable(reason)
    })
}

/// Says where a model was looked for, in words that its user can act on. Where the source tree was when the program was built
/// is none of them.
fn not_found(name: &str, extension: &str, named: Option<&Path>, beside: Option<&Path>) -> String {
    let shown = |folder: Option<&Path>, none: &str| {
        folder.map_or_else(|| none.to_owned(), |folder| folder.display().to_string())
    };
    let (named, beside) = (shown(named, "not set"), shown(beside, "which cannot be found"));
    format!(
        "there is no model `{name}`: it is no file, and {name}.{extension} is neither in $AFTERSTATE_MODELS ({named}) nor in \
         `models` beside the program ({beside}) nor in `models` of the project"
    )
}

/// Whether the n-tuple network that players use when none is named is where they look for it.
#[must_use]
pub fn has_shipped_network() -> bool {
    find(DEFAULT, "model").is_some()
}

/// Sets of tables in use, by the files that they come from.
static TABLES: Mutex<Vec<(Vec<PathBuf>, Arc<Tables>)>> = Mutex::new(Vec::new());

/// The endgame tables that the key `tables` names; `None` for `off`.
pub(crate) fn tables(arguments: &Arguments) -> Result<Option<Arc<Tables>>, SpecError> {
    let name = arguments.word("tables")?;
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
fn find(name: &str, extension: &str) -> Option<PathBuf> {
    let named = Path::new(name);
    if named.is_file() {
        return Some(named.to_owned());
    }
    folders().into_iter().map(|folder| folder.join(format!("{name}.{extension}"))).find(|path| path.is_file())
}

/// Where a new model or table goes so that players find it: the folder that `AFTERSTATE_MODELS` names, or `models` beside
/// the program.
#[must_use]
pub fn models_folder() -> PathBuf {
    folders().into_iter().next().unwrap_or_else(|| PathBuf::from("models"))
}

fn folders() -> Vec<PathBuf> {
    let source_tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    named_folder().into_iter().chain(folder_beside_program()).chain([source_tree]).collect()
}

fn named_folder() -> Option<PathBuf> {
    std::env::var_os("AFTERSTATE_MODELS").map(PathBuf::from)
}

fn folder_beside_program() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join("models"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_model_names_the_places_where_it_could_be_put() {
        let reason = not_found("mine", "model", None, Some(Path::new("/opt/models")));
        assert_eq!(
            reason,
            "there is no model `mine`: it is no file, and mine.model is neither in $AFTERSTATE_MODELS (not set) nor in \
             `models` beside the program (/opt/models) nor in `models` of the project"
        );
        assert!(
            not_found("mine", "model", Some(Path::new("/home/me")), None).contains("$AFTERSTATE_MODELS (/home/me)")
        );
    }
}
