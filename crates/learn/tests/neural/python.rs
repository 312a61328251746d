//! Files of this program in the hands of Python. `cargo xtask test` installs what that takes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use afterstate_game::Dice;
use afterstate_learn::neural::{Design, Network, Origin, StoredNetwork};

use super::{designs, random_boards};

#[test]
fn python_reads_our_files_and_computes_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../../target/python-tensors/bin/python");
    if !python.is_file() {
        eprintln!("skipped: {} is not there; `cargo xtask test` makes it", python.display());
        return;
    }
    let mut dice = Dice::seeded(5);
    let path = std::env::temp_dir().join(format!("afterstate-python-{}.safetensors", std::process::id()));
    for design in designs().into_iter().chain([Design::built_in("cnn-small").unwrap()]) {
        let network = Network::random(&design, &mut dice);
        let boards = random_boards(7, &mut dice);
        StoredNetwork { network: network.clone(), scale: 1.0, origin: Origin::default() }.save(&path).unwrap();
        let exponents: Vec<[u8; 16]> = boards.iter().map(|board| board.exponents()).collect();

        let mut reader = Command::new(&python)
            .arg(root.join("tests/neural/read.py"))
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        reader.stdin.take().unwrap().write_all(&serde_json::to_vec(&exponents).unwrap()).unwrap();
        let output = reader.wait_with_output().unwrap();
        assert!(output.status.success());
        let theirs: Vec<f32> = serde_json::from_slice(&output.stdout).unwrap();
        let ours = network.outputs(&boards);
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!((ours - theirs).abs() <= 1e-5 * (1.0 + ours.abs()), "{ours}, and Python says {theirs}");
        }
    }
    std::fs::remove_file(&path).unwrap();
}
