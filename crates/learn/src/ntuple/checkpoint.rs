//! Checkpoints: everything a training needs to go on as if it had never stopped.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use afterstate_twenty48::{Board, State};
use safetensors::Dtype;
use serde::{Deserialize, Serialize};

use super::memory::Floats;
use super::settings::Settings;
use super::training::{CurvePoint, Training, locked};
use crate::container::{self, Content, FileError, Tensor};

const KIND: &str = "checkpoint";

/// Checkpoints are written often and read seldom: fast compression is enough, most weights being zero.
const LEVEL: i32 = 1;

/// Numbers converted at a time.
const CHUNK: usize = 1 << 16;

/// How far a training was.
#[derive(Serialize, Deserialize)]
struct Reached {
    games: u64,
    moves: u64,
    seconds: f64,
    /// How many positions were ever added to each stage of the carousel.
    added: Vec<u64>,
    #[serde(default)]
    curve: Vec<CurvePoint>,
    /// The games after which the training was to end; the rate falls towards them.
    #[serde(default)]
    end: Option<u64>,
    /// How many samples of the weights are in their mean.
    #[serde(default)]
    averaged: u32,
}

impl Training {
    /// Writes a checkpoint in one step: if it fails, the last good one is still there. With one thread, a training that
    /// goes on from a checkpoint gives the same weights as one that was never interrupted.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let carousel = locked(&self.carousel).clone();
        let mut tensors = vec![floats("values", &self.network.values)];
        tensors.extend(self.coherence.as_ref().map(|coherence| floats("coherence", &coherence.0)));
        let mean = self.mean.as_ref().filter(|mean| mean.samples > 0);
        tensors.extend(mean.map(|mean| floats("mean", &mean.network.values)));
        for (stage, (_, states)) in carousel.stages.iter().enumerate() {
            let bytes: Vec<u8> = states.iter().flat_map(|state| state.0.nibbles().to_le_bytes()).collect();
            tensors.push(Tensor {
                name: format!("carousel{stage}"),
                dtype: Dtype::U64,
                len: states.len(),
                write: Box::new(move |to| to.write_all(&bytes)),
            });
        }
        let added = carousel.stages.iter().map(|(added, _)| *added).collect();
        let Self { games, moves, seconds, .. } = *self;
        let averaged = mean.map_or(0, |mean| mean.samples);
        let state = Reached { games, moves, seconds, added, curve: self.curve.clone(), end: self.end.games, averaged };
        let notes = [("settings", container::json(&self.settings)), ("state", container::json(&state))];
        container::write(path, KIND, &notes, &tensors, LEVEL)
    }

    /// Goes on from a checkpoint.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let content = container::read(path, KIND)?;
        let settings: Settings = content.note("settings")?;
        let state: Reached = content.note("state")?;
        let mut training = Self::new(settings).map_err(|error| content.damaged(error.to_string()))?;
        (training.games, training.moves, training.seconds) = (state.games, state.moves, state.seconds);
        let tensors = content.tensors()?;
        let read = |name: &str, to: &Floats| {
            let bytes = content.tensor(&tensors, name, Dtype::F32, Some(to.len()))?;
            fill(to, bytes);
            Ok::<_, FileError>(())
        };
        read("values", &training.network.values)?;
        if let Some(coherence) = &training.coherence {
            read("coherence", &coherence.0)?;
        }
        if let Some(mean) = training.mean.as_mut().filter(|_| state.averaged > 0) {
            read("mean", &mean.network.values)?;
            mean.samples = state.averaged;
        }
        training.load_carousel(&content, &state)?;
        training.curve = state.curve;
        training.end.games = state.end;
        Ok(training)
    }

    fn load_carousel(&self, content: &Content, state: &Reached) -> Result<(), FileError> {
        let tensors = content.tensors()?;
        let mut carousel = locked(&self.carousel);
        if carousel.stages.len() != state.added.len() {
            return Err(content.damaged("the stages of its carousel are not those of its network"));
        }
        for (stage, (added, states)) in carousel.stages.iter_mut().enumerate() {
            let bytes = content.tensor(&tensors, &format!("carousel{stage}"), Dtype::U64, None)?;
            *added = state.added[stage];
            *states =
                bytes.as_chunks().0.iter().map(|&word| State(Board::from_nibbles(u64::from_le_bytes(word)))).collect();
        }
        Ok(())
    }
}

