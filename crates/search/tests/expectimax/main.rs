//! The expectimax search against plain references, on a small game and on 2048.

mod boards;
mod reference;
mod variants;
mod walk;
