//! Numbers of games as they stand in an experiment's file. What is no such number is refused in the words of the others.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

use super::stop::MOST_GAMES;

/// A number of games.
pub(super) fn games<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    from.deserialize_u64(Games)
}

/// A number of games that need not be there.
pub(super) fn some_games<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    games(from).map(Some)
}

/// Whether a number is too small or too large is the stop rule's business.
struct Games;

impl Visitor<'_> for Games {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 1 to {MOST_GAMES}")
    }

    fn visit_u64<E: Error>(self, games: u64) -> Result<u64, E> {
        Ok(games)
    }

    fn visit_i64<E: Error>(self, games: i64) -> Result<u64, E> {
        u64::try_from(games).map_err(|_| E::invalid_value(Unexpected::Signed(games), &self))
    }
}
