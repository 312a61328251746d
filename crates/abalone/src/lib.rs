//! The game Abalone: board, moves, layouts, notation and evaluations.
