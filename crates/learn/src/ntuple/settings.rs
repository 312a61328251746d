//! What a training on the processor is told.

use serde::{Deserialize, Serialize};

use super::design::Design;
use super::learner::{Credit, Rate};
use super::memory::OutOfMemory;
use super::schedule::Fall;
use super::stretch::{Stretch, StretchError};

/// What to train and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The network.
    pub design: Design,
    /// What every board is worth at first; above what play can earn, learning explores (Guei and others 2021).
    pub optimism: f32,
    /// One after the other; the last one goes on for ever.
    pub phases: Vec<Phase>,
    /// The part of the game that is learned and evaluated.
    pub stretch: Stretch,
    /// How the rate falls towards the end of the training, where one is known.
    pub fall: Fall,
    /// The last share of the training, where its end is known, over which the weights are averaged; 0 for not at all.
    pub average: f32,
    /// Fixes all chance, for learning and for evaluation.
    pub seed: u64,
    /// Games of one round. After each round the network is evaluated.
    pub round: u64,
    /// Games of one evaluation.
    pub sample: u64,
    /// Threads that learn at the same time; 0 takes all cores.
    pub threads: usize,
}

/// A part of a training with its own way of learning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// How many games it lasts; for ever, where nothing is said.
    #[serde(default = "forever", skip_serializing_if = "is_forever")]
    pub games: u64,
    /// The size of the steps.
    pub rate: Rate,
    /// When a game is learned from.
    pub credit: Credit,
    /// Where games start.
    #[serde(default)]
    pub restart: Restart,
}

fn forever() -> u64 {
    u64::MAX
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_forever(games: &u64) -> bool {
    *games == forever()
}

/// Where games start beside the empty board, so that late positions are not only seen by the few games that last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// Nowhere else.
    #[default]
    Never,
    /// After a game the second half is played again, then the last quarter, and so on (Matsuzaki 2017).
    Midpoint,
    /// In turn at the beginning of every stage, from positions in which earlier games entered it (Jaskowski 2017).
    Carousel,
}

/// Four tuples of six cells, learned backward with coherence.
impl Default for Settings {
    fn default() -> Self {
        let design = Design::built_in("4x6").unwrap_or_else(|_| unreachable!("4x6 is built in"));
        let phase = Phase {
            games: u64::MAX,
            rate: Rate::Coherent(1.0),
            credit: Credit::Backward(0.5),
            restart: Restart::Never,
        };
        let phases = vec![phase];
        Self {
            design,
            optimism: 0.0,
            phases,
            stretch: Stretch::default(),
            fall: Fall::NONE,
            average: 0.0,
            seed: 1,
            round: 10_000,
            sample: 1000,
            threads: 0,
        }
    }
}

/// No machine has more use for them.
const MAX_THREADS: usize = 1024;

/// Settings that cannot be trained with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// Nothing to do.
    #[error("a training needs at least one phase")]
    NoPhase,
    /// A number outside its range.
    #[error("{name} is {value}: it must be {range}")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        range: &'static str,
    },
    /// Nowhere to start from.
    #[error(
        "games start in later stages by the restart \"carousel\", and the network has one stage: give it more (--stages)"
    )]
    OneStage,
    /// A board that no game can start from.
    #[error(transparent)]
    Start(#[from] StretchError),
    /// A network too large for this machine.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl Settings {
    /// Checks every number.
    pub fn check(&self) -> Result<(), SettingsError> {
        let require = |holds: bool, name, value: f64, range| {
            if holds { Ok(()) } else { Err(SettingsError::OutOfRange { name, value, range }) }
        };
        if self.phases.is_empty() {
            return Err(SettingsError::NoPhase);
        }
        let optimism = f64::from(self.optimism);
        require((0.0..=1e7).contains(&optimism), "optimism", optimism, "from 0 to 10000000")?;
        for (name, value) in [("fall.share", self.fall.share), ("fall.to", self.fall.to), ("average", self.average)] {
            require((0.0..=1.0).contains(&value), name, f64::from(value), "from 0 to 1")?;
        }
        self.stretch.check()?;
        require(self.round > 0, "round", self.round as f64, "at least 1 game")?;
        require(self.threads <= MAX_THREADS, "threads", self.threads as f64, "from 0 to 1024")?;
        for phase in &self.phases {
            let (Rate::Constant(alpha) | Rate::Coherent(alpha)) = phase.rate;
            require(alpha > 0.0 && alpha <= 2.0, "rate", f64::from(alpha), "above 0 and at most 2")?;
            if let Credit::Backward(lambda) = phase.credit {
                require((0.0..=1.0).contains(&lambda), "lambda", f64::from(lambda), "from 0 to 1")?;
            }
            if phase.restart == Restart::Carousel && self.design.stage_count() == 1 {
                return Err(SettingsError::OneStage);
            }
        }
        Ok(())
    }

    /// The threads to use on this machine.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// The phase of a game, and the first game that may belong to another one.
    pub(super) fn phase(&self, game: u64) -> (Phase, u64) {
        let mut end = 0u64;
        let mut current = self.phases[0];
        for phase in &self.phases {
            current = *phase;
            end = end.saturating_add(phase.games);
            if game < end {
                return (current, end);
            }
        }
        (current, u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_no_flag_could_give_are_refused() {
        let check = |text: &str, reason: &str| {
            let error = toml::from_str::<Settings>(text).unwrap().check().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        check("threads = 100000", "threads is 100000: it must be from 0 to 1024");
        check("stretch = { until = 4 }", "games end at the sum 4");
        let carousel = "[[phases]]\nrate = { coherent = 1.0 }\ncredit = \"online\"\nrestart = \"carousel\"\n";
        check(carousel, "the network has one stage");
        let staged = Settings {
            design: Settings::default().design.with_stages(&[1000]).unwrap(),
            ..toml::from_str(carousel).unwrap()
        };
        assert_eq!(staged.check(), Ok(()));
        assert_eq!(Settings { threads: 1024, ..Settings::default() }.check(), Ok(()));
    }
}
