//! The folder that this machine and the nodes share.
//!
//! ```text
//! depths.slurm/
//!   round-001/
//!     work.json      which task plays which games
//!     array.sh       what was submitted
//!     job            the number that Slurm gave it
//!     log/           what the tasks said
//!     shards/        what they played; a task that starts again begins a new file
//! ```

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::{SlurmError, Work};
use crate::shard::{Heading, ShardError, ShardWriter};

/// The shared folder of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

/// One array job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// Its folder.
    pub path: PathBuf,
    /// What the names of all jobs of the shared folder begin with.
    pub token: String,
}

impl Folder {
    /// The usual folder of a results file: beside it.
    #[must_use]
    pub fn usual(store: &Path) -> PathBuf {
        store.with_extension("slurm")
    }

    /// Opens a folder, or makes it.
    pub fn open(path: &Path) -> Result<Self, SlurmError> {
        fs::create_dir_all(path).map_err(|error| SlurmError::folder(path, &error))?;
        Self::at(path)
    }

    /// A folder as it is; it need not exist.
    pub fn at(path: &Path) -> Result<Self, SlurmError> {
        // Not with links resolved: nodes may reach the same folder by other ways, but under the same name.
        let path = std::path::absolute(path).map_err(|error| SlurmError::folder(path, &error))?;
        Ok(Self { path })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of all jobs of this folder, and of no other.
    fn token(&self) -> String {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!("{name}-{:08x}", crc32fast::hash(self.path.as_os_str().as_encoded_bytes()))
    }

    /// Its rounds, oldest first. One without an order is no round: whoever began it was ended before it could be submitted.
    pub fn rounds(&self) -> Result<Vec<Round>, SlurmError> {
        let mut rounds = self.folders()?;
        rounds.retain(|round| round.path.join("work.json").exists());
        Ok(rounds)
    }

    /// The folders of its rounds, with those that were never finished.
    fn folders(&self) -> Result<Vec<Round>, SlurmError> {
        let mut rounds = Vec::new();
        for name in names(&self.path)? {
            let Some(number) = name.strip_prefix("round-").and_then(|number| number.parse().ok()) else { continue };
            rounds.push(Round { number, path: self.path.join(&name), token: self.token() });
        }
        rounds.sort_by_key(|round| round.number);
        Ok(rounds)
    }

    /// Begins a round: its folder with the order in it.
    pub(super) fn begin_round(&self, work: &Work) -> Result<Round, SlurmError> {
        let number = self.folders()?.last().map_or(1, |round| round.number + 1);
        let path = self.path.join(format!("round-{number:03}"));
        let round = Round { number, path, token: self.token() };
        for folder in [&round.path, &round.logs(), &round.shards()] {
            fs::create_dir(folder).map_err(|error| SlurmError::folder(folder, &error))?;
        }
        let text = serde_json::to_vec_pretty(work).map_err(|error| SlurmError::folder(&round.path, &error))?;
        round.write("work.json", &text)?;
        Ok(round)
    }
}

impl Round {
    /// The round in a folder, as a task is told of it.
    pub(super) fn at(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix("round-").and_then(|number| number.parse().ok()).unwrap_or_default();
        Self { number, path: path.to_owned(), token: String::new() }
    }

    /// The name of its job in Slurm's queue.
    #[must_use]
    pub fn job_name(&self) -> String {
        format!("{}-{}", self.token, self.number)
    }

    /// Where its tasks say what they do.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.path.join("log")
    }

    fn shards(&self) -> PathBuf {
        self.path.join("shards")
    }

    /// Its order.
    pub fn work(&self) -> Result<Work, SlurmError> {
        Work::read(&self.path.join("work.json"))
    }

    /// The number that Slurm gave it, if it was submitted.
    #[must_use]
    pub fn job(&self) -> Option<String> {
        fs::read_to_string(self.path.join("job")).ok().map(|job| job.trim().to_owned())
    }

    /// All its shards.
    pub(super) fn shard_files(&self) -> Result<Vec<PathBuf>, SlurmError> {
        let folder = self.shards();
        let names = names(&folder)?;
        Ok(names.iter().filter(|name| name.ends_with(".shard")).map(|name| folder.join(name)).collect())
    }

    /// The shards of one task: one for each time that it was started.
    pub(super) fn shards_of(&self, task: usize) -> Result<Vec<PathBuf>, SlurmError> {
        let folder = self.shards();
        let start = format!("task-{task}.");
        let own = |name: &&String| name.starts_with(&start) && name.ends_with(".shard");
        Ok(names(&folder)?.iter().filter(own).map(|name| folder.join(name)).collect())
    }

    /// A new shard for a task; one of an earlier start is never touched, because whoever wrote it may still be alive.
    pub(super) fn new_shard(&self, task: usize, heading: &Heading) -> Result<ShardWriter, ShardError> {
        let mut start = 0;
        loop {
            let path = self.shards().join(format!("task-{task}.{start}.shard"));
            match ShardWriter::create(&path, heading) {
                Err(ShardError::Failed { .. }) if path.exists() => start += 1,
                made => return made,
            }
        }
    }

    /// Writes a file whole or not at all.
    pub(super) fn write(&self, name: &str, text: &[u8]) -> Result<PathBuf, SlurmError> {
        let (path, unfinished) = (self.path.join(name), self.path.join(format!("{name}.unfinished")));
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&unfinished)?;
            file.write_all(text)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(|error| SlurmError::folder(&path, &error))?;
        Ok(path)
    }

    /// Takes back a round that was never submitted.
    pub(super) fn remove(&self) {
        // What stays behind is a round without tasks in the queue and without games, which does no harm.
        let _ = fs::remove_dir_all(&self.path);
    }

    /// The last line that a task wrote.
    pub(super) fn last_words(&self, task: usize) -> Option<String> {
        let text = fs::read(self.logs().join(format!("task-{task}.txt"))).ok()?;
        let text = String::from_utf8_lossy(&text);
        text.lines().rev().find(|line| !line.trim().is_empty()).map(str::to_owned)
    }
}

/// The names in a folder, sorted; none if there is no such folder.
fn names(folder: &Path) -> Result<Vec<String>, SlurmError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(SlurmError::folder(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| SlurmError::folder(folder, &error))?;
        names.extend(entry.file_name().into_string().ok());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Provenance;
    use crate::store::Session;

    #[test]
    fn a_round_that_was_ended_before_its_order_was_written_is_none_and_keeps_its_number() {
        let path = std::env::temp_dir().join(format!("afterstate-folder-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let folder = Folder::open(&path).unwrap();
        fs::create_dir_all(folder.path().join("round-001/shards")).unwrap();
        assert_eq!(folder.rounds().unwrap(), []);
        let provenance = Provenance::here("run a", 1);
        let session = Session { started: String::new(), provenance, experiment: String::new() };
        let work = Work::new(session, false, Path::new("/"), &super::super::work::Games::new(), 1);
        let begun = folder.begin_round(&work).unwrap();
        assert_eq!(begun.number, 2);
        assert_eq!(folder.rounds().unwrap(), [begun]);
        fs::remove_dir_all(&path).unwrap();
    }
}
