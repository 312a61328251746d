//! What can go wrong in the laboratory.

use afterstate_players::SpecError;

use crate::play::Unfinished;
use crate::store::StoreError;

/// Why a run gives no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// An agent cannot be built.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// A game could not be played to its end.
    #[error(transparent)]
    Game(#[from] Unfinished),
    /// The results file cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A finished game could not be stored; the store's own error says why.
    #[error("a finished game could not be stored")]
    NotStored,
}
