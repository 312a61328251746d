//! Outputs, gradients and steps of Adam against PyTorch's (see `golden.py`).

use std::path::{Path, PathBuf};

use afterstate_learn::neural::{Adam, AdamSettings, Pass, StoredNetwork, rmse};
use afterstate_twenty48::Board;
use serde::Deserialize;

use super::board;

#[derive(Deserialize)]
struct Record {
    boards: Vec<Vec<u8>>,
    targets: Vec<f32>,
    outputs: Vec<f32>,
    losses: Vec<f64>,
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/neural/golden").join(name)
}

fn network(name: &str) -> StoredNetwork {
    StoredNetwork::load(&file(&format!("{name}.safetensors"))).unwrap()
}

#[track_caller]
fn assert_close(found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{index}: {found}, not {expected}");
    }
}

fn check(name: &str) {
    let text = std::fs::read_to_string(file(&format!("{name}.json"))).unwrap();
    let record: Record = serde_json::from_str(&text).unwrap();
    let boards: Vec<Board> = record.boards.iter().map(|exponents| board(exponents)).collect();
    let StoredNetwork { mut network, scale, .. } = network(name);
    assert_eq!(scale, 1000.0);
    assert_close(&network.outputs(&boards), &record.outputs, 1e-5);

    let mut pass = Pass::default();
    let mut adam = Adam::new(network.weights().len(), AdamSettings::default());
    for (step, expected) in record.losses.iter().enumerate() {
        let outputs = pass.forward(&network, &boards);
        let loss = rmse(outputs, &record.targets).unwrap();
        assert!((loss - expected).abs() < 1e-4, "{loss}, not {expected}");
        let factor = (loss * boards.len() as f64) as f32;
        let slopes: Vec<f32> =
            outputs.iter().zip(&record.targets).map(|(output, target)| (output - target) / factor).collect();
        let mut gradient = vec![0.0; network.weights().len()];
        pass.backward(&network, &slopes, &mut gradient);
        if step == 0 {
            assert_close(&gradient, self::network(&format!("{name}.gradient")).network.weights(), 1e-5);
        }
        adam.step(network.weights_mut(), &gradient, 0.01);
    }
    assert_close(network.weights(), self::network(&format!("{name}.trained")).network.weights(), 1e-4);
}

#[test]
fn a_convolutional_network_computes_and_learns_as_in_pytorch() {
    check("cnn");
    check("odd-cnn");
}

#[test]
fn a_dense_network_computes_and_learns_as_in_pytorch() {
    check("fc");
    check("planes-fc");
}
