//! A training on disk: everything it needs to go on exactly, and its curve.

use std::fmt::Write as _;
use std::path::Path;

use afterstate_twenty48::Board;
use safetensors::Dtype;

use super::replay::{Memory, Replay};
use super::run::{CurvePoint, Dqn, Game, Reached};
use super::settings::DqnSettings;
use crate::container::{self, Content, FileError, Tensor};
use crate::neural::{Adam, AdamSettings, Device, Network};

const KIND: &str = "checkpoint of a DQN";
const LEVEL: i32 = 1;

impl Dqn {
    /// Writes a checkpoint in one step: if it fails, the last good one is still there.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let memories = &self.replay.memories;
        let (mean, square, steps) = self.adam.state();
        let priorities: Vec<f64> =
            self.replay.priorities.iter().flat_map(|p| (0..memories.len()).map(|i| p.get(i))).collect();
        let tensors = [
            floats("weights", self.network.weights().to_vec()),
            floats("target", self.target.weights().to_vec()),
            floats("adam.mean", mean.to_vec()),
            floats("adam.square", square.to_vec()),
            words("memory.from", memories.iter().map(|memory| memory.from.nibbles()).collect()),
            words("memory.to", memories.iter().map(|memory| memory.to.nibbles()).collect()),
            words("memory.slide", memories.iter().map(|memory| u64::from(memory.slide)).collect()),
            floats("memory.points", memories.iter().map(|memory| memory.points).collect()),
            floats("memory.discount", memories.iter().map(|memory| memory.discount).collect()),
            words("memory.priority", priorities.into_iter().map(f64::to_bits).collect()),
        ];
        let highest = self.replay.priorities.as_ref().map_or(1.0, |priorities| priorities.highest);
        let notes = [
            ("settings", container::json(&self.settings)),
            ("reached", container::json(&(self.reached, steps, self.replay.added, highest.to_bits()))),
            ("games", container::json(&self.games)),
            ("curve", container::json(&self.curve)),
        ];
        container::write(path, KIND, &notes, &tensors, LEVEL)
    }

    /// Goes on from a checkpoint, which must be one of these settings; only the number of moves may differ.
    pub fn load(settings: DqnSettings, path: &Path) -> Result<Self, FileError> {
        let content = container::read(path, KIND)?;
        let stored: DqnSettings = content.note("settings")?;
        if !settings.continues(&stored) {
            return Err(content.damaged(format!(
                "it belongs to `{}` with other settings; choose another folder, or remove it to start anew",
                stored.name
            )));
        }
        let design = settings.design().map_err(|error| content.damaged(error.to_string()))?;
        let (reached, steps, added, highest): (Reached, u64, u64, u64) = content.note("reached")?;
        let games: Vec<Game> = content.note("games")?;
        let curve: Vec<CurvePoint> = content.note("curve")?;
        let network = |name: &str| {
            let weights = read_floats(&content, name, Some(design.weights()))?;
            Network::with_weights(&design, weights).map_err(|error| content.damaged(error.to_string()))
        };
        let adam = Adam::resume(
            AdamSettings::default(),
            read_floats(&content, "adam.mean", Some(design.weights()))?,
            read_floats(&content, "adam.square", Some(design.weights()))?,
            steps,
        );
        let replay = read_replay(&content, &settings, added, f64::from_bits(highest))?;
        if games.len() != settings.games {
            return Err(content.damaged("the number of its games is not that of its settings"));
        }
        Ok(Self {
            device: Device::default(),
            network: network("weights")?,
            target: network("target")?,
            adam,
            replay,
            games,
            reached,
            curve,
            settings,
        })
    }

    /// The curve as CSV: one line per evaluation.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = "moves,games,loss,training,mean,half_width,best,reached_1024,reached_2048\n".to_owned();
        for point in &self.curve {
            let CurvePoint { moves, games, loss, training, sample } = point;
            let _ = writeln!(
                text,
                "{moves},{games},{loss:.2},{training:.1},{:.1},{:.1},{},{:.4},{:.4}",
                sample.mean, sample.half_width, sample.best, sample.reached_1024, sample.reached_2048
            );
        }
        text
    }
}

