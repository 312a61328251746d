//! Who may search now: a fixed number of turns, handed round among the clients in a circle.
//!
//! A client that asks for a hundred searches waits as long for its second one as everybody else waits for their first.
//! Nothing here knows what a search is.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// One connection, as far as fairness is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientId(pub(crate) u64);

/// How many turns there are and how many may wait for one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnSettings {
    /// Turns at a time.
    pub(crate) running: usize,
    /// Requests that may wait in all.
    pub(crate) waiting: usize,
    /// Requests of one client that may run and wait together.
    pub(crate) per_client: usize,
    /// A crowd gets shorter turns, so that the last one in the circle waits about this long.
    pub(crate) patience: Duration,
}

/// However large the crowd, a turn lasts this long: a shorter one would not be worth its set-up.
const SHORTEST_TURN: Duration = Duration::from_millis(40);

/// Why a request gets no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    /// The waiting room is full.
    #[error("too many searches are waiting; try again later")]
    Full,
    /// The client has enough of them.
    #[error("this connection already has {0} searches; stop one first")]
    TooMany(usize),
}

/// The circle of clients.
#[derive(Debug)]
pub(crate) struct Turns {
    settings: TurnSettings,
    circle: Mutex<Circle>,
}

#[derive(Debug, Default)]
struct Circle {
    running: usize,
    waiting: usize,
    next_ticket: u64,
    /// Clients with somebody waiting, the next one first.
    order: VecDeque<ClientId>,
    clients: HashMap<ClientId, Share>,
}

/// What one client has of the whole.
#[derive(Debug, Default)]
struct Share {
    running: usize,
    waiting: VecDeque<(u64, oneshot::Sender<Turn>)>,
}

/// The right to search. Dropping it hands the turn on.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    client: ClientId,
}

impl Turns {
    pub(crate) fn new(settings: TurnSettings) -> Arc<Self> {
        Arc::new(Self { settings, circle: Mutex::default() })
    }

    /// The circle is consistent between any two statements that could panic, so a poisoned lock is as good as new.
    fn circle(&self) -> MutexGuard<'_, Circle> {
        self.circle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn. Dropping the future gives the place in the circle up.
    pub(crate) async fn wait(self: &Arc<Self>, client: ClientId) -> Result<Turn, Refused> {
        let (place, turn) = match self.enter(client)? {
            Entered::Now(turn) => return Ok(turn),
            Entered::Waiting(place, turn) => (place, turn),
        };
        let turn = turn.await;
        drop(place);
        // The sender lives in the circle until it sends, and the circle as long as this future.
        turn.map_err(|_| Refused::Full)
    }

    fn enter(self: &Arc<Self>, client: ClientId) -> Result<Entered, Refused> {
        let TurnSettings { running, waiting, per_client, .. } = self.settings;
        let mut circle = self.circle();
        let taken = circle.clients.get(&client).map_or(0, |share| share.running + share.waiting.len());
        if taken >= per_client {
            return Err(Refused::TooMany(per_client));
        }
        if circle.running < running {
            circle.running += 1;
            circle.clients.entry(client).or_default().running += 1;
            return Ok(Entered::Now(Turn { turns: Arc::clone(self), client }));
        }
        if circle.waiting >= waiting {
            return Err(Refused::Full);
        }
        let ticket = circle.next_ticket;
        circle.next_ticket += 1;
        let (sender, receiver) = oneshot::channel();
        circle.push(client, ticket, sender);
        Ok(Entered::Waiting(Place { turns: Arc::clone(self), client, ticket }, receiver))
    }

    /// How long a turn may last while others wait, or `None` while nobody does.
    pub(crate) fn fair_share(&self) -> Option<Duration> {
        let waiting = self.circle().waiting;
        let rounds = (waiting as f64 / self.settings.running as f64).max(1.0);
        (waiting > 0).then(|| self.settings.patience.div_f64(rounds).max(SHORTEST_TURN))
    }

    /// Turns taken and requests waiting.
    pub(crate) fn load(&self) -> (usize, usize) {
        let circle = self.circle();
        (circle.running, circle.waiting)
    }

    fn hand_on(self: &Arc<Self>, from: ClientId) {
        self.circle().leave(from);
        loop {
            let Some((client, next)) = self.circle().pop() else { return };
            // Sent outside the lock: if nobody waits there any more, the turn comes back and goes to the next one.
            match next.send(Turn { turns: Arc::clone(self), client }) {
                Ok(()) => return,
                Err(mut turn) => turn.give_up(),
            }
        }
    }
}

enum Entered {
    Now(Turn),
    Waiting(Place, oneshot::Receiver<Turn>),
}

impl Circle {
    fn push(&mut self, client: ClientId, ticket: u64, sender: oneshot::Sender<Turn>) {
        let share = self.clients.entry(client).or_default();
        if share.waiting.is_empty() {
            self.order.push_back(client);
        }
        share.waiting.push_back((ticket, sender));
        self.waiting += 1;
    }

