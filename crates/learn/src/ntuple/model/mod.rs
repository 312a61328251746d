//! Model files: networks to play with, rounded and without the weights that play does not look up.
//!
//! For every table a file holds which of its pages have weights (`pages`, one bit each), which weights of these are kept
//! (`masks`), the class of each of these pages, which says how coarse its step is (`class`), and the kept weights as multiples
//! of their steps, low and high bytes apart. The multiples are grouped by class, which compresses better, and written so that
//! small ones have a high byte of 0.
//!
//! A stage may have an earlier one as its base (the note `bases`). What it stores are then differences: to the multiple of its
//! own step that is nearest to the weight of the base. Pages that are not stored are those of the base.
//!
//! Older formats are still read: before format 6 all stages had the same tuples, before format 5 no stage had a base, before
//! format 4 one bit for each weight of the table said whether it is kept (`kept`), before format 3 there were fewer classes, and
//! format 1 has one step for all.

mod pack;
#[cfg(test)]
mod tests;
mod unpack;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};

use super::design::Design;
use super::network::{Compact, Network};
use super::places::Places;
use super::quantise::{Keep, Quantiser, Rounding};
use super::training::CurvePoint;
use super::weights::{PAGE, Pages, PagesBuilder};
use crate::container::{self, Content, FileError, Tensor, json};
use crate::parallel::map_all;
use pack::{PARTS, Packed, Table, bytes_named, tables};
use unpack::{kept_by_bits, kept_by_masks, unpack, unpack_differences, unpack_format_1};

const KIND: &str = "model";

/// The effort of compression. What is left to compress is mostly noise; more effort gains nothing.
const LEVEL: i32 = 9;

/// Where a model comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Provenance {
    /// The command that made it.
    pub command: String,
    /// The machine that it was made on.
    pub machine: String,
    /// The seed of the training.
    pub seed: u64,
    /// How the training went; the last row is the network before it was quantised.
    pub curve: Vec<CurvePoint>,
}

/// A model as it is read from a file.
#[derive(Debug)]
pub struct Model {
    /// The network.
    pub network: Compact,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl Network {
    /// Writes a model file in one step: the old file, if there is one, stays until the new one is complete.
    pub fn save(&self, path: &Path, quantiser: &Quantiser, provenance: &Provenance) -> Result<(), FileError> {
        let packed = self.packed(quantiser);
        let notes = [
            ("design", json(self.design())),
            ("unit", json(&quantiser.unit)),
            ("bases", json(&quantiser.bases)),
            ("provenance", json(provenance)),
        ];
        container::write(path, KIND, &notes, &tensors(&packed), LEVEL)
    }

    /// The quantiser whose file has at most this many bytes, by the visits that were counted; the finest one of a few. Weights
    /// that were not looked up are kept where there is room for them.
    pub fn quantiser_within(&self, bytes: u64, visits: &[u32], rounding: Rounding) -> Result<Quantiser, FileError> {
        let parts: Vec<_> = self.values.words().chunks(1 << 22).collect();
        let weights = |part: usize| parts[part].iter().filter(|word| super::memory::load(word) != 0.0).count() as u64;
        let weights: u64 = map_all(parts.len(), weights).iter().sum();
        // Below three bits a weight there is no room for all.
        let keep = if 3 * weights <= bytes.saturating_mul(8) { Keep::All } else { Keep::Seen };
        let (all, unit) = self.finest_within(bytes, visits, keep, rounding)?;
        // Coarse steps for what is looked up cost more than what is not looked up is worth.
        if keep == Keep::All && rounding.is_crowded(unit) {
            return Ok(self.finest_within(bytes, visits, Keep::Seen, rounding)?.0);
        }
        Ok(all)
    }

    /// The quantiser, and the step that was asked of it for weights that are looked up most.
    fn finest_within(
        &self,
        bytes: u64,
        visits: &[u32],
        keep: Keep,
        rounding: Rounding,
    ) -> Result<(Quantiser, f32), FileError> {
        let mut unit = rounding.finest();
        loop {
            let quantiser = Quantiser::by_visits(self, visits, unit, keep, rounding);
            let size = container::size(KIND, &tensors(&self.packed(&quantiser)), LEVEL)?;
            if size <= bytes || unit > 1e4 {
                return Ok((quantiser, unit));
            }
            // Doubling the step saves about a bit per weight.
            let bits_over = 8.0 * (size - bytes) as f32 / quantiser.kept().max(1) as f32;
            unit *= (1.1 * bits_over).clamp(0.15, 2.0).exp2();
        }
    }

    fn packed(&self, quantiser: &Quantiser) -> Vec<(String, Packed)> {
        let tables = tables(self.design());
        map_all(tables.len(), |table| {
            let Table { name, range, .. } = &tables[table];
            (name.clone(), Packed::new(self, range.clone(), quantiser))
        })
    }
}

fn tensors(packed: &[(String, Packed)]) -> Vec<Tensor<'_>> {
    packed.iter().flat_map(|(name, packed)| packed.tensors(name)).collect()
}

