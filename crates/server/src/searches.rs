//! Searches in their turn: each in a blocking thread, ended when its time is up, when others have waited long enough, or
//! when whoever asked has gone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use afterstate_game::Stop;

use crate::error::ApiError;
use crate::turns::{ClientId, Refused, Turn, TurnSettings, Turns};

/// Where every search of the server runs.
#[derive(Clone, Debug)]
pub(crate) struct Searches {
    turns: Arc<Turns>,
    longest: Duration,
}

/// How often a running search is looked after.
const LOOK: Duration = Duration::from_millis(20);

/// What came of a search, and whether it was cut short for the sake of others.
pub(crate) struct Searched<T> {
    pub(crate) result: T,
    pub(crate) cut: bool,
}

impl Searches {
    /// No search lasts longer than `longest`.
    pub(crate) fn new(settings: TurnSettings, longest: Duration) -> Self {
        Self { turns: Turns::new(settings), longest }
    }

    /// Turns taken and requests waiting.
    pub(crate) fn load(&self) -> (usize, usize) {
        self.turns.load()
    }

    /// A turn for a search that the caller runs himself, for no longer than [`Self::share`].
    pub(crate) async fn turn(&self, client: ClientId) -> Result<Turn, Refused> {
        self.turns.wait(client).await
    }

    /// How long a turn may last now.
    pub(crate) fn share(&self) -> Duration {
        self.turns.fair_share().unwrap_or(self.longest).min(self.longest)
    }

    /// Runs a search when its turn comes. `begun` is called when it does. Dropping the future ends the search.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: ClientId,
        begun: impl FnOnce(),
        search: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<Searched<T>, ApiError> {
        let turn = self.turns.wait(client).await?;
        begun();
        let stop = RaisedOnDrop(Stop::new());
        let watched = stop.0.clone();
        let mut running = tokio::task::spawn_blocking(move || {
            // The turn ends with the search itself, not with whoever waits for it.
            let _turn = turn;
            search(&watched)
        });
        let started = Instant::now();
        let mut cut = false;
        loop {
            tokio::select! {
                result = &mut running => {
                    return result.map(|result| Searched { result, cut }).map_err(|_| ApiError::internal());
                }
                () = tokio::time::sleep(LOOK) => {
                    if !cut && started.elapsed() >= self.share() {
                        cut = true;
                        stop.0.raise();
                    }
                }
            }
        }
    }
}

/// Raises a flag when whoever wants the result is gone.
pub(crate) struct RaisedOnDrop(pub(crate) Stop);

impl Drop for RaisedOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searches(running: usize, longest: Duration) -> Searches {
        let patience = Duration::from_millis(10);
        Searches::new(TurnSettings { running, waiting: 10, per_client: 10, patience }, longest)
    }

    fn until_stopped(stop: &Stop) {
        while !stop.is_raised() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[tokio::test]
    async fn a_search_ends_when_nobody_waits_for_it_any_more() {
        let searches = searches(1, Duration::from_secs(3600));
        let abandoned = tokio::spawn({
            let searches = searches.clone();
            async move { searches.run(ClientId(1), || {}, until_stopped).await.map(|_| ()) }
        });
        while searches.load() != (1, 0) {
            tokio::task::yield_now().await;
        }
        abandoned.abort();
        // It holds the only turn: this one runs only if it ended.
        let next = searches.run(ClientId(2), || {}, |_| 7).await.unwrap();
        assert_eq!(next.result, 7);
    }

    #[tokio::test]
    async fn a_search_ends_when_its_time_is_up_and_when_others_wait() {
        let alone = searches(1, Duration::from_millis(50));
        assert!(alone.run(ClientId(1), || {}, until_stopped).await.unwrap().cut);
        let crowded = searches(1, Duration::from_secs(3600));
        let (first, second) =
            tokio::join!(crowded.run(ClientId(1), || {}, until_stopped), crowded.run(ClientId(2), || {}, |_| ()),);
        assert!(first.unwrap().cut);
        assert!(!second.unwrap().cut);
    }

    #[tokio::test]
    async fn a_search_that_panics_is_a_short_error_and_frees_its_turn() {
        let searches = searches(1, Duration::from_secs(1));
        let failed = searches.run(ClientId(1), || {}, |_| -> () { panic!("a secret") }).await;
        assert_eq!(failed.err().unwrap().to_string(), "internal error");
        assert!(searches.run(ClientId(1), || {}, |_| ()).await.is_ok());
    }
}