    /// Takes the next one out of the circle, as running. Its client goes to the end of the circle.
    fn pop(&mut self) -> Option<(ClientId, oneshot::Sender<Turn>)> {
        let client = self.order.pop_front()?;
        let share = self.clients.get_mut(&client)?;
        let (_, sender) = share.waiting.pop_front()?;
        share.running += 1;
        if !share.waiting.is_empty() {
            self.order.push_back(client);
        }
        self.waiting -= 1;
        self.running += 1;
        Some((client, sender))
    }

    /// Forgets a request that waits no longer.
    fn cancel(&mut self, client: ClientId, ticket: u64) {
        let Some(share) = self.clients.get_mut(&client) else { return };
        let before = share.waiting.len();
        share.waiting.retain(|(waiting, _)| *waiting != ticket);
        self.waiting -= before - share.waiting.len();
        if share.waiting.is_empty() {
            self.order.retain(|&waiting| waiting != client);
        }
        self.forget_idle(client);
    }

    fn leave(&mut self, client: ClientId) {
        self.running -= 1;
        if let Some(share) = self.clients.get_mut(&client) {
            share.running -= 1;
        }
        self.forget_idle(client);
    }

    fn forget_idle(&mut self, client: ClientId) {
        if self.clients.get(&client).is_some_and(|share| share.running == 0 && share.waiting.is_empty()) {
            self.clients.remove(&client);
        }
    }
}

/// A place in the circle; dropping it leaves the circle.
struct Place {
    turns: Arc<Turns>,
    client: ClientId,
    ticket: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.turns.circle().cancel(self.client, self.ticket);
    }
}

impl Turn {
    /// Ends the turn without looking for the next one: the caller does.
    fn give_up(&mut self) {
        self.turns.circle().leave(self.client);
        // What is dropped from here on belongs to nobody.
        self.client = NOBODY;
    }
}

/// No connection has this number.
const NOBODY: ClientId = ClientId(u64::MAX);

impl Drop for Turn {
    fn drop(&mut self) {
        if self.client != NOBODY {
            self.turns.hand_on(self.client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(running: usize, waiting: usize, per_client: usize) -> Arc<Turns> {
        Turns::new(TurnSettings { running, waiting, per_client, patience: Duration::from_secs(10) })
    }

    /// Lets every spawned task go as far as it can.
    async fn settle() {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_greedy_client_waits_behind_everybody_else() {
        let turns = turns(1, 100, 100);
        let first = turns.wait(ClientId(1)).await.unwrap();
        let (sender, mut served) = tokio::sync::mpsc::unbounded_channel();
        for client in [1, 1, 1, 2, 3] {
            let (turns, sender) = (Arc::clone(&turns), sender.clone());
            tokio::spawn(async move {
                let turn = turns.wait(ClientId(client)).await.unwrap();
                sender.send((client, turn)).unwrap();
            });
            settle().await;
        }
        drop((first, sender));
        let mut order = Vec::new();
        while let Some((client, turn)) = served.recv().await {
            order.push(client);
            drop(turn);
        }
        assert_eq!(order, [1, 2, 3, 1, 1]);
        assert_eq!(turns.load(), (0, 0));
        assert!(turns.circle().clients.is_empty());
    }

    #[tokio::test]
    async fn a_dropped_request_leaves_the_circle_and_loses_no_turn() {
        let turns = turns(1, 100, 100);
        let first = turns.wait(ClientId(1)).await.unwrap();
        let waiting: Vec<_> = (2..6)
            .map(|client| {
                let turns = Arc::clone(&turns);
                tokio::spawn(async move { drop(turns.wait(ClientId(client)).await.unwrap()) })
            })
            .collect();
        settle().await;
        assert_eq!(turns.load(), (1, 4));
        waiting[1].abort();
        settle().await;
        assert_eq!(turns.load(), (1, 3));
        drop(first);
        // The turn is on its way to client 2, who is gone before it arrives.
        waiting[0].abort();
        settle().await;
        assert_eq!(turns.load(), (0, 0));
    }

    #[tokio::test]
    async fn a_full_waiting_room_and_a_greedy_client_are_refused() {
        let turns = turns(1, 1, 2);
        let _first = turns.wait(ClientId(1)).await.unwrap();
        let second = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.wait(ClientId(1)).await.map(drop) }
        });
        settle().await;
        assert_eq!(turns.wait(ClientId(1)).await.unwrap_err(), Refused::TooMany(2));
        assert_eq!(turns.wait(ClientId(2)).await.unwrap_err(), Refused::Full);
        second.abort();
    }

    #[tokio::test]
    async fn a_crowd_shortens_the_turns() {
        let turns = turns(2, 1000, 1000);
        assert_eq!(turns.fair_share(), None);
        let _running = [turns.wait(ClientId(0)).await.unwrap(), turns.wait(ClientId(0)).await.unwrap()];
        let mut places = Vec::new();
        let mut shares = Vec::new();
        for client in 1..=500 {
            places.push(turns.enter(ClientId(client)).unwrap());
            if [1, 10, 500].contains(&client) {
                shares.push(turns.fair_share().unwrap());
            }
        }
        assert_eq!(shares, [Duration::from_secs(10), Duration::from_secs(2), SHORTEST_TURN]);
    }
}
