//! What can go wrong in the laboratory.

use afterstate_players::SpecError;

use crate::play::Unfinished;

/// Why a run gives no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// An agent cannot be built.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// A game could not be played to its end.
    #[error(transparent)]
    Game(#[from] Unfinished),
}
