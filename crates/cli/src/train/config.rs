//! What the trainings that are described by a file have in common: the file, the folder of the run, the threads.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use afterstate_lab::store::{StoreError, WriteLock};
use clap::Args;
use serde::de::DeserializeOwned;

use super::device::Device;
use crate::failure::Failure;
use crate::number::whole_number;

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// The TOML file that says what is trained and how
    #[arg(long, short, value_name = "FILE")]
    pub(super) config: PathBuf,
    /// The folder of the run: checkpoint, curve and result; a run that was interrupted goes on from there [default:
    /// runs/NAME]
    #[arg(long, short, value_name = "FOLDER")]
    pub(super) out: Option<PathBuf>,
    /// Threads; the result does not depend on their number [default: one per core]
    #[arg(long, short = 't', value_parser = whole_number::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
}

/// The same for networks that learn by backpropagation.
#[derive(Debug, Args)]
pub(crate) struct LearnerArgs {
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    /// Where the network learns and is asked; everything else is done on the processor
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    pub(super) device: Device,
}

/// The kinds of runs, each of which has a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    Genetic,
    Structures,
    Value,
    Dqn,
    Weights,
}

impl Run {
    const ALL: [Self; 5] = [Self::Genetic, Self::Structures, Self::Value, Self::Dqn, Self::Weights];

    /// The file from which a run goes on, and by which its folder is known.
    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::Genetic => "checkpoint.genetic",
            Self::Structures => "structures.toml",
            Self::Value => "settings.toml",
            Self::Dqn => "checkpoint.dqn",
            Self::Weights => "checkpoint.toml",
        }
    }
}

/// The folder of a run, which no other run writes to as long as this one lasts.
pub(super) struct Folder {
    path: PathBuf,
    _lock: WriteLock,
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl ConfigArgs {
    /// Reads the file as settings.
    pub(super) fn settings<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        read_toml(&self.config)
    }

    /// The folder of the file, in which others are looked for.
    pub(super) fn beside(&self) -> &Path {
        self.config.parent().unwrap_or(Path::new("."))
    }

    /// The folder of the run, made if it is not there. One that holds a run of another kind is refused: both write curves and
    /// figures of the same names. So is one in which another process trains.
    pub(super) fn folder(&self, name: &str, run: Run) -> Result<Folder, Failure> {
        let folder = self.out.clone().unwrap_or_else(|| Path::new("runs").join(name));
        if let Some(other) = Run::ALL.into_iter().find(|&other| other != run && folder.join(other.file()).exists()) {
            let (folder, file) = (folder.display(), other.file());
            return Err(Failure::input(format!(
                "{folder} holds a training of another kind ({file}): give another folder"
            )));
        }
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::world(format_args!("making the folder {}", folder.display()), error))?;
        let lock = WriteLock::take(&folder.join("training")).map_err(|error| in_use(&folder, &error))?;
        Ok(Folder { path: folder, _lock: lock })
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// Reads a TOML file that the user named; an error says the line.
pub(super) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::unread(path, &error))?;
    toml::from_str(&text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
        Failure::input(format!("{shown}, line {line}: {}", error.message().replace('\n', " ")))
    })
}

fn in_use(folder: &Path, error: &StoreError) -> Failure {
    let StoreError::InUse { process, .. } = error else { return Failure::World(error.to_string()) };
    let (folder, process) =
        (folder.display(), process.map_or_else(String::new, |process| format!(" (process {process})")));
    Failure::World(format!(
        "{folder}: another training{process} writes to this folder; wait for it or give another folder"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_trainings_do_not_share_a_folder() {
        let out = std::env::temp_dir().join(format!("afterstate-config-{}", std::process::id()));
        let args = ConfigArgs { config: PathBuf::new(), out: Some(out.clone()), threads: None };
        let first = args.folder("x", Run::Value).unwrap();
        let Err(Failure::World(error)) = args.folder("x", Run::Value) else { panic!("both have it") };
        let reason = format!("another training (process {}) writes to this folder", std::process::id());
        assert!(error.contains(&reason), "{error}");
        drop(first);
        assert!(args.folder("x", Run::Value).is_ok());
        std::fs::remove_dir_all(&out).unwrap();
    }
}
