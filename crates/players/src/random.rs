//! A player that plays any legal move, each with the same probability.

use afterstate_game::{Decision, Dice, NoLegalMove, Player, Position, Task};

/// Plays uniformly random legal moves.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Random {
    /// A random player; the stream is set anew by [`Player::start_game`].
    #[must_use]
    pub fn new() -> Self {
        Self { dice: Dice::seeded(0) }
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Position> Player<P> for Random {
    fn decide(&mut self, task: Task<'_, P>) -> Result<Decision<P::Move>, NoLegalMove> {
        let best = task.position().random_move(&mut self.dice).ok_or(NoLegalMove)?;
        Ok(Decision::unsearched(best, task.position().moves()))
    }

    fn start_game(&mut self, seed: u64) {
        self.dice = Dice::seeded(seed);
    }
}
