//! Agents that wait for their next question. An agent keeps its tables and trees between the moves of a game, so that
//! playing move by move costs no more than playing at once; a fixed number of seats keeps the memory within bounds.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use afterstate_game::{Player, Position};

use crate::turns::ClientId;

/// Who asked whom: an agent remembers nothing across two of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    pub(crate) client: ClientId,
    pub(crate) game: &'static str,
    pub(crate) agent: String,
    pub(crate) role: String,
}

/// The seats, the one that was asked last at the back.
#[derive(Debug)]
pub(crate) struct Bench {
    seats: usize,
    sitting: Mutex<VecDeque<(Seat, Box<dyn Any + Send>)>>,
}

impl Bench {
    pub(crate) fn with_seats(seats: usize) -> Self {
        Self { seats, sitting: Mutex::default() }
    }

    /// A poisoned bench is a bench: nothing is half-done between two statements.
    fn sitting(&self) -> MutexGuard<'_, VecDeque<(Seat, Box<dyn Any + Send>)>> {
        self.sitting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The agent of this seat, or a new one.
    pub(crate) fn call<P: Position, E>(
        &self,
        seat: &Seat,
        build: impl FnOnce() -> Result<Box<dyn Player<P>>, E>,
    ) -> Result<Box<dyn Player<P>>, E> {
        let waiting = {
            let mut sitting = self.sitting();
            let place = sitting.iter().position(|(taken, _)| taken == seat);
            place.and_then(|place| sitting.remove(place))
        };
        match waiting.and_then(|(_, player)| player.downcast::<Box<dyn Player<P>>>().ok()) {
            Some(player) => Ok(*player),
            None => build(),
        }
    }

    /// Lets an agent wait for its next question. Whoever has waited longest leaves if all seats are taken.
    pub(crate) fn sit<P: Position>(&self, seat: Seat, player: Box<dyn Player<P>>) {
        let leaving = {
            let mut sitting = self.sitting();
            sitting.push_back((seat, Box::new(player)));
            if sitting.len() > self.seats { sitting.pop_front() } else { None }
        };
        // Its memory is given back outside the lock.
        drop(leaving);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate_game::{Decision, Dice, NoLegalMove, Task};
    use afterstate_twenty48::State;

    /// Remembers how often it was asked, in the seed of its last game.
    struct Counting(u64);

    impl Player<State> for Counting {
        fn decide(&mut self, task: Task<'_, State>) -> Result<Decision<afterstate_twenty48::Direction>, NoLegalMove> {
            self.0 += 1;
            let best = task.position().moves().first().copied().ok_or(NoLegalMove)?;
            let mut decision = Decision::unsearched(best, []);
            decision.effort.nodes = self.0;
            Ok(decision)
        }

        fn start_game(&mut self, seed: u64) {
            self.0 = seed;
        }
    }

    fn seat(client: u64, role: &str) -> Seat {
        Seat { client: ClientId(client), game: "2048", agent: "counting".to_owned(), role: role.to_owned() }
    }

    fn asked(bench: &Bench, seat: Seat) -> u64 {
        let built: Result<Box<dyn Player<State>>, ()> = bench.call(&seat, || Ok(Box::new(Counting(0))));
        let mut player = built.unwrap();
        let nodes = player.decide_position(&State::start(&mut Dice::seeded(1))).unwrap().effort.nodes;
        bench.sit(seat, player);
        nodes
    }

    #[test]
    fn an_agent_remembers_its_own_seat_only_and_the_bench_has_an_end() {
        let bench = Bench::with_seats(2);
        assert_eq!(asked(&bench, seat(1, "")), 1);
        assert_eq!(asked(&bench, seat(1, "")), 2);
        assert_eq!(asked(&bench, seat(2, "")), 1);
        assert_eq!(asked(&bench, seat(1, "")), 3);
        assert_eq!(asked(&bench, seat(1, "white")), 1);
        assert_eq!(bench.sitting().len(), 2);
        assert_eq!(asked(&bench, seat(2, "")), 1, "it had to leave");
    }
}
