//! The results store: one SQLite file per experiment, one durable row per finished game.
//!
//! **Durability.** The file is in WAL mode with `synchronous = FULL`: a committed game survives `kill -9` and a power cut.
//! Games are committed as soon as the writer is free (see [`Writer`]), so at most the games in flight are lost.
//! **One writer.** A lock file beside the store is held by the run that writes; the operating system releases it when the
//! process ends, however it ends. Readers need no lock.
//! **Nothing twice.** A game is identified by its series and its number; the series by everything that determines its
//! games. What is there is not played again, and what does not belong is never counted.

mod error;
mod lock;
mod merge;
mod row;
mod schema;
mod session;
mod writer;

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

pub use error::StoreError;
pub use lock::WriteLock;
pub use merge::Merged;
pub(crate) use merge::MergedRows;
pub use row::StoredResult;
pub(crate) use schema::is_database;
pub use session::{Session, SessionId};
pub use writer::Writer;

use crate::Provenance;

/// A results file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// Held by the one run that may write.
    _lock: Option<WriteLock>,
}

/// A series as the store knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeriesId(i64);

/// What the store says about a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSeries {
    /// Its identity in this store.
    pub id: SeriesId,
    /// Everything that determines its games.
    pub definition: String,
    /// The number of stored games.
    pub games: u64,
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let connect = || {
        let connection = Connection::open_with_flags(path, flags)?;
        // Readers and the writer meet only for moments, at checkpoints.
        connection.busy_timeout(Duration::from_secs(10))?;
        Ok(connection)
    };
    connect().map_err(|error| StoreError::sqlite(path, &error))
}

/// A file beside the results file, by what its name has more.
fn companion(store: &Path, ending: &str) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(ending);
    PathBuf::from(path)
}

