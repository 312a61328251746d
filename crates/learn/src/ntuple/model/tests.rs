use afterstate_game::Dice;

use super::pack::{unzigzag, zigzag};
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
    for quantiser in
        [Quantiser::uniform(&network, 8.0), Quantiser::by_visits(&network, &visits, 2.0, Keep::Seen, Rounding::Final)]
    {
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
    let size = network.places().begin(1);
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
fn stages_with_other_tuples_are_read_back() {
    let path = folder("wide").join("m.model");
    let copies = network_with_copies();
    let design = copies.design().with_added(200, &["a1 b1", "a1 b1 c1 d1 a2"]).unwrap();
    let network = Network::new(&design, 0.0).unwrap();
    let mut dice = Dice::seeded(7);
    for stage in 0..4 {
        // The last two stages are much alike, but not like those before: these have other tuples.
        for (within, place) in network.places().of(stage).enumerate().filter(|_| dice.chance(0.3)) {
            let weight = ((within * 7919 + stage / 2) % 20_011) as f32 - 10_000.0;
            network.values.set(place, weight + (stage % 2) as f32);
        }
    }
    let visits = some_visits(&network);
    for keep in [Keep::Seen, Keep::All] {
        let quantiser = Quantiser::by_visits(&network, &visits, 2.0, keep, Rounding::LearnedAround);
        assert!(quantiser.bases[2].is_none(), "{:?}", quantiser.bases);
        network.save(&path, &quantiser, &Provenance::default()).unwrap();
        let read = Model::load(&path).unwrap().network;
        assert_eq!(read.design(), &design);
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
    container::write_as(1, &path, KIND, &notes, &[kept, low, high]);
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
    container::write_as(3, &path, KIND, &notes, &tensors);
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
    check(&changed(8, 9), "has format version 9; this program reads versions up to 6");
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
fn a_bit_of_the_head_never_changes_the_weights() {
    let path = folder("head").join("m.model");
    let network = network_with_copies();
    let quantiser = Quantiser::uniform(&network, 2.0);
    assert!(quantiser.bases.iter().any(Option::is_some));
    network.save(&path, &quantiser, &Provenance::default()).unwrap();
    let weights = |read: &Compact| -> Vec<u32> {
        (0..network.values.len()).map(|place| read.values.get(place).to_bits()).collect()
    };
    let right = weights(&Model::load(&path).unwrap().network);
    // The head, that of the zstd frame and a little of what follows it.
    let check_head = |good: &[u8]| {
        for bit in 0..8 * 32 {
            let mut bytes = good.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bytes).unwrap();
            let read = Model::load(&path).map(|model| weights(&model.network));
            assert!(read.is_err() || read.is_ok_and(|read| read == right), "bit {bit}");
        }
    };
    let good = std::fs::read(&path).unwrap();
    check_head(&good);
    // Files of older programs say their version in the head alone.
    std::fs::write(&path, good).unwrap();
    let content = container::read(&path, KIND).unwrap();
    let notes = ["design", "unit", "bases", "provenance"]
        .map(|name| (name, content.note::<serde_json::Value>(name).unwrap().to_string()));
    let stored = content.tensors().unwrap();
    let tensors: Vec<_> = stored.iter().map(|(name, tensor)| bytes_named(name.to_owned(), tensor.data())).collect();
    container::write_as(5, &path, KIND, &notes, &tensors);
    assert_eq!(weights(&Model::load(&path).unwrap().network), right);
    check_head(&std::fs::read(&path).unwrap());
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
