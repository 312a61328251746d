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
//! Older formats are still read: before format 5 no stage had a base, before format 4 one bit for each weight of the table said whether it is kept (`kept`), before
//! format 3 there were fewer classes, and format 1 has one step for all.

use std::path::Path;

use safetensors::Dtype;
use serde::{Deserialize, Serialize};

use super::design::Design;
use super::network::{Compact, Network};
use super::quantise::{CLASSES, Keep, Quantiser, Rounding, expected};
use super::training::CurvePoint;
use super::weights::{PAGE, Pages, PagesBuilder};
use crate::container::{self, Content, FileError, Tensor, json};
use crate::parallel::map_all;

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

/// The tables of a network: their names in files, and where their weights lie.
fn tables(design: &Design) -> Vec<(String, std::ops::Range<usize>)> {
    let mut begin = 0;
    let mut tables = Vec::new();
    for stage in 0..design.stage_count() {
        for (tuple, shape) in design.shapes().iter().enumerate() {
            tables.push((format!("stage{stage}.tuple{tuple}"), begin..begin + shape.weights()));
            begin += shape.weights();
        }
    }
    tables
}

/// The parts of a table's pages: the number of the page, and which of its places belong to the table. Only tables of less
/// than a page share one with another table.
fn parts(range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let pages = range.start / PAGE..range.end.div_ceil(PAGE);
    pages.map(move |page| (page, range.start.max(PAGE * page)..range.end.min(PAGE * (page + 1))))
}

/// The parts of a packed table, by name.
const PARTS: [&str; 5] = ["pages", "masks", "class", "low", "high"];

/// One table, packed.
#[derive(Default)]
struct Packed {
    pages: Vec<u8>,
    masks: Vec<u8>,
    class: Vec<u8>,
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Packed {
    fn new(network: &Network, range: std::ops::Range<usize>, quantiser: &Quantiser) -> Self {
        let mut packed = Self { pages: vec![0; parts(range.clone()).count().div_ceil(8)], ..Self::default() };
        let mut by_class: [(Vec<u8>, Vec<u8>); CLASSES] = Default::default();
        for (number, (page, places)) in parts(range).enumerate() {
            if quantiser.masks[page] == 0 {
                continue;
            }
            let class = quantiser.classes[page];
            let has_base = quantiser.base_place(places.start).is_some();
            let mut mask = 0u32;
            for (bit, place) in places.enumerate().filter(|(_, place)| quantiser.is_kept(*place)) {
                let base = quantiser.base_place(place).map_or(0, |base| units(network, base, quantiser));
                let multiple = quantiser.multiple(place, network.values.get(place));
                let difference = multiple.wrapping_sub(expected(base, class));
                if difference != 0 {
                    mask |= 1 << bit;
                    let [low, high] = zigzag(difference).to_le_bytes();
                    let (lows, highs) = &mut by_class[usize::from(class)];
                    lows.push(low);
                    highs.push(high);
                }
            }
            // Where there is a base, a page without differences still says to which step its weights are rounded.
            if mask != 0 || has_base {
                packed.pages[number / 8] |= 1 << (number % 8);
                packed.masks.extend(mask.to_le_bytes());
                packed.class.push(class);
            }
        }
        for (low, high) in by_class {
            packed.low.extend(low);
            packed.high.extend(high);
        }
        packed
    }

    /// The parts of the table as a file names them.
    fn tensors<'a>(&'a self, name: &str) -> [Tensor<'a>; 5] {
        let Self { pages, masks, class, low, high } = self;
        let bytes = [pages, masks, class, low, high];
        std::array::from_fn(|part| bytes_named(format!("{name}.{}", PARTS[part]), bytes[part]))
    }
}

/// A weight in units, as a reader of the model sees it.
fn units(network: &Network, place: usize, quantiser: &Quantiser) -> i16 {
    let class = quantiser.classes[place / PAGE];
    if quantiser.is_kept(place) {
        return quantiser.multiple(place, network.values.get(place)) << class;
    }
    let base = quantiser.base_place(place).map_or(0, |base| units(network, base, quantiser));
    if quantiser.masks[place / PAGE] == 0 { base } else { expected(base, class) << class }
}

fn bytes_named(name: String, bytes: &[u8]) -> Tensor<'_> {
    Tensor { name, dtype: Dtype::U8, len: bytes.len(), write: Box::new(move |to| to.write_all(bytes)) }
}

