//! Checkpoints of a run on the GPU: everything that lies on the device, and how far the recipe is.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DeviceRepr};
use safetensors::Dtype;

use super::device::GpuTraining;
use super::recipe::Recipe;
use super::run::{GpuRun, Reached, RunError};
use crate::container::{self, Content, FileError, Tensor};
use crate::cuda::refused;
use crate::ntuple::Quantiser;
use crate::ntuple::places::Places;

const KIND: &str = "checkpoint of a run on a GPU";

/// Weights hardly compress; this is for the rest.
const LEVEL: i32 = 1;

/// Numbers that are fetched from the device at a time.
const CHUNK: usize = 1 << 24;

/// Numbers that lie on the device.
trait Stored: DeviceRepr + Copy + Default + 'static {
    const DTYPE: Dtype;

    fn write(numbers: &[Self], to: &mut dyn Write) -> io::Result<()>;

    fn read(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! stored {
    ($type:ty, $dtype:expr) => {
        impl Stored for $type {
            const DTYPE: Dtype = $dtype;

            fn write(numbers: &[Self], to: &mut dyn Write) -> io::Result<()> {
                numbers.chunks(1 << 14).try_for_each(|part| {
                    to.write_all(&part.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
                })
            }

            fn read(bytes: &[u8]) -> Vec<Self> {
                bytes.as_chunks().0.iter().map(|&bytes| Self::from_le_bytes(bytes)).collect()
            }
        }
    };
}

stored!(f32, Dtype::F32);
stored!(u32, Dtype::U32);
stored!(u64, Dtype::U64);

fn tensor<'a, T: Stored>(name: &str, stream: &'a Arc<CudaStream>, numbers: &'a CudaSlice<T>) -> Tensor<'a> {
    let write = move |to: &mut dyn Write| {
        for begin in (0..numbers.len()).step_by(CHUNK) {
            let part = numbers.slice(begin..(begin + CHUNK).min(numbers.len()));
            let mut here = vec![T::default(); part.len()];
            stream.memcpy_dtoh(&part, &mut here).map_err(io::Error::other)?;
            stream.synchronize().map_err(io::Error::other)?;
            T::write(&here, to)?;
        }
        Ok(())
    };
    Tensor { name: name.to_owned(), dtype: T::DTYPE, len: numbers.len(), write: Box::new(write) }
}

fn bytes<'a>(name: &str, dtype: Dtype, len: usize, bytes: Vec<u8>) -> Tensor<'a> {
    Tensor { name: name.to_owned(), dtype, len, write: Box::new(move |to| to.write_all(&bytes)) }
}

impl Recipe {
    /// Whether what is known about the coherence of weights must be kept.
    fn is_coherent(&self) -> bool {
        self.phases.iter().any(|phase| phase.plan.coherent)
    }
}

impl GpuRun {
    /// Writes a checkpoint in one step: if it fails, the last good one is still there.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let (stream, memory) = (&self.training.stream, &self.training.memory);
        let mut tensors = vec![
            tensor("values", stream, &memory.values),
            tensor("board", stream, &memory.board),
            tensor("before", stream, &memory.before),
            tensor("before_stage", stream, &memory.before_stage),
            tensor("dice", stream, &memory.dice),
            tensor("sum", stream, &memory.sum),
            tensor("pool", stream, &memory.pool),
            tensor("pooled", stream, &memory.pooled),
        ];
        tensors.extend(memory.mean.as_ref().map(|mean| tensor("mean", stream, mean)));
        if self.recipe.is_coherent() {
            tensors.push(tensor("sums", stream, &memory.sums));
        }
        if let Some(Quantiser { masks, classes, .. }) = &self.quantiser {
            let masks: Vec<u8> = masks.iter().flat_map(|mask| mask.to_le_bytes()).collect();
            tensors.push(bytes("masks", Dtype::U32, masks.len() / 4, masks));
            tensors.push(bytes("classes", Dtype::U8, classes.len(), classes.clone()));
        }
        let unit = self.quantiser.as_ref().map(|quantiser| quantiser.unit);
        let notes = [
            ("recipe", container::json(&*self.recipe)),
            ("reached", container::json(&self.reached)),
            ("steps", container::json(&self.training.steps)),
            ("averages", container::json(&memory.mean.is_some())),
            ("unit", container::json(&unit)),
            ("bases", container::json(&self.quantiser.as_ref().map(|quantiser| &quantiser.bases))),
        ];
        container::write(path, KIND, &notes, &tensors, LEVEL)
    }

    /// Goes on from a checkpoint.
    pub fn load(path: &Path) -> Result<Self, RunError> {
        let content = container::read(path, KIND)?;
        let recipe: Recipe = content.note("recipe")?;
        let recipe = recipe.checked().map_err(|error| RunError::Recipe { path: path.to_owned(), error })?;
        let reached: Reached = content.note("reached")?;
        let mut training = GpuTraining::new(&recipe.design, recipe.games, recipe.seed)?;
        training.steps = content.note("steps")?;
        if content.note("averages")? {
            training.average(1.0)?;
        }
        restore(&content, &recipe, &mut training)?;
        let quantiser = quantiser(&content, training.places())?;
        if let Some(quantiser) = &quantiser {
            training.keep_frozen(quantiser, recipe.stored_stages())?;
        }
        Ok(Self { recipe, training, reached, quantiser })
    }
}

fn restore(content: &Content, recipe: &Recipe, training: &mut GpuTraining) -> Result<(), RunError> {
    let tensors = content.tensors()?;
    let stream = training.stream.clone();
    let memory = &mut training.memory;
    macro_rules! restored {
        ($name:literal, $place:expr) => {{
            let place = $place;
            let numbers = stored_as(place, content.tensor(&tensors, $name, dtype(place), Some(place.len()))?);
            stream.memcpy_htod(&numbers, place).map_err(refused("take a checkpoint"))?;
        }};
    }
    restored!("values", &mut memory.values);
    restored!("board", &mut memory.board);
    restored!("before", &mut memory.before);
    restored!("before_stage", &mut memory.before_stage);
    restored!("dice", &mut memory.dice);
    restored!("sum", &mut memory.sum);
    restored!("pool", &mut memory.pool);
    restored!("pooled", &mut memory.pooled);
    if let Some(mean) = &mut memory.mean {
        restored!("mean", mean);
    }
    if recipe.is_coherent() {
        restored!("sums", &mut memory.sums);
    }
    stream.synchronize().map_err(refused("take a checkpoint"))?;
    Ok(())
}

fn dtype<T: Stored>(_: &CudaSlice<T>) -> Dtype {
    T::DTYPE
}

fn stored_as<T: Stored>(_: &CudaSlice<T>, bytes: &[u8]) -> Vec<T> {
    T::read(bytes)
}

fn quantiser(content: &Content, places: Places) -> Result<Option<Quantiser>, FileError> {
    let Some(unit) = content.note("unit")? else { return Ok(None) };
    let tensors = content.tensors()?;
    let masks = u32::read(content.tensor(&tensors, "masks", Dtype::U32, None)?);
    let classes = content.tensor(&tensors, "classes", Dtype::U8, Some(masks.len()))?.to_vec();
    let bases = if content.version > 4 { content.note("bases")? } else { Vec::new() };
    Ok(Some(Quantiser { unit, masks, classes, bases, places }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_of_a_recipe_that_cannot_be_carried_out_is_refused_before_a_device_is_asked_for() {
        let text = r#"
            design = { name = "x", tuples = ["a1 b1"] }
            [[phases]]
            seconds = 0
        "#;
        let recipe: Recipe = toml::from_str(text).unwrap();
        let path = std::env::temp_dir().join(format!("afterstate-gpu-recipe-{}.checkpoint", std::process::id()));
        let notes = [("recipe", container::json(&recipe)), ("reached", container::json(&Reached::default()))];
        container::write(&path, KIND, &notes, &[], LEVEL).unwrap();
        let error = GpuRun::load(&path).map(drop).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(error, format!("{}: phase 1: seconds is 0: it must be above 0", path.display()));
    }
}
