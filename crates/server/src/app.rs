//! What every request shares.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use crate::bench::Bench;
use crate::searches::Searches;
use crate::{Access, Capacity, Settings, stream};

/// The shared state of a server. Clones are the same server.
#[derive(Clone, Debug)]
pub(crate) struct App(Arc<Shared>);

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) access: Access,
    pub(crate) capacity: Capacity,
    /// The folder of the laboratory's results.
    pub(crate) results: PathBuf,
    pub(crate) searches: Searches,
    /// Agents between two questions: as many as can be asked at a time, and as many again.
    pub(crate) bench: Arc<Bench>,
    /// Places for matches.
    pub(crate) tables: Arc<Semaphore>,
    /// Turns true when the server is about to stop; open streams then say goodbye.
    pub(crate) closing: watch::Sender<bool>,
}

impl App {
    pub(crate) fn new(settings: &Settings) -> Self {
        let capacity = settings.capacity;
        Self(Arc::new(Shared {
            access: settings.access.clone(),
            capacity,
            results: settings.results.clone(),
            searches: Searches::new(capacity.turns(), capacity.search_time),
            bench: Arc::new(Bench::with_seats(2 * capacity.running)),
            tables: stream::tables(capacity.running),
            closing: watch::Sender::new(false),
        }))
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