impl Model {
    /// Reads a model file.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let content = container::read(path, KIND)?;
        let design: Design = content.note("design")?;
        let provenance = content.note("provenance")?;
        let unit: f32 = content.note(if content.version > 1 { "unit" } else { "step" })?;
        let bases = if content.version > 4 { bases(&content, &design)? } else { vec![None; design.stage_count()] };
        let (tensors, aligned) = (content.tensors()?, is_aligned(&design));
        let stored = Stored { content: &content, tensors, bases, places: Places::new(&design), aligned };
        let groups = groups(&design);
        let rooms = groups.iter().map(|tables| stored.pages(tables)).collect::<Result<Vec<usize>, _>>()?;
        let mut pages = Pages::zeroed(stored.places.len(), rooms.iter().sum(), unit)?;
        fill(&mut pages, &stored, &groups, &rooms)?;
        Ok(Self { network: Network::with_values(&design, pages), provenance })
    }

    /// Writes the model of a file without its stages above the ceiling; everything else stays as it is, to the last bit.
    pub fn write_without_late(from: &Path, to: &Path) -> Result<(), FileError> {
        let content = container::read(from, KIND)?;
        let whole: Design = content.note("design")?;
        let design = whole.with_late(&[]).map_err(|error| content.damaged(error.to_string()))?;
        let (unit, provenance): (f32, Provenance) = (content.note("unit")?, content.note("provenance")?);
        let kept_bases = &bases(&content, &whole)?[..design.stage_count()];
        let notes = [
            ("design", json(&design)),
            ("unit", json(&unit)),
            ("bases", json(&kept_bases)),
            ("provenance", json(&provenance)),
        ];
        let stored = content.tensors()?;
        let mut tensors = Vec::new();
        for Table { name, .. } in tables(&design) {
            for part in PARTS {
                let name = format!("{name}.{part}");
                let bytes = content.tensor(&stored, &name, Dtype::U8, None)?;
                tensors.push(bytes_named(name, bytes));
            }
        }
        container::write(to, KIND, &notes, &tensors, LEVEL)
    }
}

/// Tables that must be read one after the other: those of one tuple, because stages have bases. Tables that share a page are all
/// read by one.
fn groups(design: &Design) -> Vec<Vec<Table>> {
    let count = if is_aligned(design) { design.shapes().len() } else { 1 };
    let mut groups: Vec<Vec<Table>> = (0..count).map(|_| Vec::new()).collect();
    for table in tables(design) {
        groups[table.tuple.min(count - 1)].push(table);
    }
    groups
}

/// Whether every table begins with a page.
fn is_aligned(design: &Design) -> bool {
    design.shapes().iter().all(|shape| shape.weights() % PAGE == 0)
}

