//! Rows that were made elsewhere.

use std::ops::AddAssign;

use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, params, params_from_iter};

use super::row::StoredResult;
use super::session::{self, Session, SessionId};
use super::writer::INSERT_RECORD;
use super::{SeriesId, Store, StoreError};
use crate::shard::ShardGame;
use crate::{DecisionResult, DuelResult, Provenance, SoloResult};

/// What another results file had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Games that belong here.
    pub found: u64,
    /// Those of them that were not known before.
    pub new: u64,
}

impl AddAssign for Merged {
    fn add_assign(&mut self, other: Self) {
        self.found += other.found;
        self.new += other.new;
    }
}

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

/// Games in one transaction, where they come from another store: whole games of 2048 are long.
const PAGE: usize = 256;

impl Store {
    /// Takes over the games of a series from another store, each with the session that played it.
    pub(crate) fn take<R: StoredResult>(&mut self, other: &Self, definition: &str) -> Result<Merged, StoreError> {
        let mut merged = Merged::default();
        let Some(there) = other.find_series(definition)? else { return Ok(merged) };
        let here = self.series(definition)?;
        for (number, session) in other.run(session::all)? {
            let mut page = other.page::<R>(there, number, 0)?;
            while let Some(last) = page.last() {
                let next = other.page::<R>(there, number, last.game + 1)?;
                merged.found += page.len() as u64;
                let session = self.enter_session(&session)?;
                merged.new += self.insert(&R::insert(), session, page.into_iter().map(|game| (here, game)))?;
                page = next;
            }
        }
        Ok(merged)
    }

    /// Some games of a series that one session played, from a number on.
    fn page<R: StoredResult>(&self, series: SeriesId, session: i64, from: u64) -> Result<Vec<ShardGame>, StoreError> {
        let query = format!(
            "SELECT game, coalesce((SELECT record FROM records WHERE series = ?1 AND records.game = {table}.game), ''), {columns}
             FROM {table} WHERE series = ?1 AND session = ?2 AND game >= ?3 ORDER BY game LIMIT {PAGE}",
            table = R::TABLE,
            columns = R::columns(),
        );
        self.run(|connection| {
            let mut statement = connection.prepare_cached(&query)?;
            let rows = statement.query_map(params![series.0, session, from as i64], |row| {
                let values = (0..R::COLUMNS.len()).map(|column| row.get(column + 2)).collect::<Result<_, _>>()?;
                Ok(ShardGame { series: 0, game: row.get::<_, i64>(0)? as u64, record: row.get(1)?, values })
            })?;
            rows.collect()
        })
    }

    /// Stores games in one transaction and says how many of them it did not have; `None`, and nothing is stored, if they do
    /// not fit the table.
    pub(crate) fn merge(&mut self, merged: MergedRows<'_>) -> Result<Option<u64>, StoreError> {
        let MergedRows { table, session, rows } = merged;
        let Some((insert, columns)) = insert(table) else { return Ok(None) };
        if rows.iter().any(|(_, game)| game.values.len() != columns || i64::try_from(game.game).is_err()) {
            return Ok(None);
        }
        self.insert(&insert, session, rows).map(Some)
    }

    /// Stores games that one session played by this statement, in one transaction, and says how many of them were not there.
    fn insert(
        &mut self,
        statement: &str,
        session: SessionId,
        games: impl IntoIterator<Item = (SeriesId, ShardGame)>,
    ) -> Result<u64, StoreError> {
        let insert = || -> rusqlite::Result<u64> {
            let mut stored = 0;
            let transaction = self.connection.transaction()?;
            for (series, game) in games {
                let number = game.game as i64;
                let key = [series.0, number, session.0].map(Value::Integer);
                let row = params_from_iter(key.into_iter().chain(game.values));
                stored += transaction.prepare_cached(statement)?.execute(row)? as u64;
                transaction.prepare_cached(INSERT_RECORD)?.execute(params![series.0, number, game.record])?;
            }
            transaction.commit()?;
            Ok(stored)
        };
        insert().map_err(|error| StoreError::sqlite(&self.path, &error))
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
