//! Writes a model without its stages above the ceiling, so that tiles are lowered there:
//! `cargo run --release -p afterstate-learn --example model_without_late -- MODEL OUT`

use std::path::Path;
use std::process::ExitCode;

use afterstate_learn::ntuple::Model;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        eprintln!("usage: model_without_late MODEL OUT");
        return ExitCode::from(2);
    };
    match Model::write_without_late(Path::new(from), Path::new(to)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
