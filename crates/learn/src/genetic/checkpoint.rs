//! A genetic run on disk: everything it needs to go on exactly, its curve, and its best network.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use safetensors::Dtype;

use super::brain::{Brain, Shape};
use super::run::{FINALISTS, Generation, Genetic};
use super::settings::GeneticSettings;
use crate::container::{self, Content, FileError, Tensor};

const KIND: &str = "checkpoint of a genetic run";

/// Random weights hardly shrink: more effort would be wasted.
const LEVEL: i32 = 1;

impl Genetic {
    /// Writes a checkpoint in one step: if it fails, the last good one is still there.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let tensors = [brains("population", &self.population), brains("best", &self.best)];
        let notes = [("settings", container::json(&self.settings)), ("curve", container::json(&self.curve))];
        container::write(path, KIND, &notes, &tensors, LEVEL)
    }

    /// Goes on from a checkpoint, which must be one of these settings; only the number of generations may differ.
    pub fn load(settings: GeneticSettings, path: &Path) -> Result<Self, FileError> {
        let content = container::read(path, KIND)?;
        let stored: GeneticSettings = content.note("settings")?;
        if !settings.continues(&stored) {
            return Err(content.damaged(format!(
                "it belongs to `{}` with other settings; choose another folder, or remove it to start anew",
                stored.name
            )));
        }
        let shape = settings.shape().map_err(|error| content.damaged(error.to_string()))?;
        let curve: Vec<Generation> = content.note("curve")?;
        let population = read_brains(&content, "population", &shape, Some(settings.population))?;
        let best = read_brains(&content, "best", &shape, None)?;
        if best.len() > FINALISTS {
            return Err(content.damaged("too many finalists"));
        }
        Ok(Self { settings, shape, population, best, curve })
    }

    /// The curve as CSV: one line per generation.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = "generation,mean,best_mean,best,median_tile,moves,seconds\n".to_owned();
        for row in &self.curve {
            let Generation { generation, mean, best_mean, best, median_tile, moves, seconds } = row;
            let _ = writeln!(text, "{generation},{mean},{best_mean},{best},{median_tile},{moves},{seconds:.3}");
        }
        text
    }
}

fn brains<'a>(name: &str, brains: &'a [Arc<Brain>]) -> Tensor<'a> {
    let len = brains.iter().map(|brain| brain.weights().len()).sum();
    let write = move |to: &mut dyn std::io::Write| {
        brains.iter().try_for_each(|brain| {
            let bytes: Vec<u8> = brain.weights().iter().flat_map(|weight| weight.to_le_bytes()).collect();
            to.write_all(&bytes)
        })
    };
    Tensor { name: name.to_owned(), dtype: Dtype::F32, len, write: Box::new(write) }
}

fn read_brains(
    content: &Content,
    name: &str,
    shape: &Shape,
    count: Option<usize>,
) -> Result<Vec<Arc<Brain>>, FileError> {
    let tensors = content.tensors()?;
    let bytes = content.tensor(&tensors, name, Dtype::F32, count.map(|count| count * shape.weights()))?;
    let weights: Vec<f32> = bytes.as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect();
    if !weights.len().is_multiple_of(shape.weights()) || weights.iter().any(|weight| !weight.is_finite()) {
        return Err(content.damaged(format!("its {name} is no list of networks")));
    }
    let parts = weights.chunks(shape.weights());
    Ok(parts.filter_map(|part| Brain::new(shape.clone(), part.to_vec())).map(Arc::new).collect())
}

#[cfg(test)]
mod tests {
    use afterstate_game::Stop;

    use super::*;
    use crate::genetic::{BreedingSettings, Chance, Mutation, Operators, Role, Selection};
    use crate::neural::{Activation, Design, Encoding, Layer};

    fn settings(role: Role, encoding: Encoding, breeding: BreedingSettings) -> GeneticSettings {
        GeneticSettings {
            name: "test".to_owned(),
            about: None,
            seed: 3,
            role,
            encoding,
            hidden: Some(vec![8, 4]),
            network: None,
            population: 6,
            generations: 3,
            games: 2,
            chance: Chance::Common,
            scale: 1.0,
            finals: 2,
            breeding,
            structure: None,
        }
    }

    fn kinds() -> [GeneticSettings; 5] {
        let plain = BreedingSettings::default();
        let improved = BreedingSettings { operators: Operators::Improved, ..plain };
        let truncated =
            BreedingSettings { selection: Selection::Truncation(0.5), mutation: Mutation::Add(0.2), elite: 1, ..plain };
        [
            settings(Role::Policy, Encoding::OneHot, plain),
            settings(Role::Policy, Encoding::Slides, improved),
            settings(Role::Value { depth: 1 }, Encoding::Features, truncated),
            designed(Role::Policy, plain),
            designed(Role::Value { depth: 1 }, truncated),
        ]
    }

    fn designed(role: Role, breeding: BreedingSettings) -> GeneticSettings {
        let layers = vec![
            Layer::Convolution { channels: 6, padding: 0, activation: Activation::Relu },
            Layer::Dense { units: role.outputs(), activation: Activation::Linear },
        ];
        let network = Some(Design::new(Encoding::Planes, layers).unwrap());
        GeneticSettings { hidden: None, network, ..settings(role, Encoding::default(), breeding) }
    }

    fn weights(run: &Genetic) -> Vec<&[f32]> {
        run.population.iter().chain(&run.best).map(|brain| brain.weights()).collect()
    }

    #[test]
    fn a_run_is_the_same_for_any_number_of_threads_and_after_a_checkpoint() {
        let path = std::env::temp_dir().join(format!("afterstate-genetic-{}", std::process::id()));
        for settings in kinds() {
            let mut whole = Genetic::new(settings.clone()).unwrap();
            while !whole.is_finished() {
                whole.generation(1, &Stop::new()).unwrap();
            }
            let mut parts = Genetic::new(settings.clone()).unwrap();
            parts.generation(3, &Stop::new()).unwrap();
            let raised = Stop::new();
            raised.raise();
            assert_eq!(parts.generation(2, &raised), None, "a stopped generation is played again");
            parts.save(&path).unwrap();
            let mut parts = Genetic::load(settings, &path).unwrap();
            while !parts.is_finished() {
                parts.generation(2, &Stop::new()).unwrap();
            }
            assert!(weights(&whole) == weights(&parts));
            assert_eq!(whole.csv().lines().count(), 4);
            let finals = |run: &Genetic, threads| run.finals(3, threads, &Stop::new()).unwrap();
            assert_eq!(finals(&whole, 1), finals(&parts, 3));
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_checkpoint_of_another_run_is_refused() {
        let path = std::env::temp_dir().join(format!("afterstate-genetic-other-{}", std::process::id()));
        let [first, second, ..] = kinds();
        Genetic::new(first.clone()).unwrap().save(&path).unwrap();
        let error = Genetic::load(second, &path).unwrap_err().to_string();
        assert!(error.contains("`test` with other settings"), "{error}");
        let longer = GeneticSettings { generations: 9, ..first };
        assert_eq!(Genetic::load(longer, &path).unwrap().population.len(), 6);
        std::fs::remove_file(&path).unwrap();
    }
}
