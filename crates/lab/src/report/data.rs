//! What the store says about every row of a plan.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::decisions::DecisionSummary;
use crate::duel::MatchSummary;
use crate::experiment::{Measure, Plan, Planned, PlannedGames, Reading, Row, StopRule, stored_tally};
use crate::series::Series;
use crate::solo::{SoloSummary, SoloTally};
use crate::stats::PairedTally;
use crate::store::{SeriesId, Store, StoreError, StoredResult};
use crate::{DecisionResult, DuelResult, LabError, SoloResult};

/// One row with the games that count for it.
#[derive(Clone, Debug)]
pub(super) struct RowData<'a> {
    pub(super) row: &'a Row,
    /// The series in the store; `None` if nothing of it was played.
    pub(super) series: Option<SeriesId>,
    pub(super) stop: StopRule,
    pub(super) games: Games,
    /// Whether the series has all the games it needs.
    pub(super) complete: bool,
}

/// The games of a row.
#[derive(Clone, Debug)]
pub(super) enum Games {
    Solo(Box<SoloTally>, Box<SoloSummary>),
    Duel(Box<MatchSummary>),
    Decision(DecisionSummary),
}

impl RowData<'_> {
    pub(super) fn reading(&self, measure: Measure) -> Option<Reading> {
        match &self.games {
            Games::Solo(_, summary) => measure.of_solo(summary),
            Games::Duel(summary) => measure.of_duel(summary),
            Games::Decision(summary) => measure.of_decision(summary),
        }
    }

    /// The number behind the last game that can count.
    pub(super) fn end(&self) -> u64 {
        self.stop.end(self.count())
    }

    /// The numbers of its stored games, as ascending ranges.
    pub(super) fn stored(&self, store: &Store) -> Result<Vec<Range<u64>>, StoreError> {
        let Some(series) = self.series else { return Ok(Vec::new()) };
        match self.games {
            Games::Solo(..) => store.stored_games::<SoloResult>(series),
            Games::Duel(..) => store.stored_games::<DuelResult>(series),
            Games::Decision(..) => store.stored_games::<DecisionResult>(series),
        }
    }

    pub(super) fn count(&self) -> u64 {
        match &self.games {
            Games::Solo(_, summary) => summary.games,
            Games::Duel(summary) => summary.games,
            Games::Decision(summary) => summary.decisions,
        }
    }
}

/// Reads the games of every row.
pub(super) fn read<'a>(plan: &'a Plan, store: &Store) -> Result<Vec<RowData<'a>>, LabError> {
    match &plan.games {
        PlannedGames::Solo(planned) => read_rows(plan, planned, store, |tally| {
            let summary = tally.summary();
            Games::Solo(Box::new(tally), Box::new(summary))
        }),
        PlannedGames::Duel(planned) => read_rows(plan, planned, store, |tally| Games::Duel(Box::new(tally.summary()))),
        PlannedGames::Decision(planned) => read_rows(plan, planned, store, |tally| Games::Decision(tally.summary())),
    }
}

fn read_rows<'a, S: Series>(
    plan: &'a Plan,
    planned: &[Planned<S>],
    store: &Store,
    games: impl Fn(S::Tally) -> Games,
) -> Result<Vec<RowData<'a>>, LabError>
where
    S::Result: StoredResult,
{
    let mut rows = Vec::new();
    for (row, Planned { series, stop }) in plan.rows.iter().zip(planned) {
        let series = store.find_series(&series.definition())?;
        let (tally, complete) = match series {
            Some(id) => stored_tally::<S::Result, S::Tally>(store, id, *stop)?,
            None => (S::Tally::default(), false),
        };
        rows.push(RowData { row, series, stop: *stop, games: games(tally), complete });
    }
    Ok(rows)
}

/// The games of all rows. Rows that ask for the same games share them, but not always as many.
pub(super) fn games(rows: &[RowData<'_>]) -> u64 {
    let mut counts = BTreeMap::new();
    for row in rows {
        let count: &mut u64 = counts.entry(row.series).or_default();
        *count = row.count().max(*count);
    }
    counts.values().sum()
}

/// The games that both rows have, number by number.
pub(super) fn paired(store: &Store, first: &RowData<'_>, second: &RowData<'_>) -> Result<PairedTally, LabError> {
    let mut tally = PairedTally::default();
    if let (Some(a), Some(b)) = (first.series, second.series) {
        let end = first.end().min(second.end());
        store.for_each_score_pair(a, b, end, |one, two| tally.add(one, two))?;
    }
    Ok(tally)
}
