//! Who wrote the games: command, program, machine.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::Provenance;

/// One run of the program that wrote to a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// When it started, in UTC.
    pub started: String,
    /// What ran where.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The resolved experiment.
    pub experiment: String,
}

/// A run as the store knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionId(pub(super) i64);

pub(super) fn insert(
    connection: &Connection,
    provenance: &Provenance,
    experiment: &str,
) -> rusqlite::Result<SessionId> {
    let Provenance { command, program, commit, machine, threads } = provenance;
    connection.execute(
        "INSERT INTO sessions (started, command, program, git_commit, machine, threads, experiment)
         VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3, ?4, ?5, ?6)",
        params![command, program, commit, machine, *threads as i64, experiment],
    )?;
    Ok(SessionId(connection.last_insert_rowid()))
}

/// All runs with their numbers, oldest first.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<(i64, Session)>> {
    let mut statement = connection.prepare(
        "SELECT started, command, program, git_commit, machine, threads, experiment, id FROM sessions ORDER BY id",
    )?;
    let rows = statement.query_map([], |row| {
        let provenance = Provenance {
            command: row.get(1)?,
            program: row.get(2)?,
            commit: row.get(3)?,
            machine: row.get(4)?,
            threads: row.get::<_, i64>(5)? as usize,
        };
        Ok((row.get(7)?, Session { started: row.get(0)?, provenance, experiment: row.get(6)? }))
    })?;
    rows.collect()
}
