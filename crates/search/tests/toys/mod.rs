//! Small games that the tests of several searches share.

pub(crate) mod tictactoe;
