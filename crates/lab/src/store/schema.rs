//! The tables of a results file and their version.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use super::StoreError;
use super::row::StoredResult;
use crate::{DecisionResult, DuelResult, SoloResult};

/// "AFST": marks the file as one of ours.
const APPLICATION_ID: i32 = 0x4146_5354;
/// Raised with every change of the tables.
const VERSION: i32 = 1;

/// Whether a file that begins so is a database. Whether it is one of ours cannot be told while a run is still making it.
pub(crate) fn is_database(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0")
}

/// Makes the tables of a new file; checks those of an old one.
pub(super) fn prepare_for_writing(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::sqlite(path, &error);
    let is_new = is_empty(connection, path)?;
    if !is_new {
        check(connection, path)?;
    }
    set_durability(connection).map_err(failed)?;
    if is_new { create(connection).map_err(failed) } else { Ok(()) }
}

/// Whether the file has no tables yet: it is new, or a run is just making it.
pub(super) fn is_empty(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0).map(|tables| tables == 0))
        .map_err(|error| StoreError::sqlite(path, &error))
}

/// Whether the file cannot be read because something beside it cannot be written.
pub(super) fn needs_writing(connection: &Connection) -> bool {
    let looked = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    let code = looked.err().and_then(|error| error.sqlite_error_code());
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn set_durability(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    // FULL, not NORMAL: in WAL mode NORMAL may lose the last commits in a power cut. The writer commits in groups, so
    // the price is a handful of disk flushes per second.
    connection.pragma_update(None, "synchronous", "full")
}

/// Refuses files of other programs and of newer versions.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let number = |name| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i32>(0))
            .map_err(|error| StoreError::sqlite(path, &error))
    };
    if number("application_id")? != APPLICATION_ID {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    let found = number("user_version")?;
    if found > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION });
    }
    Ok(())
}

fn create(connection: &Connection) -> rusqlite::Result<()> {
    let game_table = |table: &str, columns: &str| {
        format!(
            "CREATE TABLE {table} (
                series INTEGER NOT NULL REFERENCES series (id),
                game INTEGER NOT NULL,
                session INTEGER NOT NULL REFERENCES sessions (id),
                {columns},
                PRIMARY KEY (series, game)
            ) WITHOUT ROWID, STRICT;"
        )
    };
    let tables = format!(
        "BEGIN;
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY, started TEXT NOT NULL, command TEXT NOT NULL, program TEXT NOT NULL,
            git_commit TEXT NOT NULL, machine TEXT NOT NULL, threads INTEGER NOT NULL, experiment TEXT NOT NULL
        ) STRICT;
        CREATE TABLE series (id INTEGER PRIMARY KEY, definition TEXT NOT NULL UNIQUE) STRICT;
        {}
        {}
        {}
        -- Apart from the figures, so that statistics do not have to read past them.
        CREATE TABLE records (
            series INTEGER NOT NULL REFERENCES series (id), game INTEGER NOT NULL, record TEXT NOT NULL,
            PRIMARY KEY (series, game)
        ) STRICT;
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = {VERSION};
        COMMIT;",
        game_table(SoloResult::TABLE, &SoloResult::column_definitions()),
        game_table(DuelResult::TABLE, &DuelResult::column_definitions()),
        game_table(DecisionResult::TABLE, &DecisionResult::column_definitions()),
    );
    connection.execute_batch(&tables)
}