/// Small numbers of either sign as small numbers.
const fn zigzag(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

const fn unzigzag(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
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
            let (name, range) = &tables[table];
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
        let has_classes = content.version > 1;
        let unit: f32 = content.note(if has_classes { "unit" } else { "step" })?;
        let bases = if content.version > 4 { bases(&content, &design)? } else { vec![None; design.stage_count()] };
        let tensors = content.tensors()?;
        let part = |name: &str, part, len| content.tensor(&tensors, &format!("{name}.{part}"), Dtype::U8, len);
        let tables = tables(&design);
        // Before format 4 at least as many weights as pages are known.
        let (counted, width) = if content.version > 3 { ("masks", 4) } else { ("low", 1) };
        let lengths = tables.iter().map(|(name, _)| part(name, counted, None).map(<[u8]>::len));
        let pages = lengths.sum::<Result<usize, _>>()? / width;
        let mut pages = Pages::zeroed(design.weights_per_stage() * design.stage_count(), pages, unit)?;
        for (table, (name, range)) in tables.into_iter().enumerate() {
            let base = bases[table / design.shapes().len()];
            if let Some(base) = base {
                let begin = base * design.weights_per_stage() + range.start % design.weights_per_stage();
                pages.resemble(range.start / PAGE..range.end / PAGE, begin / PAGE);
            }
            let kept = if content.version > 3 {
                kept_by_masks(range, part(&name, "pages", None)?, part(&name, "masks", None)?)
                    .ok_or_else(|| differs(&content, &name, "masks"))?
            } else {
                kept_by_bits(range.clone(), part(&name, "kept", Some(range.len().div_ceil(8)))?)
            };
            let count = kept.iter().map(|(_, mask)| mask.count_ones() as usize).sum();
            let multiples = [part(&name, "low", Some(count))?, part(&name, "high", Some(count))?];
            if has_classes {
                let class = part(&name, "class", None)?;
                let unpack = if base.is_some() { unpack_differences } else { unpack };
                unpack(&mut pages, &kept, class, multiples).ok_or_else(|| differs(&content, &name, "classes"))?;
            } else {
                unpack_format_1(&mut pages, &kept, multiples);
            }
        }
        Ok(Self { network: Network::with_values(&design, pages.finish()), provenance })
    }
}

impl Model {
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
        for (name, _) in tables(&design) {
            for part in PARTS {
                let name = format!("{name}.{part}");
                let bytes = content.tensor(&stored, &name, Dtype::U8, None)?;
                tensors.push(bytes_named(name, bytes));
            }
        }
        container::write(to, KIND, &notes, &tensors, LEVEL)
    }
}

/// The bases of the stages: earlier ones.
fn bases(content: &Content, design: &Design) -> Result<Vec<Option<usize>>, FileError> {
    let bases: Vec<Option<usize>> = content.note("bases")?;
    let aligned = design.shapes().iter().all(|shape| shape.weights() % PAGE == 0);
    let fits = |(stage, base): (usize, &Option<usize>)| base.is_none_or(|base| aligned && base < stage);
    if bases.len() != design.stage_count() || !bases.iter().enumerate().all(fits) {
        return Err(content.damaged(format!("stages with the bases {bases:?} cannot be")));
    }
    Ok(bases)
}

fn differs(content: &Content, name: &str, part: &str) -> FileError {
    content.damaged(format!("the {part} of {name} are not those of its weights"))
}

/// The first place of a page and its kept weights, one bit each.
type KeptPage = (usize, u32);

/// Format 4: one bit for each page, and a mask for those that have weights. `None` if their numbers differ.
fn kept_by_masks(range: std::ops::Range<usize>, pages: &[u8], masks: &[u8]) -> Option<Vec<KeptPage>> {
    let (masks, rest) = masks.as_chunks::<4>();
    let count: usize = pages.iter().map(|byte| byte.count_ones() as usize).sum();
    if count != masks.len() || !rest.is_empty() || pages.len() != parts(range.clone()).count().div_ceil(8) {
        return None;
    }
    let present = parts(range).enumerate().filter(|(number, _)| pages[number / 8] >> (number % 8) & 1 != 0);
    let kept: Vec<KeptPage> = present
        .zip(masks)
        .map(|((_, (_, places)), mask)| (places.start, u32::from_le_bytes(*mask) & u32::MAX >> (PAGE - places.len())))
        .collect();
    // Fewer when a bit stands for a page behind the last.
    (kept.len() == masks.len()).then_some(kept)
}

