//! Writing games in groups: as durable as one transaction per game, and as fast as the games come.
//!
//! The writer commits whatever has arrived as soon as the previous commit is done. Slow agents get one transaction per
//! game; random players share one among thousands, and still no game waits longer than one flush of the disk.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::row::StoredResult;
use super::session::SessionId;
use super::{SeriesId, Store, StoreError};
use crate::series::Recorded;

/// Games waiting for the disk; beyond that the players wait too.
const QUEUE: usize = 4096;
/// Stores the record of a game; one that is there already stays.
pub(super) const INSERT_RECORD: &str =
    "INSERT INTO records (series, game, record) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";

/// Hands finished games to the thread that stores them. Cheap to clone: every worker has one.
#[derive(Clone, Debug)]
pub struct Writer<R> {
    queue: SyncSender<(SeriesId, Recorded<R>)>,
}

impl<R: StoredResult> Writer<R> {
    /// Stores a game. `false` if storing has failed and the run should end; the reason comes from the thread's handle.
    #[must_use]
    pub fn store(&self, series: SeriesId, game: Recorded<R>) -> bool {
        self.queue.send((series, game)).is_ok()
    }
}

impl Store {
    /// Starts a thread that stores games of one session. It ends when the last clone of the [`Writer`] is dropped, and
    /// returns the number of games it stored.
    pub fn start_writer<'scope, R: StoredResult + 'scope>(
        &'scope mut self,
        session: SessionId,
        scope: &'scope Scope<'scope, '_>,
    ) -> (Writer<R>, ScopedJoinHandle<'scope, Result<u64, StoreError>>) {
        let (queue, games) = sync_channel(QUEUE);
        let Self { path, connection, .. } = self;
        let handle = scope
            .spawn(move || write_all(connection, session, &games).map_err(|error| StoreError::sqlite(path, &error)));
        (Writer { queue }, handle)
    }
}

fn write_all<R: StoredResult>(
    connection: &mut Connection,
    session: SessionId,
    games: &Receiver<(SeriesId, Recorded<R>)>,
) -> rusqlite::Result<u64> {
    let insert = R::insert();
    let mut stored = 0;
    while let Ok(first) = games.recv() {
        let transaction = connection.transaction()?;
        for (series, game) in std::iter::once(first).chain(games.try_iter().take(QUEUE)) {
            let number = game.result.game() as i64;
            let key = [series.0, number, session.0].map(Value::Integer);
            let values = params_from_iter(key.into_iter().chain(game.result.values()));
            stored += transaction.prepare_cached(&insert)?.execute(values)? as u64;
            transaction.prepare_cached(INSERT_RECORD)?.execute(params![series.0, number, game.record])?;
        }
        transaction.commit()?;
    }
    Ok(stored)
}
