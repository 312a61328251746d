//! The work order of a round: which task plays which games.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::SlurmError;
use crate::experiment::MissingGames;
use crate::ranges;
use crate::store::Session;

/// The format of the file.
const FORMAT: u32 = 1;

/// Games of one series in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The place of the series in the order's list.
    pub series: usize,
    /// The number of the first game.
    pub from: u64,
    /// The number behind the last game.
    pub to: u64,
}

impl Order {
    fn games(&self) -> Range<u64> {
        self.from..self.to
    }
}

/// Everything that the tasks of a round have to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    format: u32,
    /// Who ordered it, with what experiment.
    pub session: Session,
    /// Whether tasks of another version of the program may play.
    pub mixed_programs: bool,
    /// The folder of the experiment's file, where its openings are looked for.
    pub beside: PathBuf,
    /// The definitions of the series.
    pub series: Vec<String>,
    /// The games of every task.
    pub tasks: Vec<Vec<Order>>,
}

/// Games by the definition of their series.
pub(super) type Games = BTreeMap<String, Vec<Range<u64>>>;

/// How many games there are.
pub(super) fn count(games: &Games) -> u64 {
    games.values().map(|games| ranges::count(games)).sum()
}

/// The games of `all` that are not in `without`.
pub(super) fn subtract(all: Games, without: &Games) -> Games {
    let rest = all.into_iter().map(|(series, games)| match without.get(&series) {
        Some(without) => (series, ranges::subtract(&games, without)),
        None => (series, games),
    });
    rest.filter(|(_, games)| !games.is_empty()).collect()
}

/// What is missing of every series; of one that a rule will end no more than the next `round` games.
pub(super) fn wanted(missing: &[MissingGames], round: u64) -> Games {
    let mut wanted = Games::new();
    for MissingGames { definition, games, fixed } in missing {
        let games = if *fixed { games.clone() } else { ranges::first(games, round) };
        let all = wanted.entry(definition.clone()).or_default();
        // Rows that ask for the same games share them.
        *all = ranges::united([std::mem::take(all), games].concat());
    }
    wanted
}

impl Work {
    /// Cuts games into tasks of at most `chunk` games.
    pub(super) fn new(session: Session, mixed_programs: bool, beside: &Path, games: &Games, chunk: u64) -> Self {
        let orders = games.values().enumerate();
        let orders = orders.flat_map(|(series, games)| games.iter().map(move |games| (series, games.clone())));
        let tasks = tasks(orders, chunk.max(1));
        let series = games.keys().cloned().collect();
        Self { format: FORMAT, session, mixed_programs, beside: beside.to_owned(), series, tasks }
    }

    /// Reads the order in a file.
    pub fn read(path: &Path) -> Result<Self, SlurmError> {
        let text = std::fs::read(path).map_err(|error| SlurmError::folder(path, &error))?;
        let wrong = |reason: String| SlurmError::Work { path: path.to_owned(), reason };
        let work: Self = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if work.format != FORMAT {
            return Err(wrong(format!("its format is {}, not {FORMAT}", work.format)));
        }
        let orders = || work.tasks.iter().flatten();
        if orders().any(|order| order.series >= work.series.len() || order.from > order.to) {
            return Err(wrong("a task names games that do not exist".to_owned()));
        }
        Ok(work)
    }

    /// The games of some of its tasks.
    pub(super) fn games_of(&self, tasks: impl Iterator<Item = usize>) -> Games {
        let mut games = Games::new();
        for order in tasks.filter_map(|task| self.tasks.get(task)).flatten() {
            games.entry(self.series[order.series].clone()).or_default().push(order.games());
        }
        games.into_iter().map(|(series, games)| (series, ranges::united(games))).collect()
    }
}

fn tasks(orders: impl Iterator<Item = (usize, Range<u64>)>, chunk: u64) -> Vec<Vec<Order>> {
    let mut tasks: Vec<Vec<Order>> = Vec::new();
    let mut room = 0;
    for (series, games) in orders {
        let mut from = games.start;
        while from < games.end {
            if room == 0 {
                tasks.push(Vec::new());
                room = chunk;
            }
            let to = games.end.min(from.saturating_add(room));
            room -= to - from;
            tasks.last_mut().into_iter().for_each(|task| task.push(Order { series, from, to }));
            from = to;
        }
    }
    tasks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Provenance;

    fn work(games: &Games, chunk: u64) -> Work {
        let text = String::new;
        let provenance = Provenance { command: text(), program: text(), commit: text(), machine: text(), threads: 1 };
        let session = Session { started: String::new(), provenance, experiment: String::new() };
        Work::new(session, false, Path::new("/beside"), games, chunk)
    }

    #[test]
    fn a_task_holds_games_of_several_series_if_they_are_few() {
        let games = Games::from([("a".to_owned(), vec![0..2, 3..4]), ("b".to_owned(), vec![0..5, 7..9])]);
        let tasks = work(&games, 4).tasks;
        let order = |series, from, to| Order { series, from, to };
        let expected =
            [vec![order(0, 0, 2), order(0, 3, 4), order(1, 0, 1)], vec![order(1, 1, 5)], vec![order(1, 7, 9)]];
        assert_eq!(tasks, expected);
    }

    #[test]
    fn a_rule_gets_its_games_in_rounds_and_a_fixed_number_at_once() {
        let missing = [("fixed", true), ("rule", false)].map(|(name, fixed)| MissingGames {
            definition: name.to_owned(),
            games: vec![2..4, 10..1_000_000],
            fixed,
        });
        let wanted = wanted(&missing, 5);
        assert_eq!(wanted["fixed"], [2..4, 10..1_000_000]);
        assert_eq!(wanted["rule"], [2..4, 10..13]);
    }

    proptest! {
        #[test]
        fn tasks_hold_every_game_once_and_no_more_than_their_chunk(
            ranges in prop::collection::vec(prop::collection::vec((0_u64..60, 1_u64..9), 1..4), 1..4),
            chunk in 1_u64..12,
        ) {
            let names = ["a", "b", "c"].map(str::to_owned).into_iter();
            let ranges = ranges.into_iter().map(|ranges| ranges.into_iter().map(|(from, length)| from..from + length));
            let games: Games = names.zip(ranges.map(|ranges| ranges::united(ranges.collect()))).collect();
            let work = work(&games, chunk);
            let sizes: Vec<u64> = work.tasks.iter().map(|task| task.iter().map(|order| order.to - order.from).sum()).collect();
            prop_assert!(sizes.iter().rev().skip(1).all(|&size| size == chunk), "{:?}", sizes);
            prop_assert_eq!(sizes.iter().sum::<u64>(), count(&games));
            prop_assert_eq!(work.games_of(0..work.tasks.len()), games.clone());
            prop_assert!(subtract(games.clone(), &games).is_empty());
        }
    }
}
