//! One table of a network as a file holds it: written.

use std::ops::Range;

use safetensors::Dtype;

use crate::container::Tensor;
use crate::ntuple::design::Design;
use crate::ntuple::network::Network;
use crate::ntuple::quantise::{CLASSES, Quantiser, expected};
use crate::ntuple::weights::PAGE;

/// A table of a network.
pub(super) struct Table {
    /// Its name in files.
    pub(super) name: String,
    pub(super) stage: usize,
    pub(super) tuple: usize,
    /// Where its weights lie.
    pub(super) range: Range<usize>,
}

/// The tables of a network, one after the other.
pub(super) fn tables(design: &Design) -> Vec<Table> {
    let mut begin = 0;
    let mut tables = Vec::new();
    for stage in 0..design.stage_count() {
        for (tuple, shape) in design.shapes_of(stage).iter().enumerate() {
            let range = begin..begin + shape.weights();
            begin = range.end;
            tables.push(Table { name: format!("stage{stage}.tuple{tuple}"), stage, tuple, range });
        }
    }
    tables
}

/// The parts of a table's pages: the number of the page, and which of its places belong to the table. Only tables of less
/// than a page share one with another table.
pub(super) fn parts(range: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    let pages = range.start / PAGE..range.end.div_ceil(PAGE);
    pages.map(move |page| (page, range.start.max(PAGE * page)..range.end.min(PAGE * (page + 1))))
}

/// The parts of a packed table, by name.
pub(super) const PARTS: [&str; 5] = ["pages", "masks", "class", "low", "high"];

/// One table, packed.
#[derive(Default)]
pub(super) struct Packed {
    pages: Vec<u8>,
    masks: Vec<u8>,
    class: Vec<u8>,
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Packed {
    pub(super) fn new(network: &Network, range: Range<usize>, quantiser: &Quantiser) -> Self {
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
    pub(super) fn tensors<'a>(&'a self, name: &str) -> [Tensor<'a>; 5] {
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

pub(super) fn bytes_named(name: String, bytes: &[u8]) -> Tensor<'_> {
    Tensor { name, dtype: Dtype::U8, len: bytes.len(), write: Box::new(move |to| to.write_all(bytes)) }
}

/// Small numbers of either sign as small numbers.
pub(super) const fn zigzag(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

pub(super) const fn unzigzag(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}
