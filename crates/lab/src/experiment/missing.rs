//! What is missing in a store, whoever is going to play it.

use std::ops::Range;
use std::slice::from_ref;

use super::{Part, Plan, Planned, PlannedGames, stored_tally};
use crate::series::Series;
use crate::store::{Store, StoredResult};
use crate::{LabError, ranges};

/// Games of a series that are not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingGames {
    /// The definition of the series.
    pub definition: String,
    /// Their numbers, as ascending ranges: all that the series can have, if a rule has not ended it yet.
    pub games: Vec<Range<u64>>,
    /// Whether all of them have to be played; otherwise a rule ends the series earlier.
    pub fixed: bool,
}

impl Plan {
    /// The games that are missing, row by row; rows that are complete are left out.
    pub fn missing(&self, store: &Store) -> Result<Vec<MissingGames>, LabError> {
        match &self.games {
            PlannedGames::Solo(planned) => missing(planned, store),
            PlannedGames::Duel(planned) => missing(planned, store),
            PlannedGames::Decision(planned) => missing(planned, store),
        }
    }

    /// Whether no game of a part is missing.
    pub fn is_played(&self, store: &Store, part: Part) -> Result<bool, LabError> {
        let missing = self.missing(store)?;
        Ok(!missing.into_iter().flat_map(|row| row.games).flatten().any(|game| part.holds(game)))
    }
}

fn missing<S: Series>(planned: &[Planned<S>], store: &Store) -> Result<Vec<MissingGames>, LabError>
where
    S::Result: StoredResult,
{
    let mut missing = Vec::new();
    for Planned { series, stop } in planned {
        let definition = series.definition();
        let (complete, stored) = match store.find_series(&definition)? {
            Some(id) => {
                let (_, complete) = stored_tally::<S::Result, S::Tally>(store, id, *stop)?;
                (complete, store.stored_games::<S::Result>(id)?)
            }
            None => (false, Vec::new()),
        };
        if !complete {
            let games = gaps(&stored, stop.max_games());
            missing.push(MissingGames { definition, games, fixed: stop.is_fixed() });
        }
    }
    Ok(missing)
}

/// The numbers below `end` that are not stored.
pub(super) fn gaps(stored: &[Range<u64>], end: u64) -> Vec<Range<u64>> {
    ranges::subtract(from_ref(&(0..end)), stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_the_ranges_leave_free() {
        let numbers = |stored: &[Range<u64>], end| gaps(stored, end).into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(numbers(&[], 3), [0, 1, 2]);
        assert_eq!(numbers(&[0..2, 4..5], 7), [2, 3, 5, 6]);
        assert_eq!(numbers(&[0..4, 4..10], 7), [0u64; 0]);
        assert_eq!(numbers(&[3..4, 9..12], 7), [0, 1, 2, 4, 5, 6]);
    }
}