/// Reads the groups at the same time, on all cores.
fn fill(pages: &mut Pages, stored: &Stored<'_>, groups: &[Vec<Table>], rooms: &[usize]) -> Result<(), FileError> {
    let builders = if let [_] = groups {
        vec![pages.builder()]
    } else {
        let pages_of = |table: &Table| table.range.start / PAGE..table.range.end / PAGE;
        let of_group =
            |(group, tables): (usize, &Vec<Table>)| tables.iter().map(|table| (pages_of(table), group)).collect();
        let mut tables: Vec<_> = groups.iter().enumerate().flat_map::<Vec<_>, _>(of_group).collect();
        tables.sort_by_key(|(pages, _)| pages.start);
        pages.builders(&tables, rooms)
    };
    let builders: Vec<_> = builders.into_iter().map(Mutex::new).collect();
    let read = map_all(groups.len(), |group| {
        let mut builder = builders[group].lock().unwrap_or_else(PoisonError::into_inner);
        groups[group].iter().try_for_each(|table| stored.unpack(table, &mut builder))
    });
    read.into_iter().collect()
}

/// The tables of a file.
struct Stored<'a> {
    content: &'a Content,
    tensors: SafeTensors<'a>,
    bases: Vec<Option<usize>>,
    places: Places,
    /// Whether no two tables share a page.
    aligned: bool,
}

impl Stored<'_> {
    fn part(&self, name: &str, part: &str, len: Option<usize>) -> Result<&[u8], FileError> {
        self.content.tensor(&self.tensors, &format!("{name}.{part}"), Dtype::U8, len)
    }

    /// How many pages with weights these tables have at most.
    fn pages(&self, tables: &[Table]) -> Result<usize, FileError> {
        // Before format 4 at least as many weights as pages are known.
        let (counted, width) = if self.content.version > 3 { ("masks", 4) } else { ("low", 1) };
        let lengths = tables.iter().map(|table| {
            let pages = table.range.len().div_ceil(PAGE);
            self.part(&table.name, counted, None).map(|bytes| pages.min(bytes.len() / width))
        });
        lengths.sum()
    }

    fn unpack(&self, Table { name, stage, range, .. }: &Table, pages: &mut PagesBuilder<'_>) -> Result<(), FileError> {
        let differs = |part: &str| self.content.damaged(format!("the {part} of {name} are not those of its weights"));
        let kept = if self.content.version > 3 {
            kept_by_masks(range.clone(), self.part(name, "pages", None)?, self.part(name, "masks", None)?)
                .ok_or_else(|| differs("masks"))?
        } else {
            kept_by_bits(range.clone(), self.part(name, "kept", Some(range.len().div_ceil(8)))?)
        };
        pages.open(range.start / PAGE);
        if self.aligned {
            pages.claim(kept.iter().map(|(place, _)| place / PAGE));
        }
        let base = self.bases[*stage].and_then(|base| self.places.counterpart(range.start, base));
        if let Some(begin) = base {
            pages.resemble(range.start / PAGE..range.end / PAGE, begin / PAGE);
        }
        let count = kept.iter().map(|(_, mask)| mask.count_ones() as usize).sum();
        let multiples = [self.part(name, "low", Some(count))?, self.part(name, "high", Some(count))?];
        if self.content.version == 1 {
            unpack_format_1(pages, &kept, multiples);
            return Ok(());
        }
        // A table without a base differs from zeros.
        let unpack = if self.aligned { unpack_differences } else { unpack };
        unpack(pages, &kept, self.part(name, "class", None)?, multiples).ok_or_else(|| differs("classes"))
    }
}

/// The bases of the stages: earlier ones of the same tuples.
fn bases(content: &Content, design: &Design) -> Result<Vec<Option<usize>>, FileError> {
    let bases: Vec<Option<usize>> = content.note("bases")?;
    let aligned = is_aligned(design);
    let alike = |stage: usize, base: usize| design.shapes_of(stage) == design.shapes_of(base);
    let fits =
        |(stage, base): (usize, &Option<usize>)| base.is_none_or(|base| aligned && base < stage && alike(stage, base));
    if bases.len() != design.stage_count() || !bases.iter().enumerate().all(fits) {
        return Err(content.damaged(format!("stages with the bases {bases:?} cannot be")));
    }
    Ok(bases)
}
