//! A fit in the middle of its work, in a safetensors file.

use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::design::Design;
use super::file::{DIGEST, NetworkError, check_digest, digest, floats, json, note, write_whole};
use super::fit::Fit;
use super::network::Network;
use crate::header::{Described, head};

/// How far a fit was.
#[derive(Serialize, Deserialize)]
struct Reached {
    /// Which fit it is, in the words of the caller.
    label: String,
    design: Design,
    epoch: u32,
    steps: u64,
    stale: u32,
    best: Option<f64>,
}

impl Fit {
    /// Writes a checkpoint in one step: the last one stays until this one is complete.
    pub(super) fn save(&self, path: &Path, label: &str) -> Result<(), NetworkError> {
        let reached = Reached {
            label: label.to_owned(),
            design: self.network.design().clone(),
            epoch: self.epoch,
            steps: self.adam.steps,
            stale: self.stale,
            best: self.best.as_ref().map(|&(loss, _)| loss),
        };
        let (weights, Adam { mean, square, .. }) = (self.network.weights(), &self.adam);
        let best = self.best.as_ref().map(|(_, weights)| ("best", weights.as_slice()));
        let numbers = best.into_iter().chain([("mean", &mean[..]), ("square", &square[..]), ("weights", weights)]);
        let bytes = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        // In the order of their names, as the digest takes them.
        let tensors: Vec<_> = numbers.map(|(name, numbers)| (name, bytes(numbers))).collect();
        let fit = json(&reached);
        let digest = digest([("fit", fit.as_str())], tensors.iter().map(|(name, bytes)| (*name, bytes.as_slice())));
        let described =
            tensors.iter().map(|(name, bytes)| Described { name, dtype: Dtype::F32, shape: vec![bytes.len() / 4] });
        let (mut content, size) = head([("fit", fit.as_str()), (DIGEST, &digest)], described)
            .map_err(|source| NetworkError::Io { path: path.to_owned(), source })?;
        content.reserve(size);
        tensors.iter().for_each(|(_, bytes)| content.extend_from_slice(bytes));
        write_whole(path, &content)
    }

    /// Goes on from a checkpoint; `None` if there is none or if it belongs to another fit.
    pub(super) fn load(path: &Path, design: &Design, label: &str) -> Result<Option<Self>, NetworkError> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|source| NetworkError::Io { path: path.to_owned(), source })?,
        };
        let damaged = |reason: String| NetworkError::Damaged { path: path.to_owned(), reason };
        let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(|error| damaged(error.to_string()))?;
        let notes = metadata.metadata().clone().unwrap_or_default();
        let tensors = SafeTensors::deserialize(&bytes).map_err(|error| damaged(error.to_string()))?;
        // Older programs wrote one note and no digest.
        if notes.len() > 1 {
            check_digest(&notes, &tensors).map_err(damaged)?;
        }
        let reached: Reached = note(path, &notes, "fit")?.ok_or_else(|| damaged("it is no checkpoint".to_owned()))?;
        if reached.label != label {
            return Ok(None);
        }
        if reached.design != *design {
            return Err(damaged("it is a checkpoint of another network".to_owned()));
        }
        let read = |name| floats(&tensors, name, &[design.weights()]).map_err(damaged);
        let network = Network::with_weights(design, read("weights")?).map_err(|error| damaged(error.to_string()))?;
        let mut fit = Self::new(network);
        (fit.adam.mean, fit.adam.square, fit.adam.steps) = (read("mean")?, read("square")?, reached.steps);
        (fit.epoch, fit.stale) = (reached.epoch, reached.stale);
        fit.best = reached.best.map(|loss| Ok((loss, read("best")?))).transpose()?;
        Ok(Some(fit))
    }
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;
    use afterstate_twenty48::Board;

    use super::*;
    use crate::neural::fit::{Copies, Examples, FitSettings};

    #[test]
    fn a_fit_goes_on_from_a_checkpoint_as_if_it_had_never_stopped() {
        let path = std::env::temp_dir().join(format!("afterstate-fit-{}", std::process::id()));
        let mut dice = Dice::seeded(1);
        let boards: Vec<Board> = (0..300).map(|_| Board::from_nibbles(dice.bits() & dice.bits())).collect();
        let examples = Examples { targets: boards.iter().map(|board| board.count_empty() as f32).collect(), boards };
        let design = Design::fully_connected(&[8], 1).unwrap();
        let settings = FitSettings { batch: 64, ..FitSettings::default() };
        let mut whole = Fit::new(Network::random(&design, &mut dice));
        let epoch = |fit: &mut Fit| fit.run_epoch(&settings, &examples, &examples, Copies::None, 3, 1).unwrap();
        epoch(&mut whole);
        whole.save(&path, "training 1").unwrap();
        let mut again = Fit::load(&path, &design, "training 1").unwrap().unwrap();
        epoch(&mut whole);
        epoch(&mut again);
        assert_eq!(whole, again);
        assert_eq!(Fit::load(&path, &design, "training 2").unwrap(), None);
        let good = std::fs::read(&path).unwrap();
        for bit in (0..8 * 1000).step_by(13) {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bytes).unwrap();
            let read = Fit::load(&path, &design, "training 1");
            assert!(read.is_err() || read.is_ok_and(|read| read == Some(again.clone())), "bit {bit}");
        }
        std::fs::write(&path, good).unwrap();
        let error = Fit::load(&path, &Design::built_in("fc").unwrap(), "training 1").unwrap_err().to_string();
        assert!(error.ends_with("it is a checkpoint of another network"), "{error}");
        std::fs::write(&path, b"nothing").unwrap();
        assert!(Fit::load(&path, &design, "training 1").unwrap_err().to_string().contains("is damaged"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Fit::load(&path, &design, "training 1").unwrap(), None);
    }
}
