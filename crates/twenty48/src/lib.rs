//! The game 2048: board, slides, spawns, notation, records and evaluations.
