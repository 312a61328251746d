//! Putting stages that were learned alone into the model of a whole game.

use std::path::Path;

use safetensors::Dtype;

use super::pack::{PARTS, Packed, Table, bytes_named, tables};
use super::{KIND, LEVEL, Model, Provenance, bases};
use crate::container::{self, FileError, Tensor, json};
use crate::ntuple::design::Design;
use crate::ntuple::network::Network;
use crate::ntuple::quantise::{CLASSES, Keep, Quantiser, Rounding};
use crate::parallel::map_all;

/// Why stages cannot take the place of those of a model.
#[derive(Debug, thiserror::Error)]
pub enum GraftError {
    /// The model cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Other stages, or other tuples.
    #[error(
        "a network with the stages {stages:?} cannot take the place of the last stages of {design}: they begin at {begins:?}, \
         and need the same tuples in the same order"
    )]
    Unlike {
        /// The design of the model.
        design: String,
        /// Where its last stages begin.
        begins: Vec<u32>,
        /// Where those of the network begin, after its first one.
        stages: Vec<u32>,
    },
    /// Not even coarse weights are small enough.
    #[error(
        "the model does not fit in {bytes} bytes: what stays as it is and the coarsest of the new weights take {least}"
    )]
    TooLarge {
        /// What it may take.
        bytes: u64,
        /// What it takes.
        least: u64,
    },
}

impl Model {
    /// Writes the model of a file with a network in the place of its last stages, as finely as fits in so many bytes. All other
    /// stages stay as they are, to the last bit. Of the network those weights are kept that were looked up (`visits`).
    pub fn write_with_last_stages(
        from: &Path,
        last: &Network,
        visits: &[u32],
        (to, bytes): (&Path, u64),
        learned_by: &str,
    ) -> Result<(), GraftError> {
        let content = container::read(from, KIND)?;
        let design: Design = content.note("design")?;
        let first = first_of_last(&design, last.design())?;
        let (unit, mut provenance): (f32, Provenance) = (content.note("unit")?, content.note("provenance")?);
        provenance.command = format!("{}; the stages from {first} on: {learned_by}", provenance.command);
        let kept_bases = bases(&content, &design)?;
        let stored = content.tensors()?;
        let tables = tables(&design);
        let (kept, replaced): (Vec<&Table>, Vec<&Table>) = tables.iter().partition(|table| table.stage < first);
        let mut size = 0;
        // From one step for all weights to the coarsest ones.
        let doublings = CLASSES as i8;
        for step in (-doublings..doublings).map(|doublings| unit * f32::from(doublings).exp2()) {
            let quantiser = Quantiser::by_visits_in_units(last, visits, step, unit, Keep::Seen, Rounding::Final);
            let offset = replaced.first().map_or(0, |table| table.range.start);
            let packed = map_all(replaced.len(), |table| {
                let range = &replaced[table].range;
                Packed::new(last, range.start - offset..range.end - offset, &quantiser)
            });
            let mut tensors: Vec<Tensor<'_>> = Vec::new();
            for Table { name, .. } in &kept {
                for part in PARTS {
                    let name = format!("{name}.{part}");
                    let bytes = content.tensor(&stored, &name, Dtype::U8, None)?;
                    tensors.push(bytes_named(name, bytes));
                }
            }
            tensors.extend(replaced.iter().zip(&packed).flat_map(|(table, packed)| packed.tensors(&table.name)));
            size = container::size(KIND, &tensors, LEVEL)?;
            if size <= bytes {
                let new_bases = quantiser.bases.iter().map(|base| base.map(|base| first + base));
                let bases: Vec<_> = kept_bases[..first].iter().copied().chain(new_bases).collect();
                let notes = [
                    ("design", json(&design)),
                    ("unit", json(&unit)),
                    ("bases", json(&bases)),
                    ("provenance", json(&provenance)),
                ];
                return Ok(container::write(to, KIND, &notes, &tensors, LEVEL)?);
            }
        }
        Err(GraftError::TooLarge { bytes, least: size })
    }
}

/// The stage of the model that the first stage of the network takes the place of.
fn first_of_last(model: &Design, last: &Design) -> Result<usize, GraftError> {
    let begins: Vec<u32> = model.stages().iter().chain(model.late()).copied().collect();
    let first = model.stage_count().saturating_sub(last.stage_count());
    let stages = last.stages().to_vec();
    let is_alike = |stage: usize| model.shapes_of(first + stage) == last.shapes_of(stage);
    if begins[first..] == stages && first > 0 && last.late().is_empty() && (0..last.stage_count()).all(is_alike) {
        return Ok(first);
    }
    let begins = begins[first.saturating_sub(1)..].to_vec();
    Err(GraftError::Unlike { design: model.name().to_owned(), begins, stages })
}