fn floats<'a>(name: &str, table: &'a Floats) -> Tensor<'a> {
    let write = move |to: &mut dyn Write| {
        parts(table.len()).try_for_each(|part| {
            let bytes: Vec<u8> = table.read(part).into_iter().flat_map(f32::to_le_bytes).collect();
            to.write_all(&bytes)
        })
    };
    Tensor { name: name.to_owned(), dtype: Dtype::F32, len: table.len(), write: Box::new(write) }
}

fn fill(table: &Floats, bytes: &[u8]) {
    for part in parts(table.len()) {
        let words = bytes[4 * part.start..4 * part.end].as_chunks().0;
        let values: Vec<f32> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
        table.write(part.start, &values);
    }
}

fn parts(len: usize) -> impl Iterator<Item = Range<usize>> {
    (0..len).step_by(CHUNK).map(move |begin| begin..(begin + CHUNK).min(len))
}

#[cfg(test)]
mod tests {
    use afterstate_game::Stop;

    use super::*;
    use crate::ntuple::training::tests::small;
    use crate::ntuple::{End, Fall, Model, Network, Restart};

    fn weights(network: &Network) -> Vec<f32> {
        network.values.read(0..network.values.len())
    }

    /// The rate of a training that goes on from a checkpoint falls as that of one that was never interrupted.
    fn falls_on(path: &Path) {
        let fall = Fall { share: 0.9, to: 0.1 };
        let settings = Settings { fall, average: 0.6, ..small(Restart::Never, 1) };
        let begin = |mut training: Training, games| {
            training.set_end(End { games: Some(games), time: None });
            training
        };
        let learn = |mut training: Training, rounds| {
            (0..rounds).for_each(|_| training.round(&Stop::new(), |_| ()));
            training
        };
        let whole = learn(begin(Training::new(settings.clone()).unwrap(), 300), 3);
        learn(begin(Training::new(settings.clone()).unwrap(), 300), 2).save(path).unwrap();
        let stopped = Training::load(path).unwrap();
        assert_eq!((stopped.end_games(), stopped.can_end_at(300), stopped.can_end_at(400)), (Some(300), true, false));
        let resumed = learn(stopped, 1);
        assert!(weights(whole.network()) == weights(resumed.network()));
        assert!(weights(whole.outcome()) == weights(resumed.outcome()));
        assert!(weights(whole.outcome()) != weights(whole.network()), "nothing was averaged");
        let steady = learn(Training::new(settings).unwrap(), 3);
        assert!(weights(whole.network()) != weights(steady.network()), "nothing fell");
    }

    #[test]
    fn a_training_goes_on_from_a_checkpoint_as_if_it_had_never_stopped() {
        let path = std::env::temp_dir().join(format!("afterstate-checkpoint-{}", std::process::id()));
        for restart in [Restart::Never, Restart::Midpoint, Restart::Carousel] {
            let mut whole = Training::new(small(restart, 1)).unwrap();
            (0..3).for_each(|_| whole.round(&Stop::new(), |_| ()));
            let mut first = Training::new(small(restart, 1)).unwrap();
            (0..2).for_each(|_| first.round(&Stop::new(), |_| ()));
            first.save(&path).unwrap();
            let mut second = Training::load(&path).unwrap();
            assert_eq!((second.games(), second.settings()), (200, first.settings()));
            second.round(&Stop::new(), |_| ());
            assert!(weights(whole.network()) == weights(second.network()), "{restart:?}");
            assert_eq!(whole.evaluate().sample, second.evaluate().sample);
        }
        falls_on(&path);
        let error = Model::load(&path).unwrap_err().to_string();
        assert!(error.ends_with("is a checkpoint, not a model"), "{error}");
        std::fs::remove_file(&path).unwrap();
    }
}
