//! Two agents on the same chance.

use afterstate_game::{Player, Stop};
use afterstate_players::Playable;
use serde::{Deserialize, Serialize};

use super::{SoloGame, SoloResult, SoloRun, SoloSummary, SoloTally};
use crate::LabError;
use crate::play::Unfinished;
use crate::series::{Recorded, Series, Tally};
use crate::stats::{Estimate, PairedSummary, PairedTally};

/// A comparison game by game: every number is played by both agents with the same chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison<P> {
    /// The games of both agents; their seeds and limits should be equal, or the comparison is not paired.
    pub runs: [SoloRun<P>; 2],
}

/// Counts the games of both agents and their differences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparisonTally {
    each: [SoloTally; 2],
    paired: PairedTally,
}

/// What a comparison says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonSummary {
    /// What each agent reached.
    pub each: [SoloSummary; 2],
    /// The scores of the first agent minus those of the second, game by game.
    pub paired: PairedSummary,
}

impl<P: SoloGame + Playable> Series for Comparison<P> {
    type Players = [Box<dyn Player<P>>; 2];
    type Result = [SoloResult; 2];
    type Tally = ComparisonTally;

    fn definition(&self) -> String {
        self.runs.each_ref().map(SoloRun::definition).join(" against ")
    }

    fn who(&self) -> String {
        self.runs.each_ref().map(SoloRun::who).join(" against ")
    }

    fn build(&self) -> Result<Self::Players, LabError> {
        let [first, second] = &self.runs;
        Ok([first.build()?, second.build()?])
    }

    /// Both games; their records follow each other, separated by an empty line.
    fn play_game(
        &self,
        [first, second]: &mut Self::Players,
        game: u64,
        stop: &Stop,
    ) -> Result<Recorded<Self::Result>, Unfinished> {
        let one = self.runs[0].play_game(first, game, stop)?;
        let two = self.runs[1].play_game(second, game, stop)?;
        Ok(Recorded { result: [one.result, two.result], record: format!("{}\n\n{}", one.record, two.record) })
    }
}

impl Tally<[SoloResult; 2]> for ComparisonTally {
    fn add(&mut self, results: &[SoloResult; 2]) {
        self.each.iter_mut().zip(results).for_each(|(tally, result)| tally.add(result));
        self.paired.add(results[0].score as i64, results[1].score as i64);
    }

    fn games(&self) -> u64 {
        self.each[0].games()
    }

    fn seconds(&self) -> f64 {
        self.each.iter().map(Tally::seconds).sum()
    }

    fn headline(&self) -> Option<Estimate> {
        self.paired.headline()
    }

    fn reported(&self) -> Option<Estimate> {
        self.paired.summary().difference
    }
}

impl ComparisonTally {
    /// What the games so far say.
    #[must_use]
    pub fn summary(&self) -> ComparisonSummary {
        ComparisonSummary { each: self.each.each_ref().map(SoloTally::summary), paired: self.paired.summary() }
    }
}
