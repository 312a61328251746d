//! Network files: read back as written, and refused where they are damaged or something else.

use std::path::{Path, PathBuf};

use afterstate_game::Dice;
use afterstate_learn::neural::{Design, Network, Origin, StoredNetwork};

use super::designs;

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("afterstate-network-{name}-{}.safetensors", std::process::id()))
}

fn stored(design: &Design) -> StoredNetwork {
    let origin = Origin { command: "train".into(), seed: 7, notes: vec!["a note".into()] };
    StoredNetwork { network: Network::random(design, &mut Dice::seeded(6)), scale: 1000.0, origin }
}

#[track_caller]
fn error(path: &Path) -> String {
    StoredNetwork::load(path).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_network_is_read_back_as_written() {
    let path = path("back");
    for design in designs() {
        let stored = stored(&design);
        stored.save(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let again = StoredNetwork::load(&path).unwrap();
        assert_eq!(again, stored);
        again.save(&path).unwrap();
        assert!(std::fs::read(&path).unwrap() == bytes, "the same network is the same file");
    }
    let refused = StoredNetwork::load_with_outputs(&path, 1).unwrap_err().to_string();
    assert!(refused.contains("has 3 outputs, and 1 are needed here"), "{refused}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn damaged_files_are_refused() {
    let path = path("damaged");
    stored(&designs()[0]).save(&path).unwrap();
    let good = std::fs::read(&path).unwrap();
    let check = |bytes: &[u8], reason: &str| {
        std::fs::write(&path, bytes).unwrap();
        let error = error(&path);
        assert!(error.contains(reason), "{error}");
    };
    check(b"", "is damaged");
    check(&good[..good.len() / 2], "is damaged");
    check(&good[..good.len() - 1], "is damaged");
    for place in (good.len() / 2..good.len()).step_by(good.len() / 20) {
        let mut bytes = good.clone();
        bytes[place] ^= 0x10;
        check(&bytes, "its digest is not that of its notes and weights");
    }
    std::fs::remove_file(&path).unwrap();
    assert!(error(&path).contains("No such file"));
}

/// The design of one layer of one output.
const SMALL: &str = r#"{ "encoding": "features", "layers": [{ "kind": "dense", "units": 1, "activation": "relu" }] }"#;

#[test]
fn no_bit_of_a_file_changes_what_is_read() {
    let path = path("bits");
    let stored = stored(&serde_json::from_str(SMALL).unwrap());
    stored.save(&path).unwrap();
    let good = std::fs::read(&path).unwrap();
    for bit in (0..8 * good.len()).step_by(3) {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, bytes).unwrap();
        let read = StoredNetwork::load(&path);
        assert!(read.is_err() || read.is_ok_and(|read| read == stored), "bit {bit}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_file_with_a_checksum_of_its_weights_alone_is_still_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/2048-features.safetensors");
    let good = std::fs::read(&path).unwrap();
    assert!(String::from_utf8_lossy(&good).contains("\"checksum\""));
    assert!(StoredNetwork::load(&path).is_ok());
    let path = self::path("checksum");
    let mut bytes = good;
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert!(error(&path).ends_with("is damaged: its checksum is not that of its weights"));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn files_of_others_are_refused_where_they_do_not_fit() {
    use safetensors::tensor::{Dtype, TensorView};
    let path = path("others");
    let write = |design: Option<&str>, shape: Vec<usize>, number: f32| {
        let bytes: Vec<u8> = std::iter::repeat_n(number, shape.iter().product()).flat_map(f32::to_le_bytes).collect();
        let bias = [0; 4];
        let tensors = [
            ("layers.0.weight", TensorView::new(Dtype::F32, shape, &bytes).unwrap()),
            ("layers.0.bias", TensorView::new(Dtype::F32, vec![1], &bias).unwrap()),
        ];
        let metadata = design.map(|design| [("design".to_owned(), design.to_owned())].into_iter().collect());
        std::fs::write(&path, safetensors::serialize(tensors, metadata).unwrap()).unwrap();
    };
    let design = r#"{ "encoding": "one-hot", "layers": [{ "kind": "dense", "units": 1 }] }"#;
    write(Some(design), vec![1, 256], 0.5);
    assert_eq!(StoredNetwork::load(&path).unwrap().scale, 1.0);
    write(None, vec![1, 256], 0.5);
    assert!(error(&path).ends_with("is no network of this program: its metadata has no `design`"));
    write(Some(design), vec![1, 255], 0.5);
    assert!(error(&path).contains("layers.0.weight is F32 [1, 255], and the design asks for F32 [1, 256]"));
    write(Some(design), vec![1, 256], f32::NAN);
    assert!(error(&path).contains("layers.0.weight holds NaN at place 0"));
    write(Some(&design.replace("one-hot", "features")), vec![1, 256], 0.5);
    assert!(error(&path).contains("layers.0.weight is F32 [1, 256], and the design asks for F32 [1, 12]"));
    write(Some(&design.replace("one-hot", "binary")), vec![1, 256], 0.5);
    let unknown = error(&path);
    assert!(
        unknown.contains("its `design` is wrong: unknown variant `binary`, expected one of `one-hot`"),
        "{unknown}"
    );
    write(Some(r#"{ "encoding": "one-hot", "layers": [] }"#), vec![1, 256], 0.5);
    assert!(error(&path).contains("its `design` is wrong: the network has 0 layers"));
    let two =
        r#"{ "encoding": "one-hot", "layers": [{ "kind": "dense", "units": 1 }, { "kind": "dense", "units": 1 }] }"#;
    write(Some(two), vec![1, 256], 0.5);
    assert!(error(&path).contains("it has 2 tensors, and its design asks for 4"));
    std::fs::remove_file(&path).unwrap();
}
