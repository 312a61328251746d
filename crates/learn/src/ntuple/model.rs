//! Model files: networks to play with, quantised and without the weights that play does not look up.

use std::path::Path;

use safetensors::Dtype;
use serde::{Deserialize, Serialize};

use super::container::{self, FileError, Tensor, json};
use super::design::Design;
use super::network::{Compact, Network};
use super::training::CurvePoint;
use super::weights::{Pages, PagesBuilder};

const KIND: &str = "model";

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

/// How exactly weights are stored.
#[derive(Clone, Copy, Debug)]
pub struct Quantisation<'a> {
    /// Weights are rounded to multiples of this many points.
    pub step: f32,
    /// How often each weight was looked up in play, and how often it must have been to be kept. Without this all weights
    /// but zeros are kept.
    pub visits: Option<(&'a [u32], u32)>,
    /// The effort of compression, from 1 to 22.
    pub level: i32,
}

impl Default for Quantisation<'_> {
    fn default() -> Self {
        Self { step: 4.0, visits: None, level: 12 }
    }
}

impl Quantisation<'_> {
    /// The multiple of the step that stands for a weight; 0 for one that is not kept.
    fn round(&self, index: usize, weight: f32) -> i16 {
        let kept = self.visits.is_none_or(|(visits, least)| visits.get(index).is_some_and(|&seen| seen >= least));
        // A conversion of floats saturates and takes what is not a number as 0.
        if kept { (weight / self.step).round() as i16 } else { 0 }
    }

    /// How much a weight within the range of the format is changed at most.
    #[must_use]
    pub fn largest_error(&self) -> f32 {
        self.step / 2.0
    }
}