fn read_replay(content: &Content, settings: &DqnSettings, added: u64, highest: f64) -> Result<Replay, FileError> {
    let from = read_words(content, "memory.from", None)?;
    let count = Some(from.len());
    let to = read_words(content, "memory.to", count)?;
    let slides = read_words(content, "memory.slide", count)?;
    let points = read_floats(content, "memory.points", count)?;
    let discounts = read_floats(content, "memory.discount", count)?;
    let mut replay = Replay::new(settings.memory, settings.priority.is_some());
    if from.len() > settings.memory || added < from.len() as u64 {
        return Err(content.damaged("its memory has another size than its settings"));
    }
    for (index, from) in from.iter().enumerate() {
        replay.push(Memory {
            from: Board::from_nibbles(*from),
            slide: (slides[index] & 3) as u8,
            points: points[index],
            to: Board::from_nibbles(to[index]),
            discount: discounts[index],
        });
    }
    replay.added = added;
    if let Some(priorities) = &mut replay.priorities {
        for (place, bits) in read_words(content, "memory.priority", count)?.into_iter().enumerate() {
            priorities.set(place, f64::from_bits(bits));
        }
        priorities.highest = highest;
    }
    Ok(replay)
}

fn floats(name: &str, values: Vec<f32>) -> Tensor<'static> {
    let len = values.len();
    let bytes: Vec<u8> = values.into_iter().flat_map(f32::to_le_bytes).collect();
    Tensor { name: name.to_owned(), dtype: Dtype::F32, len, write: Box::new(move |to| to.write_all(&bytes)) }
}

fn words(name: &str, values: Vec<u64>) -> Tensor<'static> {
    let len = values.len();
    let bytes: Vec<u8> = values.into_iter().flat_map(u64::to_le_bytes).collect();
    Tensor { name: name.to_owned(), dtype: Dtype::U64, len, write: Box::new(move |to| to.write_all(&bytes)) }
}

fn read_floats(content: &Content, name: &str, len: Option<usize>) -> Result<Vec<f32>, FileError> {
    let tensors = content.tensors()?;
    let bytes = content.tensor(&tensors, name, Dtype::F32, len)?;
    Ok(bytes.as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect())
}

fn read_words(content: &Content, name: &str, len: Option<usize>) -> Result<Vec<u64>, FileError> {
    let tensors = content.tensors()?;
    let bytes = content.tensor(&tensors, name, Dtype::U64, len)?;
    Ok(bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect())
}

#[cfg(test)]
mod tests {
    use afterstate_game::Stop;

    use super::*;
    use crate::dqn::{Priority, Variant};

    fn settings(variant: Variant, prioritised: bool) -> DqnSettings {
        let text = "name = \"test\"\nvariant = \"q\"\nhidden = [12]\nmoves = 3000\ngames = 4\nmemory = 600\nbatch = 16\n\
                    evaluate = 1000\nsample = 4\nsteps = 3\ntarget-every = 50\n";
        let settings: DqnSettings = toml::from_str(text).unwrap();
        DqnSettings { variant, priority: prioritised.then(Priority::default), ..settings }
    }

    #[test]
    fn a_training_goes_on_from_a_checkpoint_as_if_it_had_never_stopped() {
        let path = std::env::temp_dir().join(format!("afterstate-dqn-{}", std::process::id()));
        for (variant, prioritised) in [(Variant::Q, false), (Variant::Afterstate, true)] {
            // One of them chooses by the mean over the symmetries.
            let settings = || DqnSettings { averaged: prioritised, ..settings(variant, prioritised) };
            let mut whole = Dqn::new(settings()).unwrap();
            while !whole.is_finished() {
                whole.until_evaluation(2, &Stop::new()).unwrap().unwrap();
            }
            let mut first = Dqn::new(settings()).unwrap();
            first.until_evaluation(1, &Stop::new()).unwrap().unwrap();
            first.save(&path).unwrap();
            let mut second = Dqn::load(settings(), &path).unwrap();
            while !second.is_finished() {
                second.until_evaluation(1, &Stop::new()).unwrap().unwrap();
            }
            assert!(whole.network().weights() == second.network().weights(), "{variant:?}");
            assert_eq!(whole.games, second.games);
            let learned = whole.curve()[2];
            assert!(learned.loss > 0.0 && learned.sample.games == 4, "{learned:?}");
        }
        let other = Dqn::load(settings(Variant::Q, false), &path).unwrap_err().to_string();
        assert!(other.contains("other settings"), "{other}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_loss_that_is_no_number_ends_the_training() {
        let wild = DqnSettings { rate: 1e30, ..settings(Variant::Q, false) };
        let mut training = Dqn::new(wild).unwrap();
        let error = loop {
            match training.until_evaluation(1, &Stop::new()) {
                Ok(_) if training.is_finished() => panic!("it did not diverge"),
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert!(error.to_string().starts_with("the loss is no longer a number after"), "{error}");
    }
}
