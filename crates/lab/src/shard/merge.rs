//! From shards into the store: every game once, however often and whenever its shard is read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Content, Heading, ShardError, ShardGame, ShardReader};
use crate::LabError;
use crate::store::{MergedRows, SeriesId, SessionId, Store};

/// Games in one transaction; a run that is killed between two of them goes on after the first.
const GROUP: usize = 4096;

/// Follows shards as they grow and stores what is new in them.
///
/// How far each was read is remembered here only, not in the store: what is read again after a restart is there already, and
/// the store keeps one row per game.
#[derive(Debug, Default)]
pub struct Merger {
    shards: BTreeMap<PathBuf, Followed>,
}

/// How far a shard was read.
#[derive(Debug)]
struct Followed {
    offset: u64,
    heading: Heading,
    /// What the store calls its session and its series; known when it has a game.
    known: Option<(SessionId, Vec<SeriesId>)>,
}

impl Merger {
    /// Stores the games that a shard has gained since it was last read, and says how many the store did not have.
    ///
    /// `accept` sees the heading of every shard before its first game, and can refuse it.
    pub fn merge(
        &mut self,
        path: &Path,
        store: &mut Store,
        accept: impl FnOnce(&Heading) -> Result<(), LabError>,
    ) -> Result<u64, LabError> {
        let offset = self.shards.get(path).map_or(0, |followed| followed.offset);
        let mut shard = ShardReader::open(path, offset)?;
        if offset == 0 {
            let Some(Content::Heading(heading)) = shard.read_next()? else { return Ok(0) };
            accept(&heading)?;
            self.shards.insert(path.to_owned(), Followed { offset: 0, heading: *heading, known: None });
        }
        let Some(followed) = self.shards.get_mut(path) else { return Ok(0) };
        let mut stored = 0;
        loop {
            let (group, failure) = read_group(&mut shard);
            let is_last = group.len() < GROUP;
            stored += followed.store(store, path, group)?;
            followed.offset = shard.offset();
            match failure {
                Some(failure) => return Err(failure.into()),
                None if is_last => return Ok(stored),
                None => {}
            }
        }
    }
}

/// The next games of a shard, and what is wrong behind them.
fn read_group<R: std::io::Read>(shard: &mut ShardReader<R>) -> (Vec<ShardGame>, Option<ShardError>) {
    let mut games = Vec::new();
    while games.len() < GROUP {
        match shard.read_next() {
            Ok(Some(Content::Game(game))) => games.push(game),
            Ok(Some(Content::Heading(_))) => {}
            Ok(None) => break,
            Err(error) => return (games, Some(error)),
        }
    }
    (games, None)
}

impl Followed {
    fn store(&mut self, store: &mut Store, path: &Path, games: Vec<ShardGame>) -> Result<u64, LabError> {
        if games.is_empty() {
            return Ok(0);
        }
        if self.known.is_none() {
            let series = self.heading.series.iter().map(|definition| store.series(definition));
            self.known = Some((store.enter_session(&self.heading.session)?, series.collect::<Result<_, _>>()?));
        }
        let Some((session, series)) = &self.known else { return Ok(0) };
        let foreign = || LabError::from(ShardError::Foreign { path: path.to_owned() });
        let mut rows = Vec::with_capacity(games.len());
        for game in games {
            let series = *series.get(game.series as usize).ok_or_else(foreign)?;
            rows.push((series, game));
        }
        let merged = MergedRows { table: &self.heading.table, session: *session, rows };
        store.merge(merged)?.ok_or_else(foreign)
    }
}