/// One table, packed: which weights are kept (one bit each), and their multiples, low and high bytes apart.
struct Packed {
    kept: Vec<u8>,
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Packed {
    fn new(network: &Network, range: std::ops::Range<usize>, quantisation: &Quantisation<'_>) -> Self {
        let mut packed = Self { kept: vec![0; range.len().div_ceil(8)], low: Vec::new(), high: Vec::new() };
        for (place, index) in range.enumerate() {
            let multiple = quantisation.round(index, network.values.get(index));
            if multiple != 0 {
                packed.kept[place / 8] |= 1 << (place % 8);
                let [low, high] = multiple.to_le_bytes();
                packed.low.push(low);
                packed.high.push(high);
            }
        }
        packed
    }
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

impl Network {
    /// Writes a model file in one step: the old file, if there is one, stays until the new one is complete.
    pub fn save(&self, path: &Path, quantisation: &Quantisation<'_>, provenance: &Provenance) -> Result<(), FileError> {
        let packed: Vec<_> = tables(self.design())
            .into_iter()
            .map(|(name, range)| (name, Packed::new(self, range, quantisation)))
            .collect();
        let tensors: Vec<_> = packed
            .iter()
            .flat_map(|(name, packed)| {
                [("kept", &packed.kept), ("low", &packed.low), ("high", &packed.high)].map(|(part, bytes)| Tensor {
                    name: format!("{name}.{part}"),
                    dtype: Dtype::U8,
                    len: bytes.len(),
                    write: Box::new(move |to| to.write_all(bytes)),
                })
            })
            .collect();
        let notes =
            [("design", json(self.design())), ("step", json(&quantisation.step)), ("provenance", json(provenance))];
        container::write(path, KIND, &notes, &tensors, quantisation.level)
    }
}

/// The least number of visits such that at most `most` weights were visited that often.
#[must_use]
pub fn least_visits(visits: &[u32], most: usize) -> u32 {
    let mut counts = vec![0usize; 1 << 16];
    for &seen in visits.iter().filter(|&&seen| seen > 0) {
        counts[(seen as usize).min((1 << 16) - 1)] += 1;
    }
    let mut kept = 0;
    let fits = counts.iter().enumerate().rev().take_while(|&(_, count)| {
        kept += count;
        kept <= most
    });
    fits.last().map_or(1 << 16, |(least, _)| least.max(1) as u32)
}

impl Model {
    /// Reads a model file.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let content = container::read(path, KIND)?;
        let design: Design = content.note("design")?;
        let step: f32 = content.note("step")?;
        let provenance = content.note("provenance")?;
        let tensors = content.tensors()?;
        let part = |name: &str, part, len| content.tensor(&tensors, &format!("{name}.{part}"), Dtype::U8, len);
        let tables = tables(&design);
        let kept = tables.iter().map(|(name, _)| part(name, "low", None).map(<[u8]>::len)).sum::<Result<usize, _>>()?;
        let mut pages = Pages::zeroed(design.weights_per_stage() * design.stage_count(), kept, step)?;
        for (name, range) in tables {
            let kept = part(&name, "kept", Some(range.len().div_ceil(8)))?;
            let count = kept.iter().map(|byte| byte.count_ones() as usize).sum();
            let (low, high) = (part(&name, "low", Some(count))?, part(&name, "high", Some(count))?);
            unpack(&mut pages, range.start, kept, low, high);
        }
        Ok(Self { network: Network::with_values(&design, pages.finish()), provenance })
    }
}

fn unpack(pages: &mut PagesBuilder, begin: usize, kept: &[u8], low: &[u8], high: &[u8]) {
    let mut multiples = low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high]));
    for (byte, mut bits) in kept.iter().copied().enumerate() {
        while bits != 0 {
            let place = 8 * byte + bits.trailing_zeros() as usize;
            if let Some(multiple) = multiples.next() {
                pages.set(begin + place, multiple);
            }
            bits &= bits - 1;
        }
    }
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

    fn some_network() -> Network {
        let design = Design::new("small", &["a1 b1 c1", "b2 c2 b3 c3"], &[500]).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        let mut dice = Dice::seeded(4);
        for index in 0..network.values.len() {
            if dice.chance(0.5) {
                network.values.set(index, (dice.unit() * 20_000.0 - 10_000.0) as f32);
            }
        }
        network
    }

    #[test]
    fn a_model_is_read_back_within_the_error_of_its_quantisation() {
        let path = folder("error").join("m.model");
        let network = some_network();
        let provenance = Provenance { command: "train".into(), seed: 7, ..Provenance::default() };
        let quantisation = Quantisation { step: 8.0, ..Quantisation::default() };
        network.save(&path, &quantisation, &provenance).unwrap();
        let model = Model::load(&path).unwrap();
        assert_eq!((model.network.design(), &model.provenance), (network.design(), &provenance));
        for index in 0..network.values.len() {
            let error = (network.values.get(index) - model.network.values.get(index)).abs();
            assert!(error <= quantisation.largest_error(), "{index}: {error}");
        }
    }

    #[test]
    fn weights_that_play_does_not_visit_are_left_out() {
        let path = folder("visits").join("m.model");
        let network = some_network();
        let visits: Vec<u32> = (0..network.values.len() as u32).map(|index| index % 3).collect();
        let quantisation = Quantisation { visits: Some((&visits, 2)), ..Quantisation::default() };
        network.save(&path, &quantisation, &Provenance::default()).unwrap();
        let model = Model::load(&path).unwrap();
        for index in 0..network.values.len() {
            let kept = model.network.values.get(index) != 0.0;
            assert!(!kept || index % 3 == 2, "{index}");
        }
        assert!((0..network.values.len()).any(|index| model.network.values.get(index) != 0.0));
    }

    #[test]
    fn the_most_visited_weights_are_kept_as_far_as_they_fit() {
        let visits = [0, 1, 1, 2, 5, 5, 9];
        for most in 1..=7 {
            let kept = visits.iter().filter(|&&seen| seen >= least_visits(&visits, most)).count();
            assert!(kept <= most, "{most}: {kept}");
        }
    }

    #[test]
    fn damaged_truncated_foreign_and_newer_files_are_refused() {
        let path = folder("damage").join("m.model");
        some_network().save(&path, &Quantisation::default(), &Provenance::default()).unwrap();
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
        check(&good[..10], "is no n-tuple network");
        check(b"", "is no n-tuple network");
        check(&changed(0, b'x'), "is no n-tuple network");
        check(&changed(8, 9), "has format version 9; this program reads version 1");
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
        some_network().save(&path, &Quantisation::default(), &Provenance::default()).unwrap();
        let good = std::fs::read(&path).unwrap();
        // A folder in the place of the temporary file makes writing fail.
        let obstacle = folder.join("m.model.tmp");
        std::fs::create_dir_all(obstacle.join("x")).unwrap();
        assert!(some_network().save(&path, &Quantisation::default(), &Provenance::default()).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), good);
        std::fs::remove_dir_all(&obstacle).unwrap();
    }
}