/// Opens a file that may not be written, or lies where nothing may be: without the index that readers and writers share. That
/// is right as long as nobody writes and no run has left games in its log.
fn connect_unwritable(path: &Path) -> Result<Connection, StoreError> {
    if std::fs::metadata(companion(path, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Err(StoreError::Unwritable { path: path.to_owned() });
    }
    let whole = std::path::absolute(path).map_err(|error| StoreError::io(path, &error))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{}?immutable=1", escaped(&whole)), flags)
        .map_err(|error| StoreError::sqlite(path, &error))
}

/// A path as part of an address.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

impl Store {
    /// Opens a results file for writing, or makes a new one. Refused while another run writes to it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::io(path, &error))?;
        }
        let lock = WriteLock::take(path)?;
        let connection = connect(path, OpenFlags::default())?;
        schema::prepare_for_writing(&connection, path)?;
        Ok(Self { path: path.to_owned(), connection, _lock: Some(lock) })
    }

    /// Opens an existing results file for reading, also while a run writes to it, and also where nothing may be written.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        // A reader of a WAL file needs to write the shared-memory index beside it.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = connect(path, flags)?;
        if schema::needs_writing(&connection) {
            connection = connect_unwritable(path)?;
        }
        if schema::is_empty(&connection, path)? {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        schema::check(&connection, path)?;
        Ok(Self { path: path.to_owned(), connection, _lock: None })
    }

    /// A store that nobody keeps: a file without a name that goes with the program.
    pub fn scratch() -> Result<Self, StoreError> {
        let path = PathBuf::from("(temporary results)");
        // SQLite's own rule: an empty name is a temporary file.
        let connection = connect(Path::new(""), OpenFlags::default())?;
        schema::prepare_for_writing(&connection, &path)?;
        Ok(Self { path, connection, _lock: None })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn run<T>(&self, action: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.connection
            .busy_timeout(Duration::from_secs(10))
            .map_err(|error| StoreError::sqlite(&self.path, &error))?;
        action(&self.connection).map_err(|error| StoreError::sqlite(&self.path, &error))
    }

    /// The series with this definition; entered if it is new.
    pub fn series(&self, definition: &str) -> Result<SeriesId, StoreError> {
        if let Some(id) = self.find_series(definition)? {
            return Ok(id);
        }
        self.run(|connection| {
            connection.execute("INSERT INTO series (definition) VALUES (?1)", [definition])?;
            Ok(SeriesId(connection.last_insert_rowid()))
        })
    }

    /// The series with this definition, if the store has it.
    pub fn find_series(&self, definition: &str) -> Result<Option<SeriesId>, StoreError> {
        self.run(|connection| {
            connection
                .query_row("SELECT id FROM series WHERE definition = ?1", [definition], |row| row.get(0))
                .optional()
                .map(|id| id.map(SeriesId))
        })
    }

    /// All series of the store that hold results of this kind, in the order in which they were entered.
    pub fn all_series<R: StoredResult>(&self) -> Result<Vec<StoredSeries>, StoreError> {
        let query = format!(
            "SELECT id, definition, (SELECT count(*) FROM {} WHERE series = series.id) FROM series ORDER BY id",
            R::TABLE
        );
        self.run(|connection| {
            let mut statement = connection.prepare(&query)?;
            let rows = statement.query_map([], |row| {
                Ok(StoredSeries {
                    id: SeriesId(row.get(0)?),
                    definition: row.get(1)?,
                    games: row.get::<_, i64>(2)? as u64,
                })
            })?;
            rows.collect()
        })
    }

    /// The numbers of the stored games of a series as ascending ranges.
    pub fn stored_games<R: StoredResult>(&self, series: SeriesId) -> Result<Vec<Range<u64>>, StoreError> {
        let query = format!("SELECT game FROM {} WHERE series = ?1 ORDER BY game", R::TABLE);
        self.run(|connection| {
            let mut statement = connection.prepare(&query)?;
            let mut rows = statement.query([series.0])?;
            let mut ranges: Vec<Range<u64>> = Vec::new();
            while let Some(row) = rows.next()? {
                let game = row.get::<_, i64>(0)? as u64;
                match ranges.last_mut() {
                    Some(last) if last.end == game => last.end += 1,
                    _ => ranges.push(game..game + 1),
                }
            }
            Ok(ranges)
        })
    }

    /// Visits the results of a series in the order of their numbers, without holding them all, until told to break.
    pub fn for_each_result<R: StoredResult>(
        &self,
        series: SeriesId,
        mut visit: impl FnMut(R) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let query = format!("SELECT game, {} FROM {} WHERE series = ?1 ORDER BY game", R::columns(), R::TABLE);
        self.run(|connection| {
            let mut statement = connection.prepare(&query)?;
            let mut rows = statement.query([series.0])?;
            while let Some(row) = rows.next()? {
                if visit(R::from_row(row)?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Visits the scores of the games that two series of one player have in common, up to number `end`.
    pub fn for_each_score_pair(
        &self,
        first: SeriesId,
        second: SeriesId,
        end: u64,
        mut visit: impl FnMut(i64, i64),
    ) -> Result<(), StoreError> {
        let query = "SELECT a.score, b.score FROM solo_games a JOIN solo_games b ON a.game = b.game
                     WHERE a.series = ?1 AND b.series = ?2 AND a.game < ?3 ORDER BY a.game";
        self.run(|connection| {
            let mut statement = connection.prepare(query)?;
            let mut rows = statement.query(params![first.0, second.0, end as i64])?;
            while let Some(row) = rows.next()? {
                visit(row.get(0)?, row.get(1)?);
            }
            Ok(())
        })
    }

    /// The record of one game.
    pub fn record(&self, series: SeriesId, game: u64) -> Result<Option<String>, StoreError> {
        self.run(|connection| {
            connection
                .query_row(
                    "SELECT record FROM records WHERE series = ?1 AND game = ?2",
                    params![series.0, game as i64],
                    |row| row.get(0),
                )
                .optional()
        })
    }

    /// Enters the run that is about to write.
    pub fn begin_session(&self, provenance: &Provenance, experiment: &str) -> Result<SessionId, StoreError> {
        self.run(|connection| session::insert(connection, provenance, experiment))
    }

    /// The runs that played the games of these series, oldest first.
    pub fn sessions_of<R: StoredResult>(&self, series: &[SeriesId]) -> Result<Vec<Session>, StoreError> {
        let query = format!("SELECT DISTINCT session FROM {} WHERE series = ?1", R::TABLE);
        self.run(|connection| {
            let mut wanted = BTreeSet::new();
            let mut statement = connection.prepare(&query)?;
            for id in series {
                let mut rows = statement.query([id.0])?;
                while let Some(row) = rows.next()? {
                    wanted.insert(row.get::<_, i64>(0)?);
                }
            }
            let sessions = session::all(connection)?.into_iter();
            Ok(sessions.filter(|(id, _)| wanted.contains(id)).map(|(_, session)| session).collect())
        })
    }

    /// All runs that wrote to this store, oldest first.
    pub fn sessions(&self) -> Result<Vec<Session>, StoreError> {
        self.run(|connection| Ok(session::all(connection)?.into_iter().map(|(_, session)| session).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_beside_a_file_that_may_not_be_written_are_not_left_out_in_silence() {
        let path = std::env::temp_dir().join(format!("afterstate-unwritable-{}.db", std::process::id()));
        let log = companion(&path, "-wal");
        std::fs::write(&log, "games").unwrap();
        let error = connect_unwritable(&path).unwrap_err();
        std::fs::remove_file(&log).unwrap();
        assert_eq!(error, StoreError::Unwritable { path });
        assert!(error.to_string().contains("copy both files"), "{error}");
    }
}
