//! Small games, and an evaluation, that the tests of several searches share.

pub(crate) mod failing;
pub(crate) mod tictactoe;