/// Before format 4: one bit for each weight.
fn kept_by_bits(range: std::ops::Range<usize>, kept: &[u8]) -> Vec<KeptPage> {
    let mask = |(_, places): (usize, std::ops::Range<usize>)| {
        let first = places.start - range.start;
        // A part begins at a byte: tables and pages have multiples of 16 places.
        let bytes = kept.get(first / 8..(first + places.len()).div_ceil(8))?;
        let mask = bytes.iter().rev().fold(0, |mask, &byte| mask << 8 | u32::from(byte));
        (mask != 0).then_some((places.start, mask))
    };
    parts(range.clone()).filter_map(mask).collect()
}

/// Where the multiples of each class begin, and the class of each page. `None` if there are not as many classes as pages with
/// weights, or unknown ones.
fn cursors(kept: &[KeptPage], class: &[u8]) -> Option<[usize; CLASSES]> {
    if kept.len() != class.len() {
        return None;
    }
    let mut counts = [0usize; CLASSES];
    for ((_, mask), &class) in kept.iter().zip(class) {
        *counts.get_mut(usize::from(class))? += mask.count_ones() as usize;
    }
    let mut begin = 0;
    Some(counts.map(|count| {
        begin += count;
        begin - count
    }))
}

fn unpack(pages: &mut PagesBuilder, kept: &[KeptPage], class: &[u8], [low, high]: [&[u8]; 2]) -> Option<()> {
    let mut cursors = cursors(kept, class)?;
    for (&(place, mask), &class) in kept.iter().zip(class) {
        let cursor = &mut cursors[usize::from(class)];
        for bit in bits(mask) {
            let multiple = unzigzag(u16::from_le_bytes([*low.get(*cursor)?, *high.get(*cursor)?]));
            pages.set(place + bit, multiple.wrapping_shl(class.into()));
            *cursor += 1;
        }
    }
    Some(())
}

/// [`unpack`] for a table whose pages have a base.
fn unpack_differences(
    pages: &mut PagesBuilder,
    kept: &[KeptPage],
    class: &[u8],
    [low, high]: [&[u8]; 2],
) -> Option<()> {
    let mut cursors = cursors(kept, class)?;
    for (&(place, mask), &class) in kept.iter().zip(class) {
        let cursor = &mut cursors[usize::from(class)];
        let count = mask.count_ones() as usize;
        let (low, high) = (low.get(*cursor..*cursor + count)?, high.get(*cursor..*cursor + count)?);
        *cursor += count;
        pages.own(place / PAGE, |weights| {
            for weight in weights.iter_mut() {
                *weight = expected(*weight, class);
            }
            for (bit, (&low, &high)) in bits(mask).zip(low.iter().zip(high)) {
                weights[bit] = weights[bit].wrapping_add(unzigzag(u16::from_le_bytes([low, high])));
            }
            for weight in weights {
                *weight = weight.wrapping_shl(class.into());
            }
        });
    }
    Some(())
}

fn unpack_format_1(pages: &mut PagesBuilder, kept: &[KeptPage], [low, high]: [&[u8]; 2]) {
    let places = kept.iter().flat_map(|&(place, mask)| bits(mask).map(move |bit| place + bit));
    for (place, (&low, &high)) in places.zip(low.iter().zip(high)) {
        pages.set(place, i16::from_le_bytes([low, high]));
    }
}

