//! Rows that were made elsewhere.

use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, params, params_from_iter};

use super::row::StoredResult;
use super::session::{Session, SessionId};
use super::writer::INSERT_RECORD;
use super::{SeriesId, Store, StoreError};
use crate::shard::ShardGame;
use crate::{DecisionResult, DuelResult, Provenance, SoloResult};

/// Games of one session for one table.
pub(crate) struct MergedRows<'a> {
    /// The table.
    pub(crate) table: &'a str,
    /// Who played them.
    pub(crate) session: SessionId,
    /// The games, each with its series.
    pub(crate) rows: Vec<(SeriesId, ShardGame)>,
}

/// The statement that stores a row of a table, and the number of its columns; `None` if there is no such table.
fn insert(table: &str) -> Option<(String, usize)> {
    fn of<R: StoredResult>(table: &str) -> Option<(String, usize)> {
        (table == R::TABLE).then(|| (R::insert(), R::COLUMNS.len()))
    }
    of::<SoloResult>(table).or_else(|| of::<DuelResult>(table)).or_else(|| of::<DecisionResult>(table))
}

impl Store {
    /// Stores games in one transaction and says how many of them it did not have; `None`, and nothing is stored, if they do
    /// not fit the table.
    pub(crate) fn merge(&mut self, merged: MergedRows<'_>) -> Result<Option<u64>, StoreError> {
        let MergedRows { table, session, rows } = merged;
        let Some((insert, columns)) = insert(table) else { return Ok(None) };
        if rows.iter().any(|(_, game)| game.values.len() != columns || i64::try_from(game.game).is_err()) {
            return Ok(None);
        }
        let store = || -> rusqlite::Result<u64> {
            let mut stored = 0;
            let transaction = self.connection.transaction()?;
            for (series, game) in rows {
                let number = game.game as i64;
                let key = [series.0, number, session.0].map(Value::Integer);
                let row = params_from_iter(key.into_iter().chain(game.values));
                stored += transaction.prepare_cached(&insert)?.execute(row)? as u64;
                transaction.prepare_cached(INSERT_RECORD)?.execute(params![series.0, number, game.record])?;
            }
            transaction.commit()?;
            Ok(stored)
        };
        store().map(Some).map_err(|error| StoreError::sqlite(&self.path, &error))
    }

    /// The time as sessions have it.
    pub(crate) fn now(&self) -> Result<String, StoreError> {
        self.run(|connection| {
            connection.query_row("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", [], |row| row.get(0))
        })
    }

    /// The session of games that were played elsewhere; entered if there is none that says the same in everything.
    pub(crate) fn enter_session(&self, session: &Session) -> Result<SessionId, StoreError> {
        let Session { started, provenance, experiment } = session;
        let Provenance { command, program, commit, machine, threads } = provenance;
        let values = params![started, command, program, commit, machine, *threads as i64, experiment];
        self.run(|connection| {
            let find =
                "SELECT id FROM sessions WHERE started = ?1 AND command = ?2 AND program = ?3 AND git_commit = ?4
                        AND machine = ?5 AND threads = ?6 AND experiment = ?7";
            if let Some(id) = connection.query_row(find, values, |row| row.get(0)).optional()? {
                return Ok(SessionId(id));
            }
            connection.execute(
                "INSERT INTO sessions (started, command, program, git_commit, machine, threads, experiment)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                values,
            )?;
            Ok(SessionId(connection.last_insert_rowid()))
        })
    }
}
