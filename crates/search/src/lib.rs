//! The searches, generic over games: expectimax, alpha-beta and Monte Carlo tree search, with what they share.
//!
//! Nothing here names a concrete game, prints, reads a file or owns a global.

pub mod alphabeta;
mod budget;
pub mod expectimax;
mod mapped;
pub mod mcts;
mod prefetch;
mod table;

pub use budget::Budget;
pub use mapped::{Mapped, Number, OutOfMemory};
pub use prefetch::{prefetch, prefetch_item};
pub use table::{Shelf, Table, TableTooLarge};