/// The bits of a mask, from the lowest.
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("afterstate-model-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Half of the weights are not zero; the tuple of one cell makes tables share a page.
    fn some_network() -> Network {
        let design = Design::new("small", &["a1 b1 c1", "a1", "b2 c2 b3 c3"], &[500]).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        let mut dice = Dice::seeded(4);
        for index in 0..network.values.len() {
            if dice.chance(0.5) {
                network.values.set(index, (dice.unit() * 20_000.0 - 10_000.0) as f32);
            }
        }
        network
    }

    fn some_visits(network: &Network) -> Vec<u32> {
        let mut dice = Dice::seeded(5);
        (0..network.values.len()).map(|place| dice.below(3) * (1 << (place / 32 % 12))).collect()
    }

    #[test]
    fn a_model_is_read_back_as_its_quantiser_says() {
        let path = folder("error").join("m.model");
        let network = some_network();
        let provenance = Provenance { command: "train".into(), seed: 7, ..Provenance::default() };
        let visits = some_visits(&network);
        for quantiser in [
            Quantiser::uniform(&network, 8.0),
            Quantiser::by_visits(&network, &visits, 2.0, Keep::Seen, Rounding::Final),
        ] {
            network.save(&path, &quantiser, &provenance).unwrap();
            let model = Model::load(&path).unwrap();
            assert_eq!((model.network.design(), &model.provenance), (network.design(), &provenance));
            for place in 0..network.values.len() {
                let expected = quantiser.rounded(place, network.values.get(place), 0.0);
                assert_eq!(model.network.values.get(place), expected, "{place}");
            }
        }
    }

    /// Four stages, the third much like the first and the fourth much like the third.
    fn network_with_copies() -> Network {
        let design = Design::new("copies", &["a1 b1 c1", "b2 c2 b3 c3"], &[100, 200, 300]).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        let size = design.weights_per_stage();
        let mut dice = Dice::seeded(6);
        for place in 0..size {
            let mut random = |spread: f64| if dice.chance(0.5) { (spread * (dice.unit() - 0.5)) as f32 } else { 0.0 };
            network.values.set(place, random(40_000.0));
            network.values.set(size + place, random(40_000.0));
            for (stage, base) in [(2, 0), (3, 2)] {
                let base = network.values.get(base * size + place);
                network.values.set(stage * size + place, base + random(90.0));
            }
        }
        network
    }

    #[test]
    fn a_stage_is_stored_as_the_difference_to_the_one_it_resembles() {
        let path = folder("bases").join("m.model");
        let network = network_with_copies();
        let visits = some_visits(&network);
        let by_visits = |keep, rounding| Quantiser::by_visits(&network, &visits, 2.0, keep, rounding);
        for quantiser in [
            Quantiser::uniform(&network, 2.0),
            by_visits(Keep::Seen, Rounding::Final),
            by_visits(Keep::All, Rounding::LearnedAround),
            by_visits(Keep::Seen, Rounding::LearnedAround),
        ] {
            assert_eq!(quantiser.bases, [None, None, Some(0), Some(2)]);
            network.save(&path, &quantiser, &Provenance::default()).unwrap();
            let size = std::fs::metadata(&path).unwrap().len();
            let apart = Quantiser { bases: vec![None; 4], ..quantiser.clone() };
            network.save(&path, &apart, &Provenance::default()).unwrap();
            assert!(size < std::fs::metadata(&path).unwrap().len(), "{size}");
            network.save(&path, &quantiser, &Provenance::default()).unwrap();
            let read = Model::load(&path).unwrap().network;
            for place in 0..network.values.len() {
                let resembled = quantiser.base_place(place).map_or(0.0, |base| read.values.get(base));
                let expected = quantiser.rounded(place, network.values.get(place), resembled);
                assert_eq!(read.values.get(place), expected, "{place}");
            }
        }
    }

    #[test]
    fn a_model_may_be_written_without_its_late_stages() {
        let (path, without) = (folder("late").join("m.model"), folder("late").join("n.model"));
        let copies = network_with_copies();
        let early = copies.design().with_ceiling(Some(528)).unwrap();
        let design = early.with_late(&[700, 800]).unwrap();
        let network = Network::new(&design, 7.0).unwrap();
        network.values.write(0, &copies.values.read(0..copies.values.len()));
        let provenance = Provenance { command: "train".into(), ..Provenance::default() };
        network.save(&path, &Quantiser::uniform(&network, 2.0), &provenance).unwrap();
        Model::write_without_late(&path, &without).unwrap();
        let (whole, rest) = (Model::load(&path).unwrap(), Model::load(&without).unwrap());
        assert_eq!((rest.network.design(), &rest.provenance), (&early, &provenance));
        for place in 0..copies.values.len() {
            assert_eq!(rest.network.values.get(place), whole.network.values.get(place), "{place}");
        }
    }

    #[test]
    fn a_file_is_made_as_small_as_it_must_be() {
        let path = folder("size").join("m.model");
        let network = some_network();
        let visits = some_visits(&network);
        let mut units = Vec::new();
        for bytes in [90_000, 80_000] {
            let quantiser = network.quantiser_within(bytes, &visits, Rounding::Final).unwrap();
            network.save(&path, &quantiser, &Provenance::default()).unwrap();
            // The notes are not counted.
            assert!(std::fs::metadata(&path).unwrap().len() <= bytes + 1000);
            units.push(quantiser.unit);
        }
        assert!(units[0] < units[1], "{units:?}");
    }

    #[test]
    fn where_there_is_room_nothing_is_coarse() {
        let network = some_network();
        let quantiser = network.quantiser_within(u64::MAX, &some_visits(&network), Rounding::Final).unwrap();
        let coarsest = (0..network.values.len()).map(|place| quantiser.largest_error(place)).fold(0.0, f32::max);
        // What 16 bits can hold of weights up to 10,000.
        assert!(coarsest < 0.17, "{coarsest}");
    }

    #[test]
    fn a_file_of_format_1_is_still_read() {
        // Written by the first format: the tuple `a1`, its weights the multiples -1, 0, 1, 2, ... of 4, without the zero.
        let path = folder("format1").join("m.model");
        let design = Design::new("one", &["a1"], &[]).unwrap();
        let multiples: Vec<i16> = (-1..15).filter(|&multiple| multiple != 0).collect();
        let bytes: Vec<[u8; 2]> = multiples.iter().map(|multiple| multiple.to_le_bytes()).collect();
        let [low, high] = [0, 1].map(|half| bytes.iter().map(|bytes| bytes[half]).collect::<Vec<u8>>());
        let tensor = |part: &str, bytes| bytes_named(format!("stage0.tuple0.{part}"), bytes);
        let kept = [0b1111_1101, 0xff];
        let (kept, low, high) = (tensor("kept", &kept), tensor("low", &low), tensor("high", &high));
        let notes = [("design", json(&design)), ("step", json(&4.0)), ("provenance", json(&Provenance::default()))];
        container::write(&path, KIND, &notes, &[kept, low, high], 3).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[8] = 1;
        std::fs::write(&path, bytes).unwrap();
        let model = Model::load(&path).unwrap();
        let weights: Vec<f32> = (0..16).map(|place| model.network.values.get(place)).collect();
        assert_eq!(weights, (-1..15).map(|multiple| 4.0 * multiple as f32).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_of_format_3_is_still_read() {
        // One bit for each weight: the first page keeps the weights 1 and 31, the second the weight 40.
        let path = folder("format3").join("m.model");
        let design = Design::new("two", &["a1 b1"], &[]).unwrap();
        let mut kept = vec![0u8; 32];
        (kept[0], kept[3], kept[5]) = (0b10, 0x80, 1);
        let low: Vec<u8> = [5, -6, 7].map(|multiple| zigzag(multiple) as u8).into();
        let tensor = |part: &str, bytes| bytes_named(format!("stage0.tuple0.{part}"), bytes);
        let tensors = [tensor("kept", &kept), tensor("class", &[0, 3]), tensor("low", &low), tensor("high", &[0; 3])];
        let notes = [("design", json(&design)), ("unit", json(&2.0)), ("provenance", json(&Provenance::default()))];
        container::write(&path, KIND, &notes, &tensors, 3).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[8] = 3;
        std::fs::write(&path, bytes).unwrap();
        let model = Model::load(&path).unwrap();
        let weights = [0, 1, 31, 32, 40].map(|place| model.network.values.get(place));
        assert_eq!(weights, [0.0, 10.0, -12.0, 0.0, 112.0]);
    }

    #[test]
    fn small_numbers_of_either_sign_are_written_small() {
        for number in i16::MIN..=i16::MAX {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }

    #[test]
    fn damaged_truncated_foreign_and_newer_files_are_refused() {
        let path = folder("damage").join("m.model");
        let network = some_network();
        network.save(&path, &Quantiser::uniform(&network, 4.0), &Provenance::default()).unwrap();
        let good = std::fs::read(&path).unwrap();
        let check = |bytes: &[u8], reason: &str| {
            std::fs::write(&path, bytes).unwrap();
            let error = Model::load(&path).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        let changed = |place: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[place] = value;
            bytes
        };
        check(&good[..good.len() / 2], "is damaged");
        check(&good[..good.len() - 1], "is damaged");
        check(&good[..10], "is no model");
        check(b"", "is no model");
        check(&changed(0, b'x'), "is no model");
        check(&changed(8, 9), "has format version 9; this program reads versions up to 5");
        check(&changed(8, 1), "is damaged");
        check(&changed(12, good[12] ^ 1), "is damaged");
        for place in (40..good.len()).step_by(good.len() / 16) {
            check(&changed(place, good[place] ^ 0x40), "damaged");
        }
        std::fs::write(&path, &good).unwrap();
        assert!(Model::load(&path).is_ok());
        assert!(Model::load(Path::new("/nonexistent/m")).unwrap_err().to_string().starts_with("/nonexistent/m: "));
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = folder("failed");
        let path = folder.join("m.model");
        let network = some_network();
        let save = || network.save(&path, &Quantiser::uniform(&network, 4.0), &Provenance::default());
        save().unwrap();
        let good = std::fs::read(&path).unwrap();
        // A folder in the place of the temporary file makes writing fail.
        let obstacle = folder.join("m.model.tmp");
        std::fs::create_dir_all(obstacle.join("x")).unwrap();
        assert!(save().is_err());
        assert_eq!(std::fs::read(&path).unwrap(), good);
        std::fs::remove_dir_all(&obstacle).unwrap();
    }
}
