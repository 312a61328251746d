//! Two networks in turn: from a tile sum on the boards of one are judged by another, which has learned how games go on there.

use std::sync::Arc;

use afterstate_game::Evaluation;
use afterstate_twenty48::{Slid, State};

use super::network::Compact;
use super::view::{downgraded, may_exceed, tile_sum};

/// A network to play with and, if there is one, the network that takes over from it.
#[derive(Clone, Debug)]
pub struct Relay {
    first: Arc<Compact>,
    late: Option<Late>,
}

/// The network that takes over, and the tile sum at which it does.
#[derive(Clone, Debug)]
struct Late {
    begin: u32,
    network: Arc<Compact>,
}

/// Networks that cannot be played with in turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RelayError {
    /// The one that is to take over has learned nothing for it.
    #[error("it has the design {0}, which has no stages above a ceiling, and so cannot take over from another network")]
    NoLateStages(String),
    /// The first one knows nothing of how games begin.
    #[error("it holds only what comes from a tile sum of {0} on: name the model that it takes over from")]
    OnlyLate(u32),
}

impl Relay {
    /// One network for all boards.
    pub fn alone(first: Arc<Compact>) -> Result<Self, RelayError> {
        match first.design().late().first() {
            Some(&begin) if !first.has_early_weights() => Err(RelayError::OnlyLate(begin)),
            _ => Ok(Self { first, late: None }),
        }
    }

    /// The same, with another network for the boards of that one's stages above the ceiling.
    pub fn then(self, late: Arc<Compact>) -> Result<Self, RelayError> {
        let design = late.design();
        let &begin = design.late().first().ok_or_else(|| RelayError::NoLateStages(design.name().to_owned()))?;
        Ok(Self { late: Some(Late { begin, network: late }), ..self })
    }

    /// The network that judges boards with this tile sum.
    #[inline]
    fn judge(&self, sum: impl FnOnce() -> u32) -> &Compact {
        match &self.late {
            Some(late) if sum() >= late.begin => &late.network,
            _ => &self.first,
        }
    }
}

impl Evaluation<State> for Relay {
    const COUNTS_REWARDS: bool = true;

    /// What the best move will bring; 0 when the game is over.
    fn position(&self, position: &State) -> f32 {
        self.best_afterstate(position).unwrap_or(0.0)
    }

    #[inline]
    fn afterstate(&self, afterstate: &Slid) -> f32 {
        self.judge(|| tile_sum(downgraded(afterstate.0))).value(afterstate.0)
    }

    #[inline]
    fn best_afterstate(&self, position: &State) -> Option<f32> {
        // A slide changes the sum only where it makes a tile that networks cannot see as it is.
        if self.late.is_some() && may_exceed(position.0) {
            return self.best_one_by_one(position);
        }
        self.judge(|| tile_sum(position.0.nibbles())).best_afterstate(position)
    }

    #[inline]
    fn best_after_answers(&self, afterstate: &Slid, visit: impl FnMut(&State, f32, Option<f32>)) {
        let Some(late) = &self.late else { return self.first.best_after_answers(afterstate, visit) };
        // Chance adds a two or a four.
        let sum = tile_sum(afterstate.0.nibbles());
        let between = (late.begin.saturating_sub(4)..late.begin.saturating_sub(2)).contains(&sum);
        if between || may_exceed(afterstate.0) {
            return self.answers_one_by_one(afterstate, visit);
        }
        self.judge(|| sum + 2).best_after_answers(afterstate, visit);
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::{Afterstate, Dice, Position};

    use super::*;
    use crate::ntuple::{Design, Network};

    /// A network of random weights.
    fn random(late: &[u32], seed: u64) -> Arc<Compact> {
        let design = Design::built_in("4x4").unwrap().with_ceiling(Some(140)).unwrap().with_late(late).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        let mut dice = Dice::seeded(seed);
        (0..network.values.len()).for_each(|place| network.values.set(place, dice.below(1000) as f32));
        Arc::new(network.compacted())
    }

    #[test]
    fn boards_are_judged_by_the_network_of_their_tile_sum() {
        let (first, late) = (random(&[], 1), random(&[200, 230], 2));
        let alone = Relay::alone(Arc::clone(&first)).unwrap();
        let relay = alone.clone().then(Arc::clone(&late)).unwrap();
        let judged = |text: &str| {
            let board = text.parse().unwrap();
            let value = relay.afterstate(&Slid(board));
            (value == first.value(board), value == late.value(board))
        };
        assert_eq!(judged("128 64 4 2/0 0 0 0/0 0 0 0/0 0 0 0"), (true, false));
        assert_eq!(judged("128 64 4 4/0 0 0 0/0 0 0 0/0 0 0 0"), (false, true));
        assert_eq!(judged("128 64 32 2/0 0 0 0/0 0 0 0/0 0 0 0"), (false, true));
        let late_board = "128 64 32 2/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap();
        assert_eq!(alone.afterstate(&Slid(late_board)), first.value(late_board));
        let error = alone.then(first).unwrap_err().to_string();
        assert!(error.contains("the design 4x4, which has no stages above a ceiling"), "{error}");
    }

    #[test]
    fn late_stages_alone_cannot_play_a_whole_game() {
        let design = random(&[200], 1).design().clone();
        let network = Network::new(&design, 0.0).unwrap();
        network.values.fill(network.places().of(1), 5.0);
        let error = Relay::alone(Arc::new(network.compacted())).unwrap_err();
        assert_eq!(error, RelayError::OnlyLate(200));
        network.values.set(7, 5.0);
        assert!(Relay::alone(Arc::new(network.compacted())).is_ok());
    }

    /// An evaluation that knows no short cuts.
    struct Plain<'a>(&'a Relay);

    impl Evaluation<State> for Plain<'_> {
        const COUNTS_REWARDS: bool = true;
        fn position(&self, position: &State) -> f32 {
            self.0.position(position)
        }
        fn afterstate(&self, afterstate: &Slid) -> f32 {
            self.0.afterstate(afterstate)
        }
    }

    fn judged<E: Evaluation<State>>(evaluation: &E, slid: &Slid) -> Vec<(State, Option<f32>)> {
        let mut answers = Vec::new();
        evaluation.best_after_answers(slid, |state, _, best| answers.push((*state, best)));
        answers
    }

    #[test]
    fn short_cuts_give_the_same_values_to_the_last_bit() {
        let relay = Relay::alone(random(&[], 1)).and_then(|first| first.then(random(&[200, 230], 2))).unwrap();
        let mut dice = Dice::seeded(3);
        for start in ["128 64 0 0/2 0 0 0/0 0 0 0/0 0 0 0", "32768 32768 128 64/2 0 0 0/0 0 0 0/0 0 0 0"] {
            let mut state = State(start.parse().unwrap());
            while let Some(mv) = state.random_move(&mut dice) {
                assert_eq!(relay.best_afterstate(&state), Plain(&relay).best_afterstate(&state));
                let slid = state.play_unchecked(mv).afterstate;
                assert_eq!(judged(&relay, &slid), judged(&Plain(&relay), &slid));
                state = slid.draw(&mut dice);
            }
        }
    }
}
