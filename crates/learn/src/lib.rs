//! Learning to play: n-tuple networks for 2048.
//!
//! A network is described as data ([`ntuple::Design`]), learned by temporal differences on all cores or on a GPU, stored
//! in a checked and compressed file, and used by any search as an [`afterstate_game::Evaluation`].
//!
//! This crate chooses no paths and knows no command line: callers pass files, settings and a place to report progress.

pub mod ntuple;
